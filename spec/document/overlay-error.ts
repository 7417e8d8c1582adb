/**
 * Defines the error of a broken overlay.
 * It stands apart so that code that catches it loads neither YAML nor JSONPath.
 */

/** A broken overlay; the message is one line: `file:line:column: reason (fix: …)`. */
export class OverlayError extends Error {
  override readonly name = 'OverlayError'
  readonly code = 'overlay_invalid'
  readonly place: OverlayPlace
  readonly fix: string

  constructor(place: OverlayPlace, reason: string, fix: string, cause?: unknown) {
    const where = place.line === null ? place.file : `${place.file}:${place.line}:${place.column}`
    super(`${where}: ${reason.replaceAll(/\s+/g, ' ').trim()} (fix: ${fix})`, { cause })
    this.place = place
    this.fix = fix
  }
}

/** A place in a file; line and column count from 1, and are `null` when the file could not be read. */
export interface OverlayPlace {
  readonly file: string
  readonly line: number | null
  readonly column: number | null
}
