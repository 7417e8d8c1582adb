/** Admin paths of running exchanges: events of the whole mock, and actions on a waiting exchange. */
import { type StreamAction, streamActions } from '../live/live-event.ts'
import { AdminRefusal, refuseField } from './admin-request.ts'
import { adminRoute, TextAnswer, worldOf } from './admin-route.ts'

export const liveRoutes = [
  adminRoute({
    method: 'GET',
    path: '/events',
    about: 'streams what happens in all worlds as NDJSON: exchanges while they run, chunks, changes of worlds',
    fields: {},
    act: ({ context, signal }) => new TextAnswer('application/x-ndjson', gathered(context.mock.live.events(signal))),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/running/{id}',
    about: `acts on a running exchange by the id from its events: ${streamActions.join(', ')}; edit and inject take the chunk's text`,
    fields: { action: 'text', text: 'text' },
    act(call) {
      const { name } = worldOf(call)
      const { action = '', text } = call.fields
      if (!isAction(action)) throw refuseField(['body', 'action'], `must be one of ${streamActions.join(', ')}`)
      if (text === undefined && (action === 'edit' || action === 'inject'))
        throw refuseField(['body', 'text'], `is required for ${action}`, 'missing')
      if (!call.context.mock.live.act(name, Number(call.path.id), action, text))
        throw new AdminRefusal('admin-not-running')
      return { done: action }
    },
  }),
]

/** About a frame of a browser, for which every piece is work regardless of its size; each piece also slows the requests. */
const gatheringMs = 16

/** The same lines in fewer pieces: lines that arrive during the pause are sent together. */
async function* gathered(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const piece of lines) {
    yield piece
    await new Promise((resolve) => setTimeout(resolve, gatheringMs))
  }
}

function isAction(action: string): action is StreamAction {
  return (streamActions as readonly string[]).includes(action)
}
