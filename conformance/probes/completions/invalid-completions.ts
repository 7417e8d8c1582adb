/**
 * The completions that have to be refused, one fault each, by class. Tables only: the same bodies go to the plain and to
 * the streamed forms, since both have to refuse alike.
 */

import { isObject } from '../../judge/read/json.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { inheritedName, instruction, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { type FaultWish, faultDrawer } from '../support/drawn-faults.ts'
import type { InvalidRequest } from '../support/send-invalid.ts'

type Body = Readonly<Record<string, unknown>>

/** Faults that every tier looks at: the contract states them. */
export function statedFaults(context: ProbeContext, body: Body): readonly InvalidRequest[] {
  const { assistant_id: _dropped, ...withoutAssistant } = body
  const { messages: _gone, ...withoutMessages } = body
  return [
    wrong('drop:/body/assistant_id', withoutAssistant),
    wrong('drop:/body/messages', withoutMessages),
    wrong('empty:/body/messages', { ...body, messages: [] }),
    wrong('no-user:/body/messages', {
      ...body,
      messages: [{ role: 'system', content: uniqueStatement(context.random) }],
    }),
  ]
}

/** Classes of further faults, drawn anew for each turn; acceptance of one ends its class where it is paid for. */
export function fieldFaults(
  context: ProbeContext,
  body: Body,
): (turn: number) => readonly (readonly InvalidRequest[])[] {
  const { random } = context
  const draw = faultDrawer(context, { ...anyCompletion, body: JSON.parse(JSON.stringify(body)) })
  return (turn) => {
    const drawn = (pointer: string, ...operators: FaultWish['operators']): InvalidRequest =>
      draw({ pointer, operators }, turn)
    return [
      [drawn('/assistant_id', 'N-UUID'), drawn('/assistant_id', 'N-TYPE'), drawn('/assistant_id', 'N-NULL')],
      [wrong('unknown:/body/assistant_id', { ...body, assistant_id: random.uuid() })],
      // A number that careless code takes for no value at all.
      [drawn('/user_id', 'N-UUID'), wrong('type:/body/user_id', { ...body, user_id: 0 })],
      [noList(context, body, turn)],
      [
        drawn('/messages/*', 'N-TYPE', 'N-ARR1'),
        drawn('/messages/*/content', 'N-DROP'),
        drawn('/messages/*/content', 'N-TYPE', 'N-ARR1', 'N-NULL'),
      ],
      [drawn('/messages/*/role', 'N-DROP'), drawn('/messages/*/role', 'N-TYPE', 'N-ARR1', 'N-NULL')],
      [unknownRole(context, body, turn)],
    ]
  }
}

/** One of the forms of a completion that the profile claims. */
export interface Form {
  readonly at: number
  readonly of: number
}

/** Where the values of fields stand in a list of messages, and what of an entry is in each place. */
const inEntries = /^\w+:\/body\/messages\/\d+(?:\/(content|role))?$/

/**
 * Null in the place of another wrong value of an entry, as careless code takes it for an object or for nothing at all. Each of the
 * forms gets another null: as the first entry, as the content of a message that is not the user's, as a role.
 */
export function nullInTurn(fault: InvalidRequest, body: Body, { at, of }: Form): InvalidRequest {
  const place = inEntries.exec(fault.purpose)
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : []
  if (place === null || fault.purpose.startsWith('drop:') || fault.purpose.startsWith('enum:')) return fault
  const nullAt = (index: number, field: string | null): InvalidRequest => {
    const entry = field === null ? null : { ...Object(messages[index]), [field]: null }
    return wrong(`null:/body/messages/${index}${field === null ? '' : `/${field}`}`, {
      ...body,
      messages: messages.with(index, entry),
    })
  }
  const isLast = at === of - 1
  const field = place[1] ?? null
  if (field === null) return at === 0 ? nullAt(0, null) : fault
  if (field === 'content') return at > 0 || isLast ? nullAt(at < 2 ? 0 : 2, field) : fault
  return isLast ? nullAt(1, field) : fault
}

/**
 * The text that is no UUID, and the value that is no text, as a check of one says nothing of the other. The plain form and its stream
 * get the same, so that they can be compared, and content blocks the other; without those, both get both.
 */
export function userIdInTurn({ purpose }: InvalidRequest, { at, of }: Form, textFirst: boolean): boolean {
  if (of < 3 || !purpose.endsWith(':/body/user_id')) return true
  return purpose.startsWith('format:') === (textFirst === at < 2)
}

