/**
 * Compares what breaks a house rule with the figures of test/house/ratchet.json, which may only get smaller.
 * A rule without figures holds everywhere. A figure that is higher than today's is a problem too: lower it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Grouped, type HouseRule, houseFindings } from './house-findings.ts'
import type { SourceFile } from './source-file.ts'

type Figures = Readonly<Record<string, number>>
/** Rule → group → how many findings are allowed today. */
type Ratchet = Readonly<Record<string, Figures>>

const ratchetPath = (root: string): string => join(root, 'test', 'house', 'ratchet.json')

export const readRatchet = (root: string): Ratchet => JSON.parse(readFileSync(ratchetPath(root), 'utf8')) as Ratchet

const countsOf = (found: Grouped): Figures =>
  Object.fromEntries(Object.entries(found).map(([name, items]) => [name, items.length]))

/** What is wrong with today's findings, given the allowed figures; empty if they are equal. */
export const ratchetProblems = (found: Grouped, allowed: Figures = {}): readonly string[] =>
  [...new Set([...Object.keys(found), ...Object.keys(allowed)])].sort().flatMap((name) => {
    const items = found[name] ?? []
    const limit = allowed[name] ?? 0
    if (items.length > limit)
      return [`${name}: ${items.length}, allowed ${limit}:`, ...items.map((item) => `  ${item}`)]
    return items.length < limit
      ? [`${name}: only ${items.length} of ${limit} left: run \`npm run metrics -- --lower\``]
      : []
  })

const lowered = (found: Figures, allowed: Figures): Figures =>
  Object.fromEntries(
    Object.entries(allowed)
      .map(([name, limit]) => [name, Math.min(limit, found[name] ?? 0)] as const)
      .filter(([, limit]) => limit > 0),
  )

/** The ratchet with each figure at most as high as today's; no figure rises, and those at zero go. */
export const loweredRatchet = (sources: readonly SourceFile[], ratchet: Ratchet): Ratchet =>
  Object.fromEntries(
    (Object.keys(houseFindings) as readonly HouseRule[])
      .map((rule) => [rule, lowered(countsOf(houseFindings[rule](sources)), ratchet[rule] ?? {})] as const)
      .filter(([, figures]) => Object.keys(figures).length > 0),
  )

export const writeRatchet = (root: string, ratchet: Ratchet): void =>
  writeFileSync(ratchetPath(root), `${JSON.stringify(ratchet, null, 2)}\n`)
