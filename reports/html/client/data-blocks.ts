/** Reads the page's compressed data blocks; each is read once. */

const blocks = new Map<string, Promise<unknown>>()

/** The value of a block, or `null` when there is none or the browser cannot decompress it. */
export function readBlock<T>(id: string): Promise<T | null> {
  const known = blocks.get(id) ?? decompressed(id)
  blocks.set(id, known)
  return known as Promise<T | null>
}

async function decompressed(id: string): Promise<unknown> {
  const text = document.getElementById(id)?.textContent
  if (text === undefined || text === null) return null
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return JSON.parse(await new Response(stream).text())
}
