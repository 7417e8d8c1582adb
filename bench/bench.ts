/**
 * `npm run bench -- mock|inspector|suite|generators|all [--quick] [--only <chapter>]`: the only place where time is compared.
 * Rounds are interleaved, servers and load run in processes of their own. A whole run writes bench/results/<name>.json
 * and the figures of docs/performance.md; a quick or partial one only prints.
 */
import { parseArgs } from 'node:util'
import type { Findings } from './bar.ts'
import { writeFigures } from './figures-page.ts'
import { mutantsChapter, testSuiteChapter, validBodiesChapter } from './generators.ts'
import { framesChapter } from './inspector/frames.ts'
import { memoryChapter } from './mock/memory.ts'
import { pacedStreamsChapter } from './mock/paced-streams.ts'
import { pageChapter } from './mock/page.ts'
import { postMessageChapter } from './mock/post-message.ts'
import { startChapter } from './mock/start.ts'
import { streamsChapter } from './mock/streams.ts'
import { type Chapter, type Plan, planOf } from './plan.ts'
import { findingsText, resultsOf, writeResults } from './results.ts'
import { gateChapter } from './suite/gate.ts'
import { judgingChapter } from './suite/judging.ts'
import { longJudgingChapter } from './suite/long-judging.ts'
import { slowServiceChapter } from './suite/slow-service.ts'
import { watchChapter } from './suite/watch.ts'

const benchmarks: Readonly<Record<string, readonly Chapter[]>> = {
  mock: [postMessageChapter, pageChapter, streamsChapter, pacedStreamsChapter, startChapter, memoryChapter],
  inspector: [framesChapter],
  suite: [gateChapter, judgingChapter, slowServiceChapter, longJudgingChapter, watchChapter],
  generators: [validBodiesChapter, mutantsChapter, testSuiteChapter],
}

const usage = `usage: npm run bench -- ${Object.keys(benchmarks).join('|')}|all [--quick] [--only <chapter>]`

const measured = async (chapters: readonly Chapter[], plan: Plan): Promise<Findings> => {
  const bars: Findings['bars'][number][] = []
  const facts: Findings['facts'][number][] = []
  for (const chapter of chapters) {
    plan.say(`${chapter.name}, ${plan.rounds} rounds`)
    const found = await chapter.measure(plan)
    console.log(`\n${findingsText(found)}\n`)
    bars.push(...found.bars)
    facts.push(...found.facts)
  }
  return { bars, facts }
}

const chosen = (name: string, only: string | undefined): readonly Chapter[] =>
  (benchmarks[name] ?? []).filter((chapter) => only === undefined || chapter.name === only)

const publish = (name: string, found: Findings, { rounds, say }: Plan): void => {
  const results = resultsOf(found, rounds)
  say(`written to ${writeResults(name, results)} and ${writeFigures(name, results)}`)
}

/** What the arguments ask for, or null when they are no usage of this script. */
const asked = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
    })
  } catch {
    return null
  }
}

const main = async (): Promise<number> => {
  const { values, positionals } = asked() ?? { values: { quick: false }, positionals: [] }
  const names = positionals[0] === 'all' ? Object.keys(benchmarks) : positionals
  if (names.length === 0 || names.some((name) => chosen(name, values.only).length === 0)) {
    console.error(usage)
    return 64
  }
  const plan = planOf(values.quick, (text) => console.error(`… ${text}`))
  let met = true
  for (const name of names) {
    const found = await measured(chosen(name, values.only), plan)
    if (values.only === undefined && !values.quick) publish(name, found, plan)
    met &&= found.bars.every((bar) => bar.met !== false)
  }
  return met ? 0 : 1
}

process.exitCode = await main()
