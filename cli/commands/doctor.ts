/** `acs doctor`: says before a run what it would lack, from keys and clock to what is left out. */
import { Command } from 'commander'
import type { Plan, TargetProfile } from '../../conformance/index.ts'
import { parseHttpUrl } from '../arguments.ts'
import { keysFirst } from '../keys-first.ts'
import { openTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { type TransportOptions, withTransportOptions } from '../transport-options.ts'

interface DoctorOptions extends TransportOptions {
  readonly target?: string
  readonly modelCalls?: true
}

interface Line {
  readonly about: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly text: string
}

export const doctorCommand = (terminal: Terminal, finish: (exitCode: number) => void): Command =>
  withTransportOptions(
    new Command('doctor')
      .description(
        'check a profile before a run: keys, clock, assistants, threads, tools, files, and what a run would skip',
      )
      .argument('[url]', 'base URL of the target', parseHttpUrl)
      .option('-t, --target <file>', 'target profile (acs.target.yaml; acs init writes one)')
      .option('--model-calls', 'ask each assistant one question (a paid model call each)')
      .addHelpText(
        'after',
        `
If the profile creates threads, this creates one and leaves it there; it writes nothing else.
Exit codes: 0 a run can judge what you claim, 3 it cannot (the line with × says why), 64 and above wrong usage.`,
      )
      .action(async (url: string | undefined, options: DoctorOptions) => {
        const target = await openTarget({ url, file: options.target, transport: options }, terminal)
        try {
          terminal.err(`Checking ${target.label}\n`)
          await keysFirst(target.profile, terminal)
          finish(await diagnose(target.profile, options, terminal))
        } finally {
          await target.close()
        }
      }),
  )

const diagnose = async (profile: TargetProfile, { modelCalls }: DoctorOptions, { out }: Terminal): Promise<number> => {
  const { examineTarget, planRun } = await import('../../conformance/index.ts')
  const { visibleLine } = await import('../../reports/index.ts')
  const facts = await examineTarget(profile, { modelCalls: modelCalls === true })
  const isReached = facts.some(({ about }) => about === 'clock')
  const unasked: readonly Line[] =
    modelCalls === true || !isReached
      ? []
      : [{ about: 'assistants', state: 'good', text: 'not asked; --model-calls asks each of them once' }]
  const lines = [
    ...(isReached ? keyLines(profile) : []),
    ...facts,
    ...unasked,
    ...toolLines(profile),
    ...fileLines(profile),
  ]
  for (const { state, about, text } of lines) out(`${marks[state]} ${about.padEnd(10)}  ${visibleLine(text)}\n`)
  out(leftOutText(planRun(profile)))
  return lines.some(({ state }) => state === 'bad') ? 3 : 0
}

const marks = { good: '✓', warning: '!', bad: '×' } as const

/** The keys were asked before; a key that is no use has ended the command. */
const keyLines = ({ tenants }: TargetProfile): readonly Line[] => {
  const names = Object.keys(tenants)
  const text = names.length === 1 ? 'works' : 'work, and differ'
  return [{ about: 'keys', state: 'good', text: `${names.join(', ')}: ${text}` }]
}

const toolLines = ({ tools }: TargetProfile): readonly Line[] => {
  if (tools === null) return []
  const text = `call ids at ${tools.callIds}, results refer to them in ${tools.resultField}`
  return [{ about: 'tools', state: 'good', text }]
}

/** What the contract names and does not show is judged only where the profile maps it. */
const fileLines = ({ claims, files = {} }: TargetProfile): readonly Line[] => {
  if (!claims.includes('files')) return []
  const { status, attachment } = files
  const told = status === undefined ? 'status not mapped' : `status at ${status.path}, ${status.pointer}`
  const carried =
    attachment === undefined
      ? 'attachment not mapped'
      : `messages carry them in ${Object.keys(Object(attachment)).join(', ')}`
  const isWhole = status !== undefined && attachment !== undefined
  const open = isWhole ? '' : '; what the profile does not map under files is not judged'
  return [{ about: 'files', state: 'good', text: `${told}; ${carried}${open}` }]
}

/** What a gate run would leave open, by reason, since one missing fixture keeps many obligations open. */
const leftOutText = ({ owed, unexercised, exchanges, modelCalls }: Plan): string => {
  const byReason = new Map<string, number>()
  for (const { reason, text } of unexercised)
    byReason.set(`${reason}: ${text}`, (byReason.get(`${reason}: ${text}`) ?? 0) + 1)
  const bill = `a gate run plans ${exchanges} requests and ${modelCalls} model calls`
  const head = `\n${bill}, and skips ${unexercised.length} of ${owed} required obligations\n`
  return head + [...byReason].map(([why, count]) => `  ${String(count).padStart(4)}  ${why}\n`).join('')
}
