/**
 * Finds a key in each form in which a text may hold it. That is plain in any letter case, escaped, percent-encoded, reversed, in
 * hexadecimal and in base64, also twice over or in lines. redaction.ts decides what replaces it.
 */

/** Finds a secret in each of its forms. */
export function secretPattern(secret: string): RegExp {
  const bytes = Buffer.from(secret)
  const characters = [...secret].map(characterPattern)
  // Bodies are read byte by byte, one character for each.
  const inLatin = bytes.toString('latin1')
  const forms = [
    // A soft line break of quoted-printable text may stand anywhere.
    characters.join('(?:=\\r?\\n)?'),
    ...(inLatin === secret ? [] : [literally(inLatin)]),
    ...(secret.length < shortestEncoded ? [] : [[...secret].reverse().map(literally).join(''), ...bytesForms(bytes)]),
    ...base64Forms(bytes),
  ]
  return new RegExp(forms.join('|'), 'gi')
}

/** Shorter ones would be found by chance. */
const shortestEncoded = 8

function characterPattern(character: string): string {
  const bytes = [...Buffer.from(character)]
  const spelled = (byteForm: (byte: number) => string) => bytes.map(byteForm).join('')
  const units = character.split('').map((unit) => `\\\\+u${hex(unit.charCodeAt(0), 4)}`)
  const forms = [
    `\\\\*${literally(character)}`,
    units.join(''),
    spelled((byte) => `%(?:25)*${hex(byte)}`),
    spelled((byte) => `\\\\+x${hex(byte)}`),
    spelled((byte) => `\\\\+${byte.toString(8).padStart(3, '0')}`),
    spelled((byte) => `=${hex(byte)}`),
    spelled((byte) => `&#(?:0*${byte}|x0*${hex(byte)});`),
    ...(character in entities ? [`&(?:amp;)*${entities[character]};`] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ]
  return `(?:${forms.join('|')})`
}

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** As hexadecimal, with or without something between the bytes, and as a list of codes. */
function bytesForms(bytes: Buffer): readonly string[] {
  const pairs = [...bytes].map((byte) => hex(byte))
  return [pairs.join('(?:[^0-9a-z]{1,3}(?:0x)?)?'), [...bytes].join('[,\\s]{1,4}')]
}

function hex(code: number, digits = 2): string {
  return code.toString(16).padStart(digits, '0')
}

/** A line break, as it is or escaped. */
const lineBreak = '(?:(?:\\\\+r)?\\\\+n|\\r?\\n)?'

/** The characters that depend on the secret alone, for each of the three places at which it may start; and base64 of that. */
function base64Forms(bytes: Buffer): readonly string[] {
  const once = base64Cores(bytes)
  const twice = once.flatMap((core) => base64Cores(Buffer.from(core)))
  return [...once, ...twice].map((core) => [...core].map(eitherAlphabet).join(lineBreak))
}

function base64Cores(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const first = before === 0 ? 0 : before + 1
    const core = whole.toString('base64').slice(first, Math.floor((whole.length * 8) / 6))
    return core.length < shortestEncoded ? [] : [core]
  })
}

function eitherAlphabet(letter: string): string {
  if (letter === '+') return '[-+]'
  return letter === '/' ? '[/_]' : letter
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
