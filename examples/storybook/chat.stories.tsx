/** Stories of the chat: an answer, and a service in trouble. */
import type { AcsParameters } from 'acs-kit/storybook'
import { Chat } from '../react-chat/chat.tsx'

// The built-in assistants have the same ids in every mock with the same seed.
const args = {
  api: 'https://api.acs.example',
  apiKey: 'acs-demo-primary',
  assistantId: '9875851e-ffd2-4bdc-bc4d-7ed7d56b9629',
}

export default { component: Chat, args }

export const Answering = {}

export const InTrouble = {
  parameters: { acs: { faults: [{ fault: 'api_timeout_error' }] } satisfies AcsParameters },
}
