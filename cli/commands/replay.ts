/** `acs replay FILE`: sends the steps of a witness once more and says whether the rule is broken again. */
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import type { ReplayFile, TargetProfile } from '../../conformance/index.ts'
import type { CommandFactory } from '../app.ts'
import { parseHttpUrl } from '../arguments.ts'
import { usageFailure } from '../failure.ts'
import { parseFile, readReport, readTraceFile } from '../read-file.ts'
import { openTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'

interface ReplayCommandOptions {
  readonly only?: string
  readonly target?: string
}

export const replayCommand: CommandFactory = (terminal, finish) =>
  new Command('replay')
    .description('send the steps of a witness again; exits 1 when the rule is broken again, 0 when it is not')
    .argument('<file>', 'a file of acs-report/replay/, or report.json with --only')
    .argument('[url]', 'base URL of the target', parseHttpUrl)
    .option('--only <requirement>', 'which violation of a report.json')
    .option('-t, --target <file>', 'target profile with the keys')
    .action(async (file: string, url: string | undefined, options: ReplayCommandOptions) => {
      const replayFile = await replayFileFrom(file, options.only)
      const target = await openTarget({ url: url ?? urlOf(replayFile, options), file: options.target }, terminal)
      try {
        finish(await replayOnce(replayFile, target.profile, terminal))
      } finally {
        await target.close()
      }
    })

interface Replayable {
  readonly replayFile: ReplayFile
  /** Where it was recorded, when that is known. */
  readonly url: string | undefined
}

const urlOf = ({ url }: Replayable, { target }: ReplayCommandOptions): string | undefined => {
  if (url === undefined && target === undefined) {
    throw usageFailure('replay: say where to send it, with a URL or --target')
  }
  return target === undefined ? url : undefined
}

const replayFileFrom = async (file: string, only: string | undefined): Promise<Replayable> => {
  const content = parseFile(file, (text) => JSON.parse(text) as Record<string, unknown>)
  if (content.format === 'acs-replay/1') return { replayFile: content as unknown as ReplayFile, url: undefined }
  const report = await readReport(file)
  const verdict = report.verdicts.find(
    ({ requirement, outcome }) => outcome === 'violated' && (only === undefined || requirement === only),
  )
  if (verdict === undefined) {
    throw usageFailure(`replay: ${file} holds no violation${only === undefined ? '' : ` of ${only}`}`)
  }
  const { replayFileOf } = await import('../../conformance/index.ts')
  const trace = await readTraceFile(join(dirname(file), 'trace.ndjson'))
  const replayFile = replayFileOf(verdict, trace)
  if (replayFile === null) throw usageFailure(`replay: ${verdict.requirement} has no steps that could be sent again`)
  return { replayFile, url: trace.header.target }
}

const replayOnce = async ({ replayFile }: Replayable, profile: TargetProfile, terminal: Terminal): Promise<number> => {
  const { judge, replay } = await import('../../conformance/index.ts')
  const { requirement, operation, facet } = replayFile
  const trace = await replay(replayFile, profile, { signal: terminal.interrupted })
  for (const { id, request, response, ending } of trace.exchanges) {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '')
    terminal.out(`${id}  ${request.method} ${path}  ${response === null ? ending : response.status}\n`)
  }
  const verdict = judge(trace, { only: requirement }).verdicts.find(
    (one) => one.requirement === requirement && one.operation === operation && one.facet === facet,
  )
  const broken = verdict?.outcome === 'violated'
  terminal.out(`${broken ? '×' : '✓'} ${requirement}  ${verdict?.outcome ?? 'not judged'}\n`)
  if (broken) terminal.out(`  expected  ${verdict.expected ?? ''}\n  actual    ${verdict.actual ?? ''}\n`)
  if (trace.footer?.complete !== true) {
    terminal.err(`the replay is not complete: ${trace.footer?.reason ?? 'it broke off'}\n`)
    return broken ? 1 : 3
  }
  return broken ? 1 : 0
}
