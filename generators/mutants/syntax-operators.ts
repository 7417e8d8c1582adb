/**
 * Makes wrong bytes below JSON: broken texts, encodings, content types, lengths, methods, paths, credentials.
 * It works on the encoded request, because a parsed value cannot express these faults.
 */
import { isJsonObject, type Json } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'
import type { GeneratedRequest } from '../requests/generated-request.ts'

interface SyntaxMutant {
  readonly operator: string
  readonly keyword: string
  readonly pointer: string
  readonly grey: boolean
  readonly request: GeneratedRequest
}

const nesting = 100_000

/** Every syntax mutant of an encoded request, whose body (if any) is the text of `body`. */
export function syntaxMutants(request: GeneratedRequest, body: Json | undefined): readonly SyntaxMutant[] {
  const outside = [...credentials(request), ...routes(request)]
  if (typeof request.body !== 'string' || !isJsonObject(body)) return outside
  return [...outside, ...texts(request, request.body, body), ...encodings(request, request.body), ...frames(request)]
}

function texts(request: GeneratedRequest, text: string, body: Json): readonly SyntaxMutant[] {
  const [first] = Object.keys(isJsonObject(body) ? body : {})
  const opened = text.slice(0, -1)
  const comma = opened === '{' ? '' : ','
  const broken = [
    '',
    ...cuts(text),
    `${opened},}`,
    text.replaceAll('"', "'"),
    `${text}${text}`,
    `${text} x`,
    `/* note */${text}`,
    `${opened}${comma}"x":NaN}`,
    `${opened}${comma}"x":Infinity}`,
    `${opened}${comma}"x":01}`,
    `${opened}${comma}"x":+1}`,
    `${opened}${comma}"x":.5}`,
    `${opened}${comma}"x":"a\u0001b"}`,
    `${opened}${comma}"x":"\\x41"}`,
    `${opened}${comma}"x":"\\u12"}`,
    `${opened}${comma}x:1}`,
    `${opened}${comma}"x" 1}`,
    'undefined',
    'not json',
  ]
  // Python's JSON parser accepts NaN; an operation whose body may be `{}` may also accept an empty body.
  const forgiven = (wrong: string) => /:(?:NaN|Infinity)\}$/u.test(wrong) || (wrong === '' && text === '{}')
  const made = [...new Set(broken)].map((wrong) =>
    mutant('N-JSON', 'json', { ...request, body: wrong }, forgiven(wrong)),
  )
  const deep = `${opened}${comma}"x":${'['.repeat(nesting)}${']'.repeat(nesting)}}`
  const doubled =
    first === undefined
      ? []
      : [mutant('N-DUPKEY', 'json', { ...request, body: `{"${first}":0,${text.slice(1)}` }, true)]
  return [...made, ...doubled, mutant('N-DEPTH', 'json', { ...request, body: deep }, true, childPointer('', 'x'))]
}

/** The text cut after one token of each class: brace, key, colon, inside a string, before the last brace. */
function cuts(text: string): readonly string[] {
  const key = text.indexOf('"', 2)
  const colon = text.indexOf(':')
  const places = [1, key, key + 1, colon + 1, Math.floor(text.length / 2), text.length - 1]
  return places.filter((at) => at > 0 && at < text.length).map((at) => text.slice(0, at))
}

function encodings(request: GeneratedRequest, text: string): readonly SyntaxMutant[] {
  const utf8 = new TextEncoder().encode(text)
  const utf16 = Uint8Array.from([...text].flatMap((_, at) => [text.charCodeAt(at) & 0xff, text.charCodeAt(at) >> 8]))
  const at = text.indexOf('"', 1)
  const inside = (...bytes: number[]) => Uint8Array.from([...utf8.slice(0, at + 1), ...bytes, ...utf8.slice(at + 1)])
  const invalid = [
    inside(0xff),
    inside(0xc3, 0x28),
    inside(0xc0, 0xaf),
    inside(0xed, 0xa0, 0x80),
    inside(0xf5, 0x80, 0x80, 0x80),
  ]
  return [
    mutant('N-ENC', 'bom', { ...request, body: `\ufeff${text}` }, true),
    mutant('N-ENC', 'utf-16', { ...request, body: Uint8Array.from([0xff, 0xfe, ...utf16]) }, true),
    ...invalid.map((body) => mutant('N-ENC', 'utf-8', { ...request, body }, at < 0)),
  ]
}

function frames(request: GeneratedRequest): readonly SyntaxMutant[] {
  const others = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  const types = ['text/plain', 'application/xml', 'application/vnd.acs+json', 'application/x-www-form-urlencoded']
  const length = new TextEncoder().encode(String(request.body)).length
  return [
    ...types.map((type) =>
      mutant('N-CT', 'content-type', { ...request, headers: [['content-type', type], ...others] }, true),
    ),
    mutant('N-CT', 'content-type', { ...request, headers: others, raw: true }, true),
    ...[-1, 7].map((step) =>
      mutant(
        'N-LEN',
        'content-length',
        { ...request, headers: [...request.headers, ['content-length', String(length + step)]], raw: true },
        true,
      ),
    ),
  ]
}

function credentials(request: GeneratedRequest): readonly SyntaxMutant[] {
  return (['omitted', 'made-up'] as const).map((credential) =>
    mutant('N-KEY', 'api-key', { ...request, credential }, true, '/api-key'),
  )
}

function routes(request: GeneratedRequest): readonly SyntaxMutant[] {
  const [path = '', query] = request.target.split('?', 2)
  const to = (changed: string) => ({ ...request, target: query === undefined ? changed : `${changed}?${query}` })
  const methods = ['DELETE', 'PATCH', request.method === 'GET' ? 'POST' : 'GET'].filter(
    (method) => method !== request.method,
  )
  return [
    ...methods.map((method) => mutant('N-METHOD', 'method', { ...request, method }, true)),
    mutant('N-SLASH', 'path', to(`${path}/`), true),
    mutant('N-SLASH', 'path', to(path.replace('/v1/', '/v1//')), true),
    mutant('N-PATHCASE', 'path', to(path.replace('/v1/', '/V1/')), true),
    mutant('N-PATHENC', 'path', to(path.replace('/v1/', '/v1%2F')), true),
    mutant('N-PATHENC', 'path', to(path.replace('/v1/', '/v1/../v1/')), true),
  ]
}

function mutant(
  operator: string,
  keyword: string,
  request: GeneratedRequest,
  grey: boolean,
  pointer = '',
): SyntaxMutant {
  return { operator, keyword, pointer, grey, request }
}
