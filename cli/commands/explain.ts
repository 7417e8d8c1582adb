/** `acs explain <id>`: one rule, gap, operation, error code, fault or reason of the mock, with its section. */
import { Command } from 'commander'
import type { Gap, Obligation, Requirement } from '../../spec/index.ts'
import type { CommandFactory } from '../command-factory.ts'
import { explainFault, faultIds } from '../explain-fault.ts'
import { usageFailure } from '../failure.ts'
import { referenceProfile } from '../reference-profile.ts'

export const explainCommand: CommandFactory = (terminal) =>
  new Command('explain')
    .description('explain a requirement, a gap, an operation, an error code, a fault, or an x-acs-reason of the mock')
    .argument('<id>', 'for example threads.run-needs-user-message')
    .action(async (id: string) => {
      terminal.out(await explanationOf(id))
    })

const explanationOf = async (id: string): Promise<string> => {
  const spec = await import('../../spec/index.ts')
  const requirement = spec.requirementOf(id)
  if (requirement !== undefined) {
    const owed = spec.obligations.filter((one) => one.requirement === id)
    return requirementText(requirement, owed) + (await tryingText(requirement))
  }
  const gap = spec.gapOf(id)
  if (gap !== undefined) return gapText(gap)
  const operation = spec.operationIds.find((known) => known === id)
  if (operation !== undefined) return operationText(operation, spec)
  const { reasons } = await import('../../mock-server/index.ts')
  const reason = (reasons as Readonly<Record<string, { rule: string; section: string; fix: string }>>)[id]
  if (reason !== undefined) {
    return `${id}  (a rejection by the mock)\n\n  ${reason.rule}\n\n  contract  ${reason.section}\n  fix       ${reason.fix}\n`
  }
  const fault = await explainFault(id)
  if (fault !== null) return fault
  const known = [...spec.requirements, ...spec.gaps].map((row) => row.id)
  const near = spec.nearestName(id, [...known, ...spec.operationIds, ...Object.keys(reasons), ...(await faultIds())])
  throw usageFailure(
    `${id === '' ? 'the id is empty' : `unknown id ${id}`}; ${near === null ? 'see acs list requirements, gaps or operations' : `did you mean ${near}?`}`,
  )
}

const requirementText = (row: Requirement, owed: readonly Obligation[]): string => {
  const where = [...new Set(owed.map(({ operation }) => operation))].map((operation) => {
    const facets = owed.filter((one) => one.operation === operation && one.facet !== null).map(({ facet }) => facet)
    return `    ${operation}${facets.length === 0 ? '' : `  (${facets.join(', ')})`}\n`
  })
  const judged =
    row.excluded !== undefined
      ? `  not testable  ${row.excluded}\n`
      : `  judged by     the oracle ${row.id}${row.owed === 'when-seen' ? ', when evidence turns up; never required' : ''}\n  applies to\n${where.join('')}`
  const needs = row.needs === undefined ? '' : `  needs         the claimed level ${row.needs.join(', ')}\n`
  const fix = row.fix === undefined ? '' : `  how to meet   ${row.fix}\n`
  return `${row.id}  ${row.level}  ${row.basis}\n\n  ${row.rule}\n\n  contract      ${row.section}\n${needs}${judged}${fix}`
}

/** More probes than this are counted. */
const mostProbes = 6

/** Which probes ask for the rule, and which settings of a profile they need. */
const probesText = async (id: string, probes: readonly { readonly id: string }[]): Promise<string> => {
  if (probes.length === 0) return ''
  const { minimalProfile, planRun } = await import('../../conformance/index.ts')
  const { conformanceLevels } = await import('../../spec/index.ts')
  const bare = { ...minimalProfile('http://localhost', { primary: { key: '' } }), claims: conformanceLevels }
  const { leftOut } = planRun(bare, { tier: 'gate', only: id })
  const settings = [...new Set(leftOut.flatMap((probe) => probe.settings ?? []))].sort()
  const names = probes.slice(0, mostProbes).map((probe) => probe.id)
  const rest = probes.length - names.length
  return (
    `  asked by      ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}\n` +
    (settings.length === 0
      ? ''
      : `  settings      ${settings.join(', ')}: without them it is asked less, or not at all\n`)
  )
}

/** What a run of the rule alone costs, and which deviations of the mock break the rule. */
const tryingText = async ({ id, excluded }: Requirement): Promise<string> => {
  if (excluded !== undefined) return ''
  const { planRun } = await import('../../conformance/index.ts')
  const { countText } = await import('../../spec/index.ts')
  const { loadDeviations } = await import('../../mock-server/index.ts')
  const { exchanges, modelCalls, probes } = planRun(referenceProfile('http://localhost'), { tier: 'gate', only: id })
  const broken = (await loadDeviations()).deviations.filter(({ requirement }) => requirement === id)
  const faults = broken.map((one) => `    ${one.id}  ${one.description}\n`)
  const trial = `  try it alone  acs test --only ${id}  (at most ${countText(exchanges, 'exchange')}, ${countText(modelCalls, 'model call')})\n`
  const asked = await probesText(id, probes)
  return `${asked}${trial}${faults.length === 0 ? '' : `  see it fail   against acs mock --deviate <id>\n${faults.join('')}`}`
}

const gapText = (row: Gap): string =>
  [
    `${row.id}  (a gap: ${row.mark})`,
    '',
    `  ${row.question}`,
    '',
    `  contract     ${row.section}`,
    `  answers      ${row.answers.join(' | ')}`,
    `  consistency  ${row.consistency ?? 'nothing is required'}`,
    `  the mock     ${row.mockAnswer}`,
    '  No answer fails a target, unless its profile declares another one that the target keeps only sometimes.',
    '',
  ].join('\n')

const operationText = (
  id: import('../../spec/index.ts').OperationId,
  { operations, obligations }: typeof import('../../spec/index.ts'),
): string => {
  const row = operations[id]
  const owed = [
    ...new Set(obligations.filter(({ operation }) => operation === id).map(({ requirement }) => requirement)),
  ]
  return [
    `${id}  ${row.method} ${row.path ?? '(the file_url of the grant)'}`,
    '',
    `  contract      ${row.section}`,
    `  claimed by    ${row.levels.length === 0 ? 'nobody: reference profile only' : row.levels.join(' + ')}`,
    `  model call    ${row.callsModel ? 'yes' : 'no'}`,
    `  requirements  ${owed.length}`,
    ...owed.map((requirement) => `    ${requirement}`),
    '',
  ].join('\n')
}
