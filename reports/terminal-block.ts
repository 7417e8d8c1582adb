/** Renders one failure for a terminal: rule, both sides, the requests, and how to see it again. */

import type pc from 'picocolors'
import { countText } from '../spec/index.ts'
import { callText } from './asked-call.ts'
import { nonBlockingText, replayText, seenOnce } from './excuse-text.ts'
import { type CardPlace, type CardStep, type FailureCard, noteOf } from './failure-card.ts'
import { headlineText, operationName } from './headline.ts'
import { visibleLine, visiblePair } from './sanitize-text.ts'

export type Paint = ReturnType<typeof pc.createColors>

/** One broken rule: what was seen, the rule, and the evidence at each place. */
export function failingBlock(card: FailureCard, paint: Paint, isVerbose: boolean): string {
  const [first, ...others] = card.places
  return [
    ...titleOf(card, paint),
    row('rule', card.rule.rule, paint),
    row('section', card.rule.section, paint),
    ...placeRows(first, paint, isVerbose),
    ...(others.length === 0
      ? []
      : [
          row(
            'also at',
            [...new Set(others.map(({ operation, facet }) => withFacet(operationName(operation), facet)))].join(', '),
            paint,
          ),
        ]),
    row('how to fix', card.next, paint),
    row('reproduce', paint.cyan(card.replay), paint),
  ].join('\n')
}

/** A broken rule that probably follows from another one: what was seen, and what to fix instead. */
export function followingBlock(card: FailureCard, cause: string, paint: Paint): string {
  const [first] = card.places
  return [
    ...titleOf(card, paint),
    row('at', card.places.map(placeName).join(', '), paint),
    row('because', visibleLine(first.contradiction ?? `expected ${first.expected}, got ${first.actual}`), paint),
    row('cause', `probably the same as of ${cause}; fix that first`, paint),
    row('reproduce', paint.cyan(card.replay), paint),
  ].join('\n')
}

function titleOf(card: FailureCard, paint: Paint): readonly string[] {
  const color = card.blocking ? paint.red : paint.yellow
  const [first] = card.places
  return [
    color(
      paint.bold(`${card.blocking ? '×' : '!'} ${visibleLine(headlineText(first.headline), 300)}${seenText(card)}`),
    ),
    row('failure', `${card.requirement}  ${card.level}  ${card.basis}  ${standingOf(card)}`, paint),
  ]
}

/** That no place of the failure was seen again. */
const seenText = ({ places }: FailureCard): string =>
  places.every(({ replay }) => replay?.outcome === 'not-reproduced') ? seenOnce : ''

const standingOf = ({ blocking, excuse }: FailureCard): string => (blocking ? 'blocking' : nonBlockingText(excuse))

function placeRows(place: CardPlace, paint: Paint, isVerbose: boolean): readonly string[] {
  const [expected, actual] = visiblePair(place.expected, place.actual)
  const told = [
    row('at', placeName(place), paint),
    row('expected', expected, paint),
    row('actual', actual + (place.pointer === null ? '' : paint.dim(`  at ${visibleLine(place.pointer)}`)), paint),
  ]
  if (typeof place.lineBreak === 'string') told.push(row('break', visibleLine(place.lineBreak), paint))
  if (place.contradiction !== null) told.push(row('because', visibleLine(place.contradiction), paint))
  if (place.call !== null) told.push(row('call', visibleLine(callText(place.call)), paint))
  if (place.replay !== null) told.push(row('replay', replayText(place.replay), paint))
  const shown = place.steps.filter((step) => step.cited || isVerbose)
  const setup = place.steps.filter((step) => !shown.includes(step))
  if (setup.length > 0) told.push(row('setup', setupText(setup), paint))
  for (const step of shown) {
    told.push(row(step.exchange, stepText(step), paint))
    if (isVerbose && step.curl !== null) told.push(`  ${' '.repeat(12)}${paint.dim(step.curl)}`)
  }
  return told
}

function stepText(step: CardStep): string {
  return [step.name, step.line, noteOf(step)]
    .map((text) => visibleLine(text ?? '', 160))
    .filter(Boolean)
    .join('  ')
}

/** What only prepares a violation, by number; its requests are in the other forms of the report. */
function setupText(steps: readonly CardStep[]): string {
  return `${countText(steps.length, 'request')}, ${steps.map(({ exchange }) => visibleLine(exchange)).join(' ')} (-v shows them)`
}

const withFacet = (name: string, facet: string | null): string => (facet === null ? name : `${name} ${facet}`)

/** An operation and what of it was judged. */
export function placeName({ operation, facet }: Pick<CardPlace, 'operation' | 'facet'>): string {
  return withFacet(operation, facet)
}

function row(label: string, text: string, paint: Paint): string {
  return `  ${paint.dim(label.padEnd(11))} ${text}`
}
