/** A chat with one assistant: streamed answers, stop, upload, refusals. It knows nothing of a mock. */
import { isErrorBody, readNdjson, type TextStreamItem } from 'acs-kit/client'
import { type FormEvent, useRef, useState } from 'react'

export interface ChatProps {
  readonly api: string
  readonly apiKey: string
  readonly assistantId: string
}

export function Chat({ api, apiKey, assistantId }: ChatProps) {
  const [lines, setLines] = useState<readonly string[]>([])
  const [answer, setAnswer] = useState<string | null>(null)
  const [trouble, setTrouble] = useState('')
  const running = useRef<AbortController | null>(null)
  const headers = { 'api-key': apiKey, 'user-id': 'somebody' }

  const refusal = async (response: Response) => {
    const body: unknown = await response.json()
    throw new Error(isErrorBody(body) ? `${body.error_code}: ${JSON.stringify(body.detail)}` : response.statusText)
  }

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text'))
    const controller = new AbortController()
    running.current = controller
    setTrouble('')
    setLines((before) => [...before, text])
    setAnswer('')
    let said = ''
    try {
      const body = JSON.stringify({ assistant_id: assistantId, messages: [{ role: 'user', content: text }] })
      const init = { method: 'POST', headers, body, signal: controller.signal }
      const response = await fetch(`${api}/v1/chat/completions/stream`, init)
      if (!response.ok) await refusal(response)
      for await (const item of readNdjson<TextStreamItem>(response)) {
        if ('error_code' in item) throw new Error(JSON.stringify(item.detail))
        said += item.delta.content ?? ''
        setAnswer(said)
      }
    } catch (cause) {
      setTrouble(controller.signal.aborted ? 'stopped' : String(cause))
    }
    setLines((before) => [...before, said])
    setAnswer(null)
  }

  async function upload(file: File | undefined) {
    if (file === undefined) return
    try {
      const granted = await fetch(`${api}/v1/files/signed-url?filename=${encodeURIComponent(file.name)}`, { headers })
      if (!granted.ok) await refusal(granted)
      const { file_url } = (await granted.json()) as { readonly file_url: string }
      const stored = await fetch(file_url, { method: 'PUT', headers: { 'content-type': file.type }, body: file })
      if (!stored.ok) await refusal(stored)
      setLines((before) => [...before, `uploaded ${file.name}`])
    } catch (cause) {
      setTrouble(String(cause))
    }
  }

  return (
    <main>
      <ol>
        {lines.map((line, index) => (
          <li key={`${index} ${line}`}>{line}</li>
        ))}
      </ol>
      {answer !== null && <output>{answer}</output>}
      {trouble !== '' && <p role="alert">{trouble}</p>}
      <form onSubmit={ask}>
        <input name="text" aria-label="Message" />
        <button type="submit">Send</button>
        <button type="button" onClick={() => running.current?.abort()}>
          Stop
        </button>
        <input type="file" aria-label="File" onChange={(event) => upload(event.target.files?.[0])} />
      </form>
    </main>
  )
}
