/**
 * The completions that have to be refused, one fault each, by class. Tables only: the same bodies go to the plain and to
 * the streamed forms, since both have to refuse alike.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueRemark } from '../../probe-runtime/sample-texts.ts'
import type { InvalidRequest } from '../support/send-invalid.ts'

type Body = Readonly<Record<string, unknown>>

/** Faults that every tier looks at: the contract states them. */
export function statedFaults(stage: ProbeContext, body: Body): readonly InvalidRequest[] {
  const { assistant_id: _dropped, ...withoutAssistant } = body
  const { messages: _gone, ...withoutMessages } = body
  return [
    wrong('drop:/body/assistant_id', withoutAssistant),
    wrong('drop:/body/messages', withoutMessages),
    wrong('empty:/body/messages', { ...body, messages: [] }),
    wrong('no-user:/body/messages', { ...body, messages: [{ role: 'system', content: uniqueRemark(stage.random) }] }),
  ]
}

/** Classes of further faults; acceptance of one ends its class where it is paid for. */
export function fieldFaults(stage: ProbeContext, body: Body): readonly (readonly InvalidRequest[])[] {
  const { random } = stage
  const uuid = random.uuid()
  return [
    [
      wrong('format:/body/assistant_id', { ...body, assistant_id: `${uuid.slice(0, -1)}g` }),
      wrong('type:/body/assistant_id', { ...body, assistant_id: random.below(100_000) }),
      wrong('null:/body/assistant_id', { ...body, assistant_id: null }),
    ],
    [wrong('unknown:/body/assistant_id', { ...body, assistant_id: uuid })],
    [wrong('format:/body/user_id', { ...body, user_id: uuid.slice(0, -1) })],
    [wrong('type:/body/messages', { ...body, messages: uniqueRemark(random) })],
    entryFaults(body, uniqueRemark(random)),
    [wrong('enum:/body/messages/1/role', withEntry(body, { role: 'moderator', content: uniqueRemark(random) }))],
  ]
}

/** Messages of the assistant alone: only a check that somebody speaks takes them for a question. */
export function assistantForUser(stage: ProbeContext, body: Body): InvalidRequest {
  const messages = [{ role: 'assistant', content: uniqueRemark(stage.random) }]
  return wrong('no-user-but-assistant:/body/messages', { ...body, messages })
}

/** Faults inside an entry; the first stays a good one, so that a check of the first alone shows, as does a number taken for text. */
function entryFaults(body: Body, content: string): readonly InvalidRequest[] {
  return [
    wrong('type:/body/messages/1', withEntry(body, content)),
    wrong('drop:/body/messages/1/content', withEntry(body, { role: 'user' })),
    wrong('type:/body/messages/1/content', withEntry(body, { role: 'user', content: 12 })),
    wrong('drop:/body/messages/1/role', withEntry(body, { content })),
    wrong('type:/body/messages/1/role', withEntry(body, { role: 1, content })),
  ]
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

/** Two faults in one body: whether both are told is open, that it is refused is not. */
export function twoFaults(body: Body): InvalidRequest {
  return wrong('drop:/body/assistant_id+type:/body/messages', { ...without(body, 'assistant_id'), messages: 'none' })
}

function wrong(purpose: string, json: unknown): InvalidRequest {
  return { purpose, json }
}

function withEntry(body: Body, entry: unknown): Body {
  const messages = Array.isArray(body.messages) ? body.messages : []
  return { ...body, messages: [...messages, entry] }
}

function without(body: Body, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
}
