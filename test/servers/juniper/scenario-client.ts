/** Sends the requests of the scenario and writes down the answers without ids and times. */
/** The key of most calls. */
export const main = 'jp-fjord-Qm7Zr2-main'
/** An assistant of the first tenant that answers everybody. */
export const counsel = 'b3c8d7e4-5a16-4f29-9c03-7e2a1d4b6f01'

/** What a request has besides its address. */
export interface Call {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Told {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the scenario reads whatever a faulty server may send
  readonly json: any
}

/** One chapter's view of the server. */
export class Client {
  readonly lines: string[] = []
  readonly #names = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** Sends a request and notes its answer. */
  async call(request: string, options: Call = {}): Promise<Told> {
    const told = await this.quiet(request, options)
    this.note(request, told.status, told.text)
    return told
  }

  async quiet(request: string, { key = main, body, headers = {} }: Call = {}): Promise<Told> {
    const [method = 'GET', path = '/'] = request.split(' ')
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(key !== null && { 'api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: parsed(text) }
  }

  /** Reads the beginning of a stream and leaves. */
  async leave(path: string, body: unknown): Promise<void> {
    const controller = new AbortController()
    const headers = { 'api-key': main, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: controller.signal }
    const response = await fetch(`${this.#url}${path}`, init)
    await response.body?.getReader().read()
    controller.abort()
    await new Promise((resolve) => setTimeout(resolve, 25))
  }

  /** Does something after the first chunk of a stream, and reads the rest afterwards. */
  async whileStreaming(path: string, body: unknown, act: () => Promise<void>): Promise<void> {
    const headers = { 'api-key': main, 'content-type': 'application/json' }
    const response = await fetch(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const reader = response.body?.getReader()
    await reader?.read()
    await act()
    while (!(await reader?.read())?.done);
  }

  /** Writes something down; ids and times become names, in the order in which they are met. */
  note(...words: readonly unknown[]): void {
    const line = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ')
    const named = line
      .replaceAll(/expires=\d+&signature=[\w-]+|cursor=[\w%-]+|"cursor":"[\w-]+"|127\.0\.0\.1:\d+/g, '·')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, (id) => this.#name('id', id))
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, (time) => this.#name('time', time))
    this.lines.push(named)
  }

  #name(kind: string, value: string): string {
    const known = this.#names.get(value) ?? `${kind}${this.#names.size}`
    this.#names.set(value, known)
    return known
  }

  async thread(): Promise<string> {
    return (await this.quiet('POST /v1/threads', { body: {} })).json.id
  }

  add(thread: string, role: string, content: string, more: object = {}): Promise<Told> {
    return this.call(`POST /v1/threads/${thread}/messages`, { body: { role, content, ...more } })
  }

  messages(thread: string, query = ''): Promise<Told> {
    return this.call(`GET /v1/threads/${thread}/messages${query}`)
  }

  run(thread: string, assistant = counsel, stream = '', call: Call = {}): Promise<Told> {
    return this.call(`POST /v1/threads/${thread}/run${stream}`, { body: { assistant_id: assistant }, ...call })
  }

  /** Follows cursors to the end of a thread. */
  async pages(thread: string, limit: number): Promise<void> {
    let cursor = ''
    for (let page = 0; page < 12; page += 1) {
      const told = await this.messages(thread, `?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      if (!told.json?.items?.length || !told.json.cursor) return
      cursor = told.json.cursor
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.split('\n').flatMap((line) => (line.startsWith('{') ? [safely(line)] : []))
  }
}

function safely(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return { line }
  }
}
