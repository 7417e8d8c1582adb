/** One message of a thread, with its tool calls, sources and metadata. */
import { type Child, element } from './elements.ts'
import { clockText } from './time-text.ts'
import type { MessageView } from './wire.ts'

/** The message as a bubble, with controls in its head. */
export function messageBubble(message: MessageView, controls: Child = []): HTMLElement {
  const {
    role,
    content,
    created_at,
    tool_calls = [],
    tool_call_id,
    sources = [],
    file_ids = [],
    meta_data = {},
  } = message
  const extras = {
    ...(sources.length > 0 ? { sources } : null),
    ...(Object.keys(meta_data).length > 0 ? { meta_data } : null),
  }
  return element(
    'article',
    { class: `bubble ${role}` },
    element('header', {}, element('b', {}, role), ` ${clockText(created_at)} `, controls),
    element('p', {}, content),
    tool_call_id === undefined ? null : element('p', { class: 'quiet' }, 'answers ', element('code', {}, tool_call_id)),
    tool_calls.map(({ id, function: { name, arguments: given } }) =>
      element('p', { class: 'call' }, `asks for ${name}(${given}) `, element('code', {}, id)),
    ),
    file_ids.map((id) => element('p', { class: 'quiet' }, 'file ', element('code', {}, id))),
    Object.keys(extras).length === 0
      ? null
      : element(
          'details',
          {},
          element('summary', {}, Object.keys(extras).join(', ').replace('_', ' ')),
          element('pre', { class: 'wire', tabindex: '0' }, JSON.stringify(extras, null, 2)),
        ),
  )
}
