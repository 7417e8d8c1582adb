/** An exchange that has ended: the reason for its answer, request and answer, frames, and copies of it. */
import { hrefOf } from './address.ts'
import { readThread, worldPath } from './admin-client.ts'
import type { Context } from './context.ts'
import { type CopySource, copyForms, threadIdOf } from './copy-as.ts'
import { createStreamDetail, detailHeading, factList, section } from './detail-parts.ts'
import { button, type Child, element, group } from './elements.ts'
import type { ExchangeRow } from './exchange-store.ts'
import type { Frame } from './frames.ts'
import { jsonText, wireBlock } from './json-block.ts'
import { whySection } from './why-section.ts'
import type { ExplainedEntry, WholeThread } from './wire.ts'

/** The whole view, requested from the mock. */
export async function endedDetail(context: Context, row: ExchangeRow, number: number): Promise<HTMLElement> {
  const entry = await context.admin.get<ExplainedEntry>(worldPath(row.world, `/journal/${number}`))
  const [thread, { tenants }] = await Promise.all([threadOf(context, entry), context.scenario()])
  return element(
    'div',
    { class: 'stack' },
    detailHeading(row),
    copyBar({ entry, origin: location.origin, tenants, thread }),
    whySection(entry),
    wireSections(entry),
  )
}

/** The thread that an exchange is about, as it is now; `null` if it no longer exists. */
async function threadOf({ admin }: Context, entry: ExplainedEntry): Promise<WholeThread | null> {
  const id = threadIdOf(entry)
  return id === null ? null : readThread(admin, entry.world, id).catch(() => null)
}

function copyBar(source: CopySource): HTMLElement {
  const { thread } = source
  const forms = Object.entries(copyForms).filter(([form]) => form !== 'seed' || thread !== null)
  return group(
    'Copy as',
    'actions',
    element('span', { class: 'quiet' }, 'Copy as'),
    forms.map(([, { label, make }]) => button(label, (pressed) => copy(pressed, label, make(source)))),
    thread === null ? null : element('a', { href: hrefOf({ view: 'threads', item: thread.id }) }, 'Open thread'),
  )
}

async function copy(pressed: HTMLButtonElement, label: string, text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  pressed.textContent = 'Copied'
  setTimeout(() => {
    pressed.textContent = label
  }, 1500)
}

function wireSections({ request, response, chunk_times: times, started_at, ended_at }: ExplainedEntry): Child {
  const pieces = (response?.pieces ?? []).map(textOf)
  const frames = pieces.map((text, index): Frame => ({ text, at: times[index] ?? ended_at }))
  const whole = pieces.join('')
  const isStream = times.length > 0
  return [
    isStream ? streamDetail(started_at, frames) : null,
    section(
      'Request',
      headerList(request.headers),
      request.body === null ? null : wireBlock('Request body', jsonText(textOf(request.body))),
    ),
    section(
      'Response',
      response === null ? element('p', {}, 'Nothing was sent.') : headerList(response.headers),
      whole === '' ? null : wireBlock('Response body', isStream ? whole : jsonText(whole)),
    ),
  ]
}

function textOf(bytes: NonNullable<ExplainedEntry['request']['body']>): string {
  return 'utf8' in bytes ? bytes.utf8 : `base64 ${bytes.base64}`
}

function headerList(headers: readonly (readonly [string, string])[]): HTMLElement {
  const facts = headers.map(([name, value]) => [name, element('code', {}, value)] as const)
  return element('details', {}, element('summary', {}, `${headers.length} headers`), factList(facts))
}

function streamDetail(startedAt: string, frames: readonly Frame[]): HTMLElement {
  const detail = createStreamDetail(startedAt)
  detail.show(frames)
  return detail.root
}
