/**
 * The failure card as plain lines without colour, for bodies that only hold text: JUnit failures, CTRF traces, SARIF.
 * Lines are made visible one by one, so a target cannot draw a line of its own.
 */
import type { CardPlace, FailureCard } from './failure-card.ts'
import { visibleLine } from './sanitize-text.ts'

/** Places that are told with their evidence; the others by name. */
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
    `next: ${card.next}`,
    `again: ${card.replay}`,
  ].join('\n')
}

/** What replaying the steps once showed. */
export function replayWords(confirmed: boolean): string {
  return confirmed ? 'it showed again' : 'it did not show again'
}

function placeLines(place: CardPlace): readonly string[] {
  const at = place.pointer === null ? '' : ` (at ${visibleLine(place.pointer)})`
  return [
    `at: ${place.obligation}`,
    `  expected: ${visibleLine(place.expected, 2000)}`,
    `  actual: ${visibleLine(place.actual, 2000)}${at}`,
    ...(place.contradiction === null ? [] : [`  because: ${visibleLine(place.contradiction, 2000)}`]),
    ...(place.confirmed === null ? [] : [`  replay: ${replayWords(place.confirmed)}`]),
    ...place.steps.flatMap((step) => [
      `  ${step.exchange}: ${[step.name, step.line ?? '', step.shows]
        .map((text) => visibleLine(text))
        .filter(Boolean)
        .join('; ')}`,
      ...(step.curl === null ? [] : [`    ${step.curl}`]),
    ]),
  ]
}
