/** What the suite says: unique, neutral, and where it has to hurt, hurtful. */
import { expect, test } from 'vitest'
import {
  aboutTopics,
  acknowledgement,
  corruptibleTexts,
  hugeText,
  instruction,
  questionAskedTwice,
  questionBelowLine,
  questionBelowRow,
  shortQuestion,
  shortTextAbout,
  textOfBytes,
  toolResult,
  uniqueQuestion,
  uniqueStatement,
} from './sample-texts.ts'
import { seededRandom } from './seeded-random.ts'

test('no two questions or remarks are the same', () => {
  const random = seededRandom(1, 'wording')
  const said = Array.from({ length: 100 }, () => [uniqueQuestion(random), uniqueStatement(random)]).flat()
  expect(new Set(said).size).toBe(200)
})

test('a narrow assistant is asked with the words of the profile', () => {
  expect(uniqueQuestion(seededRandom(1, 'wording'), 'Is a verbal contract binding?')).toMatch(
    /^Is a verbal contract binding\? .*\d{3}/,
  )
})

test.each([100, 4097, 65_536])('a text of %i bytes has exactly so many', (bytes) => {
  expect(Buffer.byteLength(textOfBytes(bytes, seededRandom(1, 'long')))).toBe(bytes)
})

test('fragile texts reach beyond the BMP, over 4,096 bytes, to separators and blanks at both ends', () => {
  const texts = Object.values(corruptibleTexts(seededRandom(1, 'fragile')))
  expect(texts.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))).toBe(true)
  expect(texts.some((text) => text.includes('\u2028'))).toBe(true)
  expect(texts.some((text) => Buffer.byteLength(text) > 4096)).toBe(true)
  expect(texts.some((text) => text !== text.trimStart() && text !== text.trimEnd())).toBe(true)
  expect(texts.some((text) => text.normalize('NFC') !== text && text.normalize('NFD') !== text)).toBe(true)
})

test('a huge text is damaged by whoever cuts it every 65,536 bytes, wherever its body begins', () => {
  const bytes = Buffer.from(hugeText(seededRandom(1, 'huge')))
  for (const begins of [0, 1, 2, 300]) {
    const parts = [0, 1, 2].map((at) =>
      bytes.toString('utf8', Math.max(0, at * 65_536 - begins), (at + 1) * 65_536 - begins),
    )
    expect(parts.join('')).toContain('\ufffd')
  }
})

test('streamed questions have equal pieces of any length within their first 80 characters, and many short words', () => {
  const asked = [questionBelowRow, questionBelowLine].map((ask) => ask(seededRandom(1, 'rows')))
  expect(asked.some((text) => /(.)\1{32}/.test(text.slice(0, 80)))).toBe(true)
  for (const text of asked) expect(text.slice(0, 600).split(/\s+/).length).toBeGreaterThan(55)
})

test('streamed questions begin with what ends a line elsewhere, and with a field so wide that pieces of 22 characters are blank', () => {
  for (const ask of [questionBelowRow, questionBelowLine]) {
    const quoted = ask(seededRandom(1, 'fields')).slice(0, 60)
    for (const end of ['\u2028', '\u2029', '\u0085', '\u000b', '\u000c']) expect(quoted).toContain(end)
    expect(quoted).toMatch(/ {43}$/)
  }
})

test('of eight pieces of an answer that quotes a streamed question, two neighbours are equal', () => {
  const answer = `On "${questionBelowLine(seededRandom(1, 'pieces'))}": ${'and so on '.repeat(9)}`
  const size = Math.ceil(answer.length / 8)
  const pieces = Array.from({ length: 8 }, (_, at) => answer.slice(at * size, (at + 1) * size))
  expect(pieces.some((piece, at) => piece === pieces[at - 1])).toBe(true)
})

test('short questions are quoted whole within 80 characters, and over the seeds they have every length modulo eleven', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seededRandom(seed, 'short'))
  const lengthOf = (text: string) => Array.from(text).length
  const asked = seeds.map((random) => shortQuestion(random))
  const named = seeds.map((random) => shortTextAbout('call_0123456789abcdef01234567', random))
  for (const texts of [asked, named]) {
    expect(new Set(texts.map((text) => lengthOf(text) % 11)).size).toBe(11)
    expect(Math.max(...texts.map(lengthOf))).toBeLessThan(80)
  }
  for (const [at, text] of asked.entries()) expect((lengthOf(text) - lengthOf(named[at] ?? '')) % 11).not.toBe(0)
})

test('streamed questions hold three of every white space in a row, and pairs of surrogates at both parities', () => {
  const random = seededRandom(1, 'blanks')
  for (const text of [shortQuestion(random), questionBelowLine(random).slice(0, 450)]) {
    for (const blank of [' ', '\t', '\n', '\u00a0', '\u3000']) expect(text).toContain(blank.repeat(3))
    for (const odd of [0, 1])
      expect([...text.matchAll(/[\ud800-\udbff]/g)].some(({ index }) => index % 2 === odd)).toBe(true)
  }
})

test('a sentence names the topics of a record, and there is none without topics', () => {
  expect(aboutTopics(['counsel', 'legal advice'])).toBe('It has to do with counsel, legal advice. ')
  expect(aboutTopics()).toBe('')
})

test('a question that is asked twice begins in other scripts, but a narrow assistant is asked in its own words', () => {
  const random = seededRandom(1, 'twice')
  expect(questionAskedTwice(random)).toMatch(/^[^\x20-\x7e]+\n"/)
  expect(questionAskedTwice(random, 'Is it binding?')).toMatch(/^Is it binding\? /)
  expect(questionBelowRow(random, 'Is it binding?')).toMatch(/^Is it binding\? /)
})

test('nothing that is said tells of the suite', () => {
  const random = seededRandom(3, 'wording')
  const said = [
    uniqueQuestion(random),
    uniqueStatement(random),
    textOfBytes(500, random),
    ...Object.values(corruptibleTexts(random)),
  ].join('\n')
  expect(said).not.toMatch(/acs|conformance|probe|test suite/i)
})

const allTexts = (seed: number): readonly string[] => {
  const random = seededRandom(seed, 'wording')
  const makers = [uniqueQuestion, uniqueStatement, instruction, acknowledgement, toolResult]
  return [...makers.map((make) => make(random)), textOfBytes(500, random), ...Object.values(corruptibleTexts(random))]
}

test('no text of one run is a text of a run with another seed, and the same seed gives the same texts', () => {
  const runs = [1, 2, 3].map((seed) => new Set(allTexts(seed)))
  expect(new Set(runs.flatMap((texts) => [...texts])).size).toBe(runs.reduce((sum, { size }) => sum + size, 0))
  expect(allTexts(7)).toEqual(allTexts(7))
})

test('a text reads like an ordinary one: no UUID and no mark in parentheses', () => {
  const said = allTexts(5).filter((text) => !text.includes(' | '))
  for (const text of said) expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|\(ref/)
})
