/** The reason for the mock's answer: the rule behind a refusal, the turn of the script, the faults. */
import { factList, section } from './detail-parts.ts'
import { type Child, element } from './elements.ts'
import type { ExplainedEntry } from './wire.ts'

type Why = ExplainedEntry['why']

/** The part of the view with the reason. */
export function whySection({ why, outcome, mock_fault, scenario_fault, response }: ExplainedEntry): HTMLElement {
  const lines = [
    refusalLines(why),
    scriptLine(why.script),
    why.faults.map(faultLine),
    outcome === 'left' ? element('p', {}, 'The client left before the end.') : null,
    outcome === 'broken-off' ? element('p', {}, 'The connection was broken off before the end.') : null,
    scenario_fault === null ? null : element('p', { class: 'fault' }, scenario_fault),
    mock_fault === null ? null : element('p', { class: 'fault' }, `The mock itself failed: ${mock_fault}`),
  ]
  const plain = why.refusal === null && why.script === null && response !== null
  return section(
    'Why',
    plain ? element('p', {}, 'The request fits the contract, so the mock carried it out.') : null,
    lines,
  )
}

function refusalLines({ refusal, near }: Why): Child {
  if (refusal === null) return null
  return [
    element('p', { class: 'rule' }, refusal.rule),
    factList([
      ['Reason', element('code', {}, refusal.reason)],
      ['Contract', refusal.section],
      ...(near === null ? [] : [['Near', near] as const]),
      ['Fix', refusal.fix],
    ]),
  ]
}

function scriptLine(script: Why['script']): Child {
  if (script === null) return null
  const turn = script.turn === null ? 'no turn of its script fitted' : `turn ${script.turn} of its script`
  const when = script.when === null ? '' : `, which is for ${JSON.stringify(script.when)}`
  return element('p', { class: 'rule' }, `${script.assistant} answered: ${turn}${when}.`)
}

function faultLine({ fault, by, state, why, rule }: Why['faults'][number]): HTMLElement {
  const who =
    by === 'header'
      ? 'by the header x-acs-fault'
      : `by ${by}${rule?.times === undefined ? '' : ` (armed ${rule.times}×)`}`
  const end = state === 'missed' ? `missed: ${why}` : state
  return element('p', { class: 'fault' }, element('code', {}, fault), ` ${who}: ${end}`)
}
