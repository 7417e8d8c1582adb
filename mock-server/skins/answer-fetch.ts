/** Replaces the global fetch by a mock or a world, for one origin. */

/** A mock or a world. */
export interface AnswersRequests {
  fetch(request: Request): Promise<Response>
}

/** Answers requests to `origin`; all others are sent as before. Returns the function that undoes it. */
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
    // A later replacement must be undone first.
    if (globalThis.fetch === instead) globalThis.fetch = before
  }
}
