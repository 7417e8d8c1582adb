/**
 * Runs the suite on the faults, or the legal choices, of a server and prints what it holds against each.
 * `node test/servers/score.ts cedar|juniper faults.json|faults-reserve.json|legal.json [out.json] [name …]`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { against, judgeCedar } from './cedar/judge-cedar.ts'
import { judgeJuniper } from './juniper/judge-juniper.ts'

interface Entry {
  readonly name: string
  readonly level?: string
  /** Why the contract does not forbid it after all; it does not count. */
  readonly gap?: string
}

interface Score extends Entry {
  readonly killed: boolean
  readonly requirements: readonly string[]
  readonly outcome: string
}

const atOnce = 3
const judges = { cedar: judgeCedar, juniper: judgeJuniper }
const [server = '', table = 'faults.json', out, ...names] = process.argv.slice(2)
const judgeServer = Object.entries(judges).find(([name]) => name === server)?.[1]
if (judgeServer === undefined) throw new Error(`the server is one of ${Object.keys(judges).join(', ')}`)
const optionsOf = (name: string) => (table === 'legal.json' ? { legal: [name] } : { fault: name })

async function scoreOf({ name, level, gap }: Entry, judgeOne: typeof judgeCedar): Promise<Score> {
  const entry = { name, ...(level && { level }), ...(gap && { gap }) }
  try {
    const judgement = await judgeOne(optionsOf(name))
    const requirements = [...new Set(against(judgement))]
    return { ...entry, killed: requirements.length > 0, requirements, outcome: judgement.outcome }
  } catch (reason) {
    return { ...entry, killed: false, requirements: [], outcome: `no judgement: ${String(reason)}` }
  }
}

const tell = (...words: readonly string[]): boolean => process.stdout.write(`${words.join(' ')}\n`)

const all: readonly Entry[] = JSON.parse(readFileSync(join(import.meta.dirname, server, table), 'utf8'))
const wanted = all.filter(({ name }) => names.length === 0 || names.includes(name))
const scores = new Map<string, Score>()
const waiting = wanted.values()

async function work(judgeOne: typeof judgeCedar): Promise<void> {
  for (const entry of waiting) {
    const score = await scoreOf(entry, judgeOne)
    scores.set(entry.name, score)
    const { killed, level = '', name, outcome, requirements, gap } = score
    tell(
      killed ? 'killed  ' : gap === undefined ? 'silent  ' : 'open    ',
      level,
      name,
      outcome,
      requirements.join(' '),
    )
  }
}

await Promise.all(Array.from({ length: atOnce }, () => work(judgeServer)))
const ordered = wanted.flatMap(({ name }) => scores.get(name) ?? [])
const counted = ordered.filter(({ gap }) => gap === undefined)
tell(`${counted.filter(({ killed }) => killed).length} of ${counted.length} held against ${server}`)
if (out !== undefined) writeFileSync(out, `${JSON.stringify(ordered, undefined, 2)}\n`)
