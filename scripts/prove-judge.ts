/**
 * Mutates the oracles and `spec/` with Stryker, chapter by chapter: `npm run prove:judge -- [chapter …]`.
 * The tests of the chapter have to notice. Prints a table, and the survivors of named chapters; reports in acs-proof/judge/.
 */
import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

interface Chapter {
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

/** The least share of mutants that each chapter has to kill, percent. */
const floor = 85

const folder = 'conformance/judge/oracles'

const oraclesOf = (chapter: string): Chapter => ({
  mutate: [`${folder}/${chapter}/*.ts`],
  tests: [`${folder}/${chapter}/*.test.ts`, `${folder}/root-causes.test.ts`],
})

const chapterNames = 'http auth resources completions streams threads tools pagination assistants files tenancy errors'

const chapters: Readonly<Record<string, Chapter>> = {
  ...Object.fromEntries(chapterNames.split(' ').map((name) => [name, oraclesOf(name)])),
  shared: { mutate: [`${folder}/support/*.ts`], tests: [`${folder}/**/*.test.ts`] },
  spec: { mutate: ['spec/**/*.ts', '!spec/generate/**'], tests: ['spec/**/*.test.ts'] },
}

interface Score {
  readonly killed: number
  readonly survivors: readonly MutantResult[]
  readonly minutes: number
}

/** Mutates one chapter; mutants that only run while a module is loaded are left out, since those are its tables. */
async function scoreOf(name: string, { mutate, tests }: Chapter): Promise<Score> {
  // Stryker's test runner is a process of its own and inherits this.
  process.env.ACS_JUDGE_TESTS = tests.join(' ')
  const started = performance.now()
  const stryker = new Stryker({
    mutate: [...mutate, '!**/*.{test,cases,generated}.ts'],
    htmlReporter: { fileName: `acs-proof/judge/${name}.html` },
    jsonReporter: { fileName: `acs-proof/judge/${name}.json` },
  })
  const mutants = await stryker.runMutationTest()
  return {
    killed: mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length,
    survivors: mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage'),
    minutes: (performance.now() - started) / 60_000,
  }
}

const told = ({ fileName, location: { start }, status, mutatorName, replacement }: MutantResult): string =>
  `  ${relative('', fileName)}:${start.line + 1}:${start.column + 1} ${status} ${mutatorName}: ${replacement?.replaceAll(/\s+/g, ' ').slice(0, 100)}`

const row = (name: string, killed: number, survived: number, minutes: number): string =>
  `| ${name} | ${killed + survived} | ${killed} | ${survived} | ${((100 * killed) / (killed + survived)).toFixed(1)} % | ${minutes.toFixed(1)} |`

const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(chapters, name))
if (unknown.length > 0) throw new Error(`No such chapter: ${unknown.join()}. Chapters: ${Object.keys(chapters).join()}`)

const mutated = new Set(Object.values(chapters).flatMap(({ mutate }) => globSync([...mutate])))
const forgotten = globSync(`${folder}/**/*.ts`).filter(
  (path) => !/\.(test|cases)\.ts$|\/oracles\.ts$/.test(path) && !mutated.has(path),
)
if (forgotten.length > 0) throw new Error(`In no chapter: ${forgotten.join()}`)

const sum = { killed: 0, survived: 0, minutes: 0 }
const tooLow: string[] = []
console.log('| chapter | mutants | killed | survived | score | minutes |\n| --- | --- | --- | --- | --- | --- |')
for (const [name, chapter] of Object.entries(chapters)) {
  if (named.length > 0 && !named.includes(name)) continue
  const { killed, survivors, minutes } = await scoreOf(name, chapter)
  console.log(row(name, killed, survivors.length, minutes))
  if (named.length > 0) for (const survivor of survivors) console.log(told(survivor))
  if (100 * killed < floor * (killed + survivors.length)) tooLow.push(name)
  sum.killed += killed
  sum.survived += survivors.length
  sum.minutes += minutes
}
console.log(row('all', sum.killed, sum.survived, sum.minutes))
if (tooLow.length > 0) console.error(`below ${floor} %: ${tooLow.join()}`)
process.exitCode = tooLow.length === 0 ? 0 : 1
