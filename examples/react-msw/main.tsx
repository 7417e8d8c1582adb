/** The chat with the mock inside the page: Mock Service Worker catches what it sends, a world answers. */
import { createMock } from 'acs-kit/mock'
import { acsHandlers, withLeavers } from 'acs-kit/msw'
import { setupWorker } from 'msw/browser'
import { createRoot } from 'react-dom/client'
import { Chat } from '../react-chat/chat.tsx'

const api = 'https://api.acs.example'
const mock = await createMock()
const worker = withLeavers(setupWorker(...acsHandlers(api, mock)))
await worker.start({ onUnhandledRequest: 'bypass', quiet: true })

// In the console of the browser: acs.journal.view(), acs.faults.add({ fault: 'api_timeout_error', times: 1 })
Object.assign(globalThis, { acs: mock })
const assistant = mock.scenario.tenants[0]?.assistants.find(({ name }) => name === 'Slow echo')
createRoot(document.querySelector('#root') as Element).render(
  <Chat api={api} apiKey="acs-demo-primary" assistantId={assistant?.id ?? ''} />,
)
