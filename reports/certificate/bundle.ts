/**
 * Packs a certificate as files: the trace, the report, the set of requirements, and the signed statement. One text holds
 * them all, one line each; a folder with a file each is the same bundle.
 */
import { isUtf8 } from 'node:buffer'

/** Every file of a bundle, in the order of the packed form. */
export const artefactNames = [
  'trace.ndjson',
  'report.json',
  'profile.json',
  'requirements.json',
  'public-key.pem',
  'statement.dsse.json',
] as const
type ArtefactName = (typeof artefactNames)[number]

/** The files that the statement signs: all but itself. */
export const signedArtefacts = artefactNames.filter((name) => name !== 'statement.dsse.json')

/** Name → text of each file. */
export type Bundle = Readonly<Record<ArtefactName, string>>

const head = '{"format":"acs-bundle/1"}\n'

/** The bundle as one text, `<name>.acsbundle`. */
export function packBundle(bundle: Bundle): string {
  return head + artefactNames.map((name) => `${artefactLine(name, bundle[name])}\n`).join('')
}

function artefactLine(name: ArtefactName, text: string): string {
  return JSON.stringify({ name, text })
}

/** A bundle, or the problem with it and its byte offset. */
type Unpacked = { readonly bundle: Bundle } | { readonly fault: string }

/** Unpacks a bundle; only the exact form that packBundle writes is valid. */
export function unpackBundle(bytes: Uint8Array): Unpacked {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.subarray(0, head.length).equals(Buffer.from(head)))
    return { fault: `it is no bundle of this format: it does not begin with ${head.trimEnd()}` }
  const text = buffer.toString('utf8')
  if (!isUtf8(buffer)) return { fault: `byte ${firstDifference(buffer, text)} is not UTF-8` }
  const lines = text.split('\n')
  const bundle: Partial<Record<ArtefactName, string>> = {}
  let isExact = `${lines[0]}\n` === head && lines.length === artefactNames.length + 2 && lines.at(-1) === ''
  for (const [index, name] of artefactNames.entries()) {
    const line = lines[index + 1] ?? ''
    const exact = exactText(line, name)
    const content = exact ?? artefactText(line, name)
    if (content === null && index + 2 >= lines.length)
      return { fault: `it is cut: it ends in or before the file ${name}` }
    if (content === null) return { fault: `line ${index + 2} is not the file ${name}` }
    bundle[name] = content
    isExact &&= exact !== null || line === artefactLine(name, content)
  }
  const complete = bundle as Bundle
  if (isExact) return { bundle: complete }
  return { fault: `byte ${firstDifference(buffer, packBundle(complete))} is not as a bundle is written` }
}

/**
 * The text of a line that can only be as packBundle writes it; `null` where that has to be seen by writing it again, which
 * takes longer than reading. JSON has other spellings by blanks, further members, and escapes that need not be.
 */
function exactText(line: string, name: ArtefactName): string | null {
  const start = `{"name":"${name}","text":`
  const literal = line.slice(start.length, -1)
  const isFramed = line.startsWith(`${start}"`) && line.endsWith('"}')
  if (!isFramed || hasOptionalEscape(literal)) return null
  try {
    return JSON.parse(literal) as string
  } catch {
    return null
  }
}

/** Whether some character is escaped in a way that has another spelling. */
function hasOptionalEscape(literal: string): boolean {
  return ['\\u', '\\/'].some((written) => {
    for (let at = literal.indexOf(written); at !== -1; at = literal.indexOf(written, at + 1))
      if (backslashesBefore(literal, at) % 2 === 0) return true
    return false
  })
}

function backslashesBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && text[start - 1] === '\\') start -= 1
  return at - start
}

function artefactText(line: string, name: ArtefactName): string | null {
  try {
    const value: unknown = JSON.parse(line)
    const fits =
      typeof value === 'object' && value !== null && 'name' in value && 'text' in value && value.name === name
    return fits && typeof value.text === 'string' ? value.text : null
  } catch {
    return null
  }
}

/** The first byte that is not that of the text, where they differ. */
function firstDifference(bytes: Buffer, text: string): number {
  const others = Buffer.from(text, 'utf8')
  const at = others.findIndex((byte, index) => byte !== bytes[index])
  return at === -1 ? others.length : at
}
