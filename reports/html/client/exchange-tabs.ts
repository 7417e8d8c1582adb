/** The tabs of an open exchange: request, response, stream and verdicts. */
import type { HeaderLines } from '../../../conformance/index.ts'
import { curlOf } from '../../curl.ts'
import { visibleText } from '../../sanitize-text.ts'
import type { CitedVerdict, ExchangeDetail } from '../page-data-shape.ts'
import { laidOut } from './json-text.ts'
import { createElement } from './page-elements.ts'
import { bytesText, omittedNote, streamParts } from './stream-view.ts'

export interface ExchangeTab {
  readonly name: string
  readonly parts: () => readonly (Node | null)[]
}

/** The tabs that this exchange has; `verdicts` are all of the report. */
export function exchangeTabs(detail: ExchangeDetail, verdicts: readonly CitedVerdict[]): readonly ExchangeTab[] {
  const tabs: readonly (ExchangeTab | null)[] = [
    { name: 'Request', parts: () => requestParts(detail) },
    { name: 'Response', parts: () => responseParts(detail) },
    detail.isStream ? { name: 'Stream', parts: () => streamParts(detail) } : null,
    { name: 'Verdicts', parts: () => verdictParts(detail, verdicts) },
  ]
  return tabs.filter((tab) => tab !== null)
}

function requestParts({ exchange }: ExchangeDetail): readonly (Node | null)[] {
  const { request, credential } = exchange
  const headers = request.headers.map(([name, value]): readonly [string, string] =>
    credential !== null && name.toLowerCase() === 'api-key'
      ? [name, `${value} (pseudonym of the ${credential} key)`]
      : [name, value],
  )
  return [
    wire(`${request.method} ${request.url}\n${headerText(headers)}`),
    request.body === null ? null : wire(laidOut(bytesText(request.body))),
    createElement('h3', {}, 'Send it again'),
    createElement(
      'div',
      { class: 'command' },
      createElement('pre', { tabindex: '0' }, curlOf(exchange)),
      createElement('button', { type: 'button', 'data-copy': '' }, 'Copy'),
    ),
  ]
}

function responseParts({
  exchange: { response, ending, failure, omittedBytes },
}: ExchangeDetail): readonly (Node | null)[] {
  const told =
    ending === 'complete'
      ? null
      : createElement('p', {}, `${ending}${failure === undefined ? '' : `: ${visibleText(failure)}`}`)
  if (response === null) return [told ?? createElement('p', {}, 'No response.')]
  return [
    told,
    omittedBytes === undefined ? null : omittedNote(omittedBytes),
    wire(`${response.status}\n${headerText(response.headers)}`),
    wire(laidOut(response.pieces.map(({ bytes }) => bytesText(bytes)).join(''))),
  ]
}

function verdictParts(detail: ExchangeDetail, all: readonly CitedVerdict[]): readonly Node[] {
  const items = [
    ...detail.verdicts.map((place) => verdictItem(all[place], '')),
    ...detail.setupOf.map((place) => verdictItem(all[place], ' (setup only)')),
  ].filter((item) => item !== null)
  if (items.length === 0) return [createElement('p', {}, 'No verdict names this exchange as its evidence.')]
  return [createElement('ul', { class: 'verdicts' }, ...items)]
}

function verdictItem(verdict: CitedVerdict | undefined, note: string): Node | null {
  if (verdict === undefined) return null
  const { requirement, place, outcome, words } = verdict
  return createElement(
    'li',
    {},
    createElement('span', { class: `outcome ${outcome}` }, words),
    ' ',
    createElement('a', { href: `#${requirement}` }, createElement('code', {}, requirement)),
    ` ${place}${note}`,
  )
}

function wire(text: string): HTMLElement {
  return createElement('pre', { class: 'wire', tabindex: '0' }, visibleText(text))
}

function headerText(headers: HeaderLines): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}
