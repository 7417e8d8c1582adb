/** The stream mutants, tried on a plain reference decoder of a few lines: UTF-8 without mercy, LF, one object a line. */

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

test('a legal stream reads as its values, however it is cut', () => {
  for (const mutant of [...mutants.filter(({ standing }) => standing === 'legal'), ...twoPieceSplits(values)]) {
    expect({ name: mutant.name, ...decode(mutant) }).toEqual({
      name: mutant.name,
      values: mutant.values,
      broken: false,
    })
  }
})

test('a broken stream is seen as broken', () => {
  const unseen = mutants.filter((mutant) => mutant.standing === 'broken' && !decode(mutant).broken)
  expect(unseen.map(({ name }) => name)).toEqual([])
})

test('every operator of the catalogue is there', () => {
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

test('what the contract is silent about is grey', () => {
  const grey = new Set(mutants.filter(({ standing }) => standing === 'grey').map(({ operator }) => operator))
  for (const operator of ['S-CRLF', 'S-BOM', 'S-BLANK', 'S-NOEOL', 'S-ERRLINE', 'S-HEARTBEAT'])
    expect(grey).toContain(operator)
})
