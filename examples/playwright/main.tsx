/** The chat as it is delivered: it calls the real service, and no mock is in it. */
import { createRoot } from 'react-dom/client'
import { Chat } from '../react-chat/chat.tsx'

const assistantId = new URLSearchParams(location.search).get('assistant') ?? ''
createRoot(document.querySelector('#root') as Element).render(
  <Chat api="http://api.acs.example" apiKey="acs-demo-primary" assistantId={assistantId} />,
)
