/**
 * Writes a whole counterexample as one shell script for copying. Ids from a response are read from the new response, so
 * that the script can be repeated; it needs curl and node.
 */
import { curlOf, keyVariable } from './curl.ts'
import { bodyOnly, type ChainLink, curlChain } from './curl-chain.ts'
import type { CardPlace } from './failure-card.ts'
import type { ReportedExchange } from './report.ts'
import { visibleLine, visiblePair } from './sanitize-text.ts'

/** The script, or `null` when the report does not hold every request of it. */
export function counterexampleScript(
  place: CardPlace,
  exchanges: ReadonlyMap<string, ReportedExchange>,
): string | null {
  const steps = place.steps.flatMap(({ exchange }) => exchanges.get(exchange) ?? [])
  if (steps.length === 0 || steps.length < place.steps.length || steps.some(isNoCommand)) return null
  const chain = curlChain(steps)
  const keys = new Set(steps.flatMap(({ credential }) => (credential === null ? [] : [keyVariable(credential)])))
  const [expected, actual] = visiblePair(place.expected, place.actual)
  return [
    '#!/bin/sh',
    `# ${visibleLine(place.obligation)}`,
    `# expected: ${expected}`,
    `# actual: ${actual}`,
    ...[...keys].map((name) => `: "\${${name}:?}"`),
    ...steps.flatMap((step) => stepLines(step, chain.get(step.id), place)),
    '',
  ].join('\n')
}

const isNoCommand = (exchange: ReportedExchange): boolean => curlOf(exchange).startsWith('#')

function stepLines(step: ReportedExchange, link: ChainLink | undefined, place: CardPlace): readonly string[] {
  const { name = '' } = place.steps.find(({ exchange }) => exchange === step.id) ?? {}
  const { command, variables } = link ?? { command: curlOf(step), variables: [] }
  const title = `# ${step.id} ${visibleLine(name, 80)} (was ${step.response?.status ?? step.ending})`
  const wait = step.intent?.operation === 'getFileStatus' ? ['# The file is processed meanwhile.', 'sleep 2'] : []
  if (variables.length === 0) return ['', title, ...wait, command.replace('curl -i', 'curl -sS -i'), 'echo']
  return [
    '',
    title,
    `${step.id}=$(${bodyOnly(command)})`,
    `printf '%s\\n' "$${step.id}"`,
    ...variables.map(({ read }) => read),
  ]
}
