/**
 * Why a probe, or the whole run, stops sending. Thrown by the context so that every probe ends at its next request,
 * caught in one place only, the run loop, which turns it into notes and the footer.
 */
type AbortReason = 'interrupted' | 'unreachable' | 'budget' | 'blocked' | 'assistant-retired' | 'disturbed'

/**
 * Nothing more may be sent: by this probe (`budget`, `blocked`, `assistant-retired` and `disturbed`, after which it plays again) or by any
 * (`interrupted`, `unreachable`).
 */
export class ProbeAborted extends Error {
  override readonly name = 'ProbeAborted'
  readonly code: AbortReason
  constructor(code: AbortReason, text: string) {
    super(text)
    this.code = code
  }
  /** Whether the run as a whole is over. */
  get endsRun(): boolean {
    return this.code === 'interrupted' || this.code === 'unreachable'
  }
}
