/**
 * `npm run bench -- mock|suite|generators|all [--quick] [--only <chapter>]`: the only place where time is compared.
 * Rounds are interleaved, servers and load run in processes of their own, and all figures go to bench/results/.
 */
import { parseArgs } from 'node:util'
import type { Findings } from './bar.ts'
import { mutantsChapter, testSuiteChapter, validBodiesChapter } from './generators.ts'
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

const benchmarks: Readonly<Record<string, readonly Chapter[]>> = {
  mock: [postMessageChapter, pageChapter, streamsChapter, pacedStreamsChapter, startChapter, memoryChapter],
  suite: [gateChapter, judgingChapter],
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

const bench = async (name: string, plan: Plan, only: string | undefined): Promise<boolean> => {
  const chapters = (benchmarks[name] ?? []).filter((chapter) => only === undefined || chapter.name === only)
  const found = await measured(chapters, plan)
  // Part of a benchmark must not pass for the whole.
  if (only === undefined) plan.say(`written to ${writeResults(name, resultsOf(found, plan.rounds))}`)
  return found.bars.every(({ met }) => met)
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  })
  const names = positionals[0] === 'all' ? Object.keys(benchmarks) : positionals
  if (names.length === 0 || names.some((name) => !(name in benchmarks))) {
    console.error(usage)
    return 64
  }
  const plan = planOf(values.quick, (text) => console.error(`… ${text}`))
  let met = true
  for (const name of names) met = (await bench(name, plan, values.only)) && met
  return met ? 0 : 1
}

process.exitCode = await main()
