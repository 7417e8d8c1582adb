/** Puts a mock or a world in the place of the global fetch, for one origin. */

/** A mock or a world. */
export interface AnswersRequests {
  fetch(request: Request): Promise<Response>
}

/** Takes over what goes to `origin`; everything else goes on as before. Returns the way back. */
export function answerFetch(origin: string, to: AnswersRequests): () => void {
  const before = globalThis.fetch
  const { origin: answered } = new URL(origin)
  const instead: typeof fetch = (input, init) => {
    const base = (globalThis as { readonly location?: { readonly href: string } }).location?.href
    const url = input instanceof Request ? input.url : new URL(input, base).href
    return new URL(url).origin === answered ? to.fetch(new Request(input, init)) : before(input, init)
  }
  globalThis.fetch = instead
  return () => {
    // Whoever took over in the meantime has to give back first.
    if (globalThis.fetch === instead) globalThis.fetch = before
  }
}
