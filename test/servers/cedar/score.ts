/**
 * Runs the suite on every fault, or on every legal choice, of cedar and prints what it holds against each.
 * `node test/servers/cedar/score.ts faults.json|faults-reserve.json|legal.json [out.json] [name …]`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { against, judgeCedar } from './judge-cedar.ts'
import type { CedarOptions } from './start-cedar.ts'

interface Entry {
  readonly name: string
  readonly level?: string
}

interface Score extends Entry {
  readonly killed: boolean
  readonly requirements: readonly string[]
  readonly outcome: string
}

const atOnce = 3
const [table = 'faults.json', out, ...names] = process.argv.slice(2)
const optionsOf = (name: string): CedarOptions => (table === 'legal.json' ? { legal: [name] } : { fault: name })

async function scoreOf(entry: Entry): Promise<Score> {
  const { name, level } = entry
  try {
    const judgement = await judgeCedar(optionsOf(name))
    const requirements = [...new Set(against(judgement))]
    return { name, ...(level && { level }), killed: requirements.length > 0, requirements, outcome: judgement.outcome }
  } catch (reason) {
    return {
      name,
      ...(level && { level }),
      killed: false,
      requirements: [],
      outcome: `no judgement: ${String(reason)}`,
    }
  }
}

const tell = (...words: readonly string[]): boolean => process.stdout.write(`${words.join(' ')}\n`)

const all: readonly Entry[] = JSON.parse(readFileSync(join(import.meta.dirname, table), 'utf8'))
const wanted = all.filter(({ name }) => names.length === 0 || names.includes(name))
const scores = new Map<string, Score>()
const waiting = wanted.values()

async function work(): Promise<void> {
  for (const entry of waiting) {
    const score = await scoreOf(entry)
    scores.set(entry.name, score)
    tell(
      score.killed ? 'killed  ' : 'silent  ',
      score.level ?? '',
      score.name,
      score.outcome,
      score.requirements.join(' '),
    )
  }
}

await Promise.all(Array.from({ length: atOnce }, work))
const ordered = wanted.flatMap(({ name }) => scores.get(name) ?? [])
tell(`${ordered.filter(({ killed }) => killed).length} of ${ordered.length} held against cedar`)
if (out !== undefined) writeFileSync(out, `${JSON.stringify(ordered, undefined, 2)}\n`)
