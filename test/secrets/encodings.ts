/** The forms in which a service may give a key away: what is planted, and what is searched for afterwards. */

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const eachByte = (text: string, spelled: (byte: number) => string): string =>
  [...Buffer.from(text)].map(spelled).join('')
const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0')
const inLines = (text: string, length: number, lineEnd: string): string =>
  text.replace(new RegExp(`.{${length}}`, 'g'), (line) => line + lineEnd)
const swapped = (text: string): string =>
  Array.from(text, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('')
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const times = (count: number, encode: (text: string) => string, text: string): string =>
  Array.from({ length: count }).reduce<string>((encoded) => encode(encoded), text)

type Encode = (secret: string) => string

/** Forty ways to write a secret. */
export const encodings: Readonly<Record<string, Encode>> = {
  raw: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'swapped case': swapped,
  reversed: (text) => Array.from(text).reverse().join(''),
  json,
  'json with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'json twice': (text) => times(2, json, text),
  'json three times': (text) => times(3, json, text),
  'unicode escapes': (text) => eachByte(text, (byte) => `\\u00${hexByte(byte)}`),
  'unicode escapes in json': (text) => eachByte(text, (byte) => `\\\\u00${hexByte(byte)}`),
  'hex escapes': (text) => eachByte(text, (byte) => `\\x${hexByte(byte)}`),
  'octal escapes': (text) => eachByte(text, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  percent: encodeURIComponent,
  'percent throughout': (text) => eachByte(text, (byte) => `%${hexByte(byte).toUpperCase()}`),
  'percent throughout, lower case': (text) => eachByte(text, (byte) => `%${hexByte(byte)}`),
  'percent twice': (text) => times(2, encodeURIComponent, text),
  'percent three times': (text) => times(3, encodeURIComponent, text),
  form: (text) => new URLSearchParams({ key: text }).toString().slice(4),
  'percent in json': (text) => json(encodeURIComponent(text)),
  'html entities': html,
  'html decimal': (text) => eachByte(text, (byte) => `&#${byte};`),
  'html decimal, padded': (text) => eachByte(text, (byte) => `&#0${byte};`),
  'html hex': (text) => eachByte(text, (byte) => `&#x${hexByte(byte)};`),
  'html in json': (text) => json(html(text)),
  base64: (text) => base64(text),
  'base64 after one byte': (text) => base64(`:${text}`),
  'base64 after two bytes': (text) => base64(`u:${text};`),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines of 64': (text) => inLines(base64(`${'x'.repeat(39)}${text}`), 64, '\r\n'),
  'base64 in lines of 76, in json': (text) => json(inLines(base64(`${'x'.repeat(50)}${text}`), 76, '\n')),
  'base64 twice': (text) => base64(base64(text)),
  'base64 twice, after some bytes': (text) => base64(`k=${base64(`:${text}`)}`),
  hex,
  'upper-case hex': (text) => hex(text).toUpperCase(),
  'hex with colons': (text) => hex(text).replace(/..(?=.)/g, '$&:'),
  'hex with blanks': (text) => hex(text).replace(/..(?=.)/g, '$& '),
  'hex with 0x and commas': (text) => hex(text).replace(/../g, '0x$&, '),
  'quoted-printable': (text) => eachByte(text, (byte) => `=${hexByte(byte).toUpperCase()}`),
  'quoted-printable in lines': (text) => text.replaceAll('=', '=3D').replace(/(?:=3D|[^=]){7}/g, '$&=\r\n'),
  'list of codes': (text) => [...Buffer.from(text)].join(','),
}

/** Key in text cut into so many fragments of a stream, in NDJSON as the contract has it. */
export const splitOverDeltas = (text: string, lengths: number): string =>
  (text.match(new RegExp(`[\\s\\S]{1,${lengths}}`, 'g')) ?? [])
    .map((fragment) => `${JSON.stringify({ message_id: 'm', delta: { role: 'assistant', content: fragment } })}\n`)
    .join('')