const anyCompletion = { operation: 'createChatCompletion', path: {}, query: [], headers: [] } as const

/** One message instead of a list of one, or its text: the likeliest mistakes, in turn. */
function noList({ random }: ProbeContext, body: Body, turn: number): InvalidRequest {
  const message = { role: 'user', content: uniqueStatement(random) }
  return wrong('type:/body/messages', { ...body, messages: turn === 0 ? message : message.content })
}

/** A role that nobody has, somewhere behind the first message; in turn a word that people use, and one that tables inherit. */
function unknownRole({ random }: ProbeContext, body: Body, turn: number): InvalidRequest {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : []
  const at = 1 + random.below(messages.length)
  const word = random.pick(['moderator', 'developer', 'function', 'ai', 'human', 'bot'])
  const role = turn === 0 ? word : inheritedName(random)
  const entry = { role, content: uniqueStatement(random) }
  return wrong(`enum:/body/messages/${at}/role`, {
    ...body,
    messages: [...messages.slice(0, at), entry, ...messages.slice(at)],
  })
}

/** Several messages, the last of the assistant: only a check that somebody speaks, or one of a single message, takes them for a question. */
export function assistantForUser(context: ProbeContext, body: Body): InvalidRequest {
  const messages = [
    { role: 'system', content: instruction(context.random) },
    { role: 'assistant', content: uniqueStatement(context.random) },
  ]
  return wrong('no-user-but-assistant:/body/messages', { ...body, messages })
}

/** Bodies that lack what the assistant's own record requires. */
export function requiredFieldFaults(
  body: Body,
  requires: Readonly<Record<string, readonly string[]>>,
): readonly InvalidRequest[] {
  return Object.entries(requires).flatMap(([path, names]) =>
    names
      .filter((name) => path !== '__root__' || !['assistant_id', 'messages'].includes(name))
      .map((name) => {
        if (path === '__root__') return wrong(`drop:/body/${name}`, without(body, name))
        const inner = body[path]
        const rest = typeof inner === 'object' && inner !== null ? without({ ...inner }, name) : {}
        return wrong(`drop:/body/${path}/${name}`, { ...body, [path]: rest })
      }),
  )
}

/** Of each of two places the field that is told first or last: a check of one of them overlooks the others. */
export function requiredAtEnds(
  body: Body,
  requires: Readonly<Record<string, readonly string[]>>,
  end: 'first' | 'last',
): readonly InvalidRequest[] {
  const at = end === 'first' ? 0 : -1
  return Object.entries(requires)
    .flatMap(([path, names]) => requiredFieldFaults(body, { [path]: names }).at(at) ?? [])
    .slice(0, 2)
}

/**
 * Four fields missing in one body, two of them in one message and one behind a right one: whether all are told is open, that it is
 * refused is not. What keeps one fault of a kind, or those of one place, tells only some; each that is told has the path of its field.
 */
export function severalFaults(body: Body): InvalidRequest {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : []
  const { content: _said, role: _spoken, ...rest } = Object(messages[0])
  const last = messages.length - 1
  const { content: _asked, ...silent } = Object(messages[last])
  const paths = ['assistant_id', 'messages/0/role', 'messages/0/content', `messages/${last}/content`]
  return wrong(paths.map((path) => `drop:/body/${path}`).join('+'), {
    ...without(body, 'assistant_id'),
    messages: messages.with(last, silent).with(0, rest),
  })
}

/** A field that is required inside of another stands beside it, where a check that looks into both finds it; or null stands for the other. */
export function misplacedFields(
  body: Body,
  requires: Readonly<Record<string, readonly string[]>>,
): readonly InvalidRequest[] {
  for (const [path, names] of Object.entries(requires)) {
    const inner = body[path]
    const name = names.find((one) => isObject(inner) && inner[one] !== undefined)
    if (path === '__root__' || name === undefined || !isObject(inner)) continue
    const beside = { ...body, [path]: without(inner, name), [name]: inner[name] }
    return [wrong(`misplaced:/body/${path}/${name}`, beside), wrong(`null:/body/${path}`, { ...body, [path]: null })]
  }
  return []
}

function wrong(purpose: string, json: unknown): InvalidRequest {
  return { purpose, json }
}

function without(body: Body, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
}
