/**
 * Finds a key in its plain, percent-encoded, JSON-escaped and base64 forms.
 * redaction.ts decides what replaces it.
 */

/** Finds a secret in each of its forms. */
export function secretPattern(secret: string): RegExp {
  const bytes = Buffer.from(secret)
  const spelled = [...secret].map(characterPattern).join('')
  // Bodies are read byte by byte, one character for each.
  const inLatin = bytes.toString('latin1')
  const forms = [spelled, ...(inLatin === secret ? [] : [literally(inLatin)]), ...base64Forms(bytes)]
  return new RegExp(forms.join('|'), 'g')
}

function characterPattern(character: string): string {
  const percent = [...Buffer.from(character)]
    .map((byte) => `%${eitherCase(byte.toString(16).padStart(2, '0'))}`)
    .join('')
  const escaped = character
    .split('')
    .map((unit) => `\\\\u${eitherCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`)
    .join('')
  return `(?:${literally(character)}|${percent}|${escaped})`
}

function eitherCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/** Shorter ones would be found by chance. */
const shortestBase64 = 8

/** The characters that depend on the secret alone, for each of the three places at which it may start. */
function base64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const first = before === 0 ? 0 : before + 1
    const last = Math.floor((whole.length * 8) / 6)
    const core = whole.toString('base64').slice(first, last)
    if (core.length < shortestBase64) return []
    return [core.replace(/[+/]/g, (letter) => (letter === '+' ? '[-+]' : '[/_]'))]
  })
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
