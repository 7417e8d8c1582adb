/**
 * Lines of a stream as they went to a socket: framed as HTTP chunks in one buffer. The journal keeps them so, and cuts
 * them apart when somebody asks, since a buffer for each line weighs as much as the line.
 */

export interface FramedLines {
  readonly bytes: Uint8Array
  /** Where each line starts and ends inside its frame, one after another. */
  readonly borders: readonly number[]
}

/** The lines without their frames. */
export function unframed({ bytes, borders }: FramedLines): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let index = 0; index < borders.length; index += 2) {
    lines.push(bytes.subarray(borders[index], borders[index + 1]))
  }
  return lines
}
