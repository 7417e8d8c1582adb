/** The tabs of an open exchange: what was sent, what came, how it streamed, and what it proves. */
import type { HeaderLines } from '../../../conformance/index.ts'
import { visibleText } from '../../sanitize-text.ts'
import type { ExchangeDetail } from '../page-data-shape.ts'
import { laidOut } from './json-text.ts'
import { createElement } from './page-elements.ts'
import { bytesText, omittedNote, streamParts } from './stream-view.ts'

export interface ExchangeTab {
  readonly name: string
  readonly parts: () => readonly (Node | null)[]
}

/** The tabs that this exchange has. */
export function exchangeTabs(detail: ExchangeDetail): readonly ExchangeTab[] {
  const tabs: readonly (ExchangeTab | null)[] = [
    { name: 'Request', parts: () => requestParts(detail) },
    { name: 'Response', parts: () => responseParts(detail) },
    detail.isStream ? { name: 'Stream', parts: () => streamParts(detail) } : null,
    { name: 'Verdicts', parts: () => verdictParts(detail) },
  ]
  return tabs.filter((tab) => tab !== null)
}

function requestParts({ exchange: { request, credential }, curl }: ExchangeDetail): readonly (Node | null)[] {
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
      createElement('pre', { tabindex: '0' }, curl),
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

function verdictParts({ verdicts }: ExchangeDetail): readonly Node[] {
  if (verdicts.length === 0) return [createElement('p', {}, 'No verdict names this exchange as its evidence.')]
  const items = verdicts.map(({ requirement, place, outcome, words, isSetup }) =>
    createElement(
      'li',
      {},
      createElement('span', { class: `outcome ${outcome}` }, words),
      ' ',
      createElement('a', { href: `#${requirement}` }, createElement('code', {}, requirement)),
      ` ${place}${isSetup ? ' (setup only)' : ''}`,
    ),
  )
  return [createElement('ul', { class: 'verdicts' }, ...items)]
}

function wire(text: string): HTMLElement {
  return createElement('pre', { class: 'wire', tabindex: '0' }, visibleText(text))
}

function headerText(headers: HeaderLines): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}
