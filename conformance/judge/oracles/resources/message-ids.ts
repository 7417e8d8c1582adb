/** Oracle of resources.message-ids-unique: no two messages that are surely different carry one id. */
import { bothCompletions } from '../../../../spec/index.ts'
import type { Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { fieldOf, isObject, sameJson } from '../../read/json.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import { contradict } from '../support/field-checks.ts'
import type { Oracle } from '../support/oracle.ts'
import { type MessageSighting, messageSightings } from '../support/shown-messages.ts'

/** Ids that two creations were given, and ids that stand on two different messages of one page. */
export const idsUnique: Oracle = (analysis, observe) => {
  const owners = new Map<string, MessageSighting>()
  for (const sighting of messageSightings(analysis)) {
    const id = fieldOf(sighting.message, 'id')
    if (sighting.operation !== 'createMessage' || typeof id !== 'string') continue
    const owner = owners.get(id.toLowerCase())
    owners.set(id.toLowerCase(), owner ?? sighting)
    if (owner === undefined) observe.held('createMessage', null, sighting.parsed.id)
    else sameId(observe, 'createMessage', owner, { parsed: sighting.parsed, id })
  }
  for (const parsed of analysis.of('listMessages'))
    idsUniqueOnPage(observe, analysis.histories.pageOf(parsed)?.items ?? [], parsed.id)
  for (const thread of analysis.histories.threads) answersAreNew(observe, thread.acknowledged)
}

const answering = ['runThread', ...bothCompletions] as const

/** A request after a further message does not repeat an earlier answer; a run without a message in between may. */
function answersAreNew(observe: ObservationLog, writes: readonly Write[]): undefined {
  const answers = writes.filter(({ kind, id }) => kind === 'answer' && id !== null)
  for (const later of answers) {
    const operation = answering.find((one) => one === later.parsed.operation)
    if (operation === undefined) continue
    // With a coarse clock an answer and the message sent beside it share a timestamp; an answer is never earlier than itself.
    const others = answers.filter((answer) => answer !== later)
    const earlier = others.filter((answer) =>
      operation === 'runThread' ? hasMessageBetween(writes, answer, later) : isOtherQuestion(answer, later),
    )
    const same = earlier.find(({ id }) => id === later.id)
    if (same !== undefined) sameId(observe, operation, same, later)
    else if (earlier.length > 0) observe.held(operation, null, later.parsed.id)
  }
}

/**
 * A completion carries its messages: one that was sent before `later` was answered asks a different question, unless
 * the bodies are equal.
 */
const isOtherQuestion = (answer: Write, later: Write): boolean =>
  answer.sentAtMs < later.certainFromMs && textOf(answer.parsed) !== textOf(later.parsed)

const textOf = ({ body }: ParsedExchange): string | null => (body.kind === 'json' ? body.text : null)

const hasMessageBetween = (writes: readonly Write[], first: Write, second: Write): boolean =>
  writes.some(
    ({ kind, sentAtMs, certainFromMs }) =>
      kind === 'created' && first.certainFromMs <= sentAtMs && certainFromMs <= second.sentAtMs,
  )

function idsUniqueOnPage(observe: ObservationLog, items: readonly unknown[], exchange: string): undefined {
  const owners = new Map<string, unknown>()
  for (const [index, item] of items.entries()) {
    const id = fieldOf(item, 'id')
    if (typeof id !== 'string') continue
    const owner = owners.get(id)
    owners.set(id, owner ?? item)
    if (owner !== undefined && isObject(item) && !sameJson(owner, item)) {
      contradict(
        observe,
        { operation: 'listMessages', exchange, at: `/items/${index}` },
        '/id',
        null,
        'an id of its own',
        id,
      )
    }
  }
  if (items.length > 1) observe.held('listMessages', null, exchange)
}

function sameId(
  observe: ObservationLog,
  operation: 'createMessage' | (typeof answering)[number],
  first: Pick<Write, 'parsed'>,
  second: Pick<Write, 'parsed'> & { readonly id: string | null },
): undefined {
  const id = second.id ?? ''
  observe.contradicted(operation, null, {
    exchanges: [first.parsed.id, second.parsed.id],
    expected: 'an id of its own for every message',
    actual: id,
    pointer: '/id',
    because: `${first.parsed.id} and ${second.parsed.id} create two messages, and both get the id ${id}.`,
    headline: 'two messages get the same id',
  })
}
