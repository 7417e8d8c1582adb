/** `acs doctor`: says before a run what it would lack, from keys and clock to what is left out. */
import { Command } from 'commander'
import type { Plan, TargetProfile } from '../../conformance/index.ts'
import { parseHttpUrl } from '../arguments.ts'
import { keysFirst } from '../keys-first.ts'
import { shellArgument } from '../shell-argument.ts'
import { openTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { type TransportOptions, withTransportOptions } from '../transport-options.ts'

interface DoctorOptions extends TransportOptions {
  readonly target?: string
  readonly modelCalls?: true
}

interface Line {
  readonly about: string
  /** `open`: not examined, or not judged by a run. */
  readonly state: 'good' | 'open' | 'warning' | 'bad'
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
A line with - was not checked, because only a run could.
Exit codes: 0 a run can judge what you claim, 3 it cannot (the line with × says why), 64 and above wrong usage.
acs test exits with 78 before it asks the target if the profile is wrong in itself.`,
      )
      .action(async (url: string | undefined, options: DoctorOptions) => {
        const target = await openTarget({ url, file: options.target, transport: options }, terminal)
        try {
          terminal.err(`Checking ${target.label}\n`)
          await keysFirst(target.profile, terminal)
          const lines = await diagnose(target.profile, options, terminal)
          const isReady = lines.every(({ state }) => state !== 'bad')
          terminal.out(`\n${isReady ? readyText(lines, runCommand(url, options)) : notReady}\n`)
          finish(isReady ? 0 : 3)
        } finally {
          await target.close()
        }
      }),
  )

/** The run that was examined, on the target that the command line named. */
const runCommand = (url: string | undefined, { target }: DoctorOptions): string =>
  [
    'acs test',
    ...(url === undefined ? [] : [shellArgument(url)]),
    ...(target === undefined ? [] : ['--target', shellArgument(target)]),
  ].join(' ')

const notReady = 'not ready: the lines with × say what to fix'

const readyText = (lines: readonly Line[], command: string): string => {
  const warnings = lines.filter(({ state }) => state === 'warning').length
  const told = warnings === 0 ? '' : `, with ${warnings} warning${warnings === 1 ? '' : 's'}`
  return `ready${told}: ${command}`
}

/** Prints what it finds, and returns it. */
const diagnose = async (
  profile: TargetProfile,
  { modelCalls }: DoctorOptions,
  { out }: Terminal,
): Promise<readonly Line[]> => {
  const { examineTarget, planRun } = await import('../../conformance/index.ts')
  const { visibleLine } = await import('../../reports/index.ts')
  const facts = await examineTarget(profile, { modelCalls: modelCalls === true })
  const isReached = facts.some(({ about }) => about === 'clock')
  const unasked: readonly Line[] =
    modelCalls === true
      ? []
      : [{ about: 'assistants', state: 'open', text: 'not asked; --model-calls asks each of them once' }]
  const lines = isReached
    ? [...keyLines(profile), ...facts, ...unasked, ...toolLines(profile), ...fileLines(profile)]
    : facts
  for (const { state, about, text } of lines) out(`${marks[state]} ${about.padEnd(10)}  ${visibleLine(text)}\n`)
  if (isReached) out(leftOutText(planRun(profile)))
  return lines
}

const marks = { good: '✓', open: '-', warning: '!', bad: '×' } as const

/** The keys were asked before; a key that is no use has ended the command. */
const keyLines = ({ tenants }: TargetProfile): readonly Line[] => {
  const names = Object.keys(tenants)
  const text = names.length === 1 ? 'works' : 'work, and differ'
  return [{ about: 'keys', state: 'good', text: `${names.join(', ')}: ${text}` }]
}

/** Only a paid run or an upload would show whether it is right, so a tick would say too much. */
const unchecked = (about: string, text: string): Line => ({ about, state: 'open', text: `not checked: ${text}` })

const toolLines = ({ tools }: TargetProfile): readonly Line[] => {
  if (tools === null) return []
  return [unchecked('tools', `call ids at ${tools.callIds}, results refer to them in ${tools.resultField}`)]
}

/** What the contract names and does not show is judged only where the profile maps it. */
const fileLines = ({ claims, files = {} }: TargetProfile): readonly Line[] => {
  if (!claims.includes('files')) return []
  const { status, attachment } = files
  const statusLine: Line =
    status === undefined
      ? { about: 'files', state: 'open', text: 'the profile maps no files.status, so the status is not judged' }
      : unchecked('files', `status at ${status.path}, ${status.pointer}`)
  const fields = Object.keys(Object(attachment)).join(', ')
  const attachmentLine: Line =
    attachment === undefined
      ? {
          about: 'files',
          state: 'open',
          text: 'the profile maps no files.attachment, so attached files are not judged',
        }
      : unchecked('files', `messages carry them in ${fields}`)
  return [statusLine, attachmentLine]
}

/** What a gate run would leave open, by reason, since one missing fixture keeps many obligations open. */
const leftOutText = ({ owed, unexercised, exchanges, modelCalls }: Plan): string => {
  const skipped = unexercised.filter(({ isRequired }) => isRequired)
  const byReason = new Map<string, number>()
  for (const { text } of skipped) byReason.set(text, (byReason.get(text) ?? 0) + 1)
  const bill = `a gate run plans ${exchanges} requests and ${modelCalls} model calls`
  const head = `\n${bill}, and skips ${skipped.length} of ${owed} required obligations\n`
  return head + [...byReason].map(([why, count]) => `  ${String(count).padStart(4)}  ${why}\n`).join('')
}
