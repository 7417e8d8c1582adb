/** The part of a vendor's target file that the mock reads; the rest is for the suite. */

export interface VendorTarget {
  /** Answers to gaps of the contract, by the id of the gap. */
  readonly declares: Readonly<Record<string, string>>
  /** The source of threads. */
  readonly threads: { readonly kind: string } | null
  /** Body of a run, with `{{assistant_id}}` where the assistant is named. */
  readonly runBody: unknown
  readonly tools: {
    /** JSON pointer to the ids of calls in an assistant message; `*` is every element. */
    readonly callIds: string
    /** Field of a tool message with the id of the call that it answers. */
    readonly resultField: string
    /** Fields of an assistant message that asks for the call `{{tool_call_id}}`. */
    readonly assistantMessage?: unknown
  } | null
  readonly files?: {
    readonly status?: {
      readonly path: string
      readonly pointer: string
      readonly complete: readonly (string | boolean)[]
    }
    /** Fields of a message that attach the file `{{file_id}}`. */
    readonly attachment?: unknown
  }
}

/** A thread source that is a request. */
export interface ThreadRequest {
  readonly kind: 'http'
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly pointer: string
}

/** An unsupported setting: its place in the file, and the reason. */
export interface VendorProblem {
  readonly place: string
  readonly problem: string
  readonly fix: string
}
