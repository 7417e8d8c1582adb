/**
 * Keeps the lines of a stream framed as HTTP chunks in one growing buffer.
 * The journal cuts them apart on demand, because an object for each line would stop thousands of paced streams for garbage
 * collection.
 */

export class FramedLines {
  #buffer: Buffer
  #length = 0
  /** Where each line starts and ends inside its frame, one after another; outside of the heap like the bytes. */
  #borders: Uint32Array
  #count = 0

  /** Room for so many bytes and lines at first. */
  constructor(expectedBytes: number, expectedLines: number) {
    this.#buffer = Buffer.allocUnsafeSlow(expectedBytes)
    this.#borders = new Uint32Array(2 * Math.max(expectedLines, 1))
  }

  /** Bytes so far, frames included. */
  get byteLength(): number {
    return this.#length
  }

  /** Notes that a line will lie there once it is appended; both are counted from the first byte of all. */
  mark(start: number, end: number): void {
    const at = 2 * this.#count
    if (at === this.#borders.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#borders)
      this.#borders = larger
    }
    this.#borders[at] = start
    this.#borders[at + 1] = end
    this.#count += 1
  }

  /** Appends framed lines of a known size and returns their bytes, which never change. */
  append(text: string, sizeBytes: number): Uint8Array {
    const start = this.#length
    const end = start + sizeBytes
    if (end > this.#buffer.length) this.#grow(end)
    this.#buffer.write(text, start)
    this.#length = end
    return this.#buffer.subarray(start, end)
  }

  /** The lines from a position on, without their frames. */
  lines(from = 0): readonly Uint8Array[] {
    const lines: Uint8Array[] = []
    for (let index = 2 * from; index < 2 * this.#count; index += 2) {
      lines.push(this.#buffer.subarray(this.#borders[index], this.#borders[index + 1]))
    }
    return lines
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
