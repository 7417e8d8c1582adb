/** Tests the stream mutants with a small strict decoder: UTF-8, LF, one object per line. */

import { expect, test } from 'vitest'
import { isJsonObject, type Json } from '../../spec/index.ts'
import { twoPieceSplits } from './framing-mutants.ts'
import type { StreamMutant } from './stream-mutant.ts'
import { streamMutants } from './stream-mutants.ts'

const chunk = (content: string): Json => ({
  message_id: 'm',
  thread_id: 't',
  delta: { role: 'assistant', content, sources: [] },
})
const values = [chunk('Leases é\u{1f600}'), chunk('end "with" \\ notice.')]

/** The values before the first fault, and whether there was one. */
function decode({ pieces, ending }: StreamMutant): { values: Json[]; broken: boolean } {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const read: Json[] = []
  try {
    let text = ''
    for (const { bytes } of pieces) text += decoder.decode(bytes, { stream: true })
    text += decoder.decode()
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) read.push(object(JSON.parse(line) as Json))
    return { values: read, broken: rest !== '' || ending !== 'complete' }
  } catch {
    return { values: read, broken: true }
  }
}

function object(value: Json): Json {
  if (!isJsonObject(value)) throw new TypeError('not an object')
  return value
}

const mutants = streamMutants(values)

test('a legal stream gives its values, however it is cut', () => {
  for (const mutant of [...mutants.filter(({ legality }) => legality === 'legal'), ...twoPieceSplits(values)]) {
    expect({ name: mutant.name, ...decode(mutant) }).toEqual({
      name: mutant.name,
      values: mutant.values,
      broken: false,
    })
  }
})

test('a broken stream is detected', () => {
  const unseen = mutants.filter((mutant) => mutant.legality === 'broken' && !decode(mutant).broken)
  expect(unseen.map(({ name }) => name)).toEqual([])
})

test('every operator of the catalogue is present', () => {
  expect([...new Set(mutants.map(({ operator }) => operator))].sort()).toMatchInlineSnapshot(`
    [
      "S-ARR",
      "S-BLANK",
      "S-BLANKS",
      "S-BOM",
      "S-COAL",
      "S-CR",
      "S-CRLF",
      "S-DUPKEY",
      "S-EMPTYDELTA",
      "S-ERRLINE",
      "S-ESCAPE",
      "S-GLUED",
      "S-GZIP",
      "S-HEARTBEAT",
      "S-LSEP",
      "S-MIXED",
      "S-NOEOL",
      "S-NONOBJ",
      "S-PRETTY",
      "S-RS",
      "S-RST",
      "S-SPLIT",
      "S-SSE",
      "S-STALL",
      "S-TRUNC",
      "S-UNKBLOCK",
      "S-UTF16",
      "S-UTF8",
      "S-ZERO",
    ]
  `)
})

test('a mutant on which the contract is silent is grey', () => {
  const grey = new Set(mutants.filter(({ legality }) => legality === 'grey').map(({ operator }) => operator))
  for (const operator of ['S-CRLF', 'S-BOM', 'S-BLANK', 'S-NOEOL', 'S-ERRLINE', 'S-HEARTBEAT'])
    expect(grey).toContain(operator)
})
