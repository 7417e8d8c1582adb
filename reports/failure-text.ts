/**
 * Renders a failure card as plain lines without colour, for formats that hold only text: JUnit, CTRF, SARIF.
 * Control characters are spelled out line by line, so a target cannot add a line of its own.
 */

import { callText } from './asked-call.ts'
import { replayText } from './excuse-text.ts'
import { type CardPlace, type FailureCard, noteOf } from './failure-card.ts'
import { visibleLine, visiblePair } from './sanitize-text.ts'

/** The number of places shown with their evidence; the others are only named. */
const toldPlaces = 3

/** The card as lines of plain text. */
export function cardText(card: FailureCard): string {
  const told = card.places.slice(0, toldPlaces).flatMap(placeLines)
  const others = card.places.slice(toldPlaces).map((place) => place.obligation)
  return [
    `${card.requirement}  ${card.level}  ${card.basis}`,
    `rule: ${card.rule.rule}`,
    `section: ${card.rule.section}`,
    ...told,
    ...(others.length === 0 ? [] : [`also at: ${others.join(', ')}`]),
    `how to fix: ${card.next}`,
    `reproduce: ${card.replay}`,
  ].join('\n')
}

function placeLines(place: CardPlace): readonly string[] {
  const at = place.pointer === null ? '' : ` (at ${visibleLine(place.pointer)})`
  const [expected, actual] = visiblePair(place.expected, place.actual, 2000)
  return [
    `at: ${place.obligation}`,
    `  expected: ${expected}`,
    `  actual: ${actual}${at}`,
    ...(typeof place.lineBreak !== 'string' ? [] : [`  break: ${visibleLine(place.lineBreak)}`]),
    ...(place.contradiction === null ? [] : [`  because: ${visibleLine(place.contradiction, 2000)}`]),
    ...(place.call === null ? [] : [`  call: ${visibleLine(callText(place.call))}`]),
    ...(place.replay === null ? [] : [`  replay: ${replayText(place.replay)}`]),
    ...place.steps.flatMap((step) => [
      `  ${step.exchange}: ${[step.name, step.line ?? '', noteOf(step)]
        .map((text) => visibleLine(text))
        .filter(Boolean)
        .join('; ')}`,
      ...(step.curl === null ? [] : [`    ${step.curl}`]),
    ]),
  ]
}
