/**
 * Lists the failures in the order in which to fix them. Probable consequences are listed under their cause; the first
 * three causes are open, every other failure is one row.
 */
import { countText } from '../../spec/index.ts'
import { type CauseText, mostCauses } from '../diagnosis/cause-text.ts'
import { nonBlockingText, replayText, showedNothing } from '../excuse-text.ts'
import { type CardPlace, type CardStep, type FailureCard, noteOf } from '../failure-card.ts'
import { operationName } from '../headline.ts'
import { type Exchanges, evidence, headlineMarkup, proseText, sides } from './evidence.ts'
import { html, type Markup } from './markup.ts'

/** All cards by cause, or `null` when nothing is broken. */
export function failureSection(
  cards: readonly FailureCard[],
  causes: readonly CauseText[],
  exchanges: Exchanges,
): Markup | null {
  if (cards.length === 0) return null
  const failures = failuresOn(cards)
  const cardOf = new Map(cards.map((card) => [card.requirement, card]))
  const explained = new Set(causes.flatMap(({ requirement, follows }) => [requirement, ...follows]))
  const others = cards.filter((card) => card.outcome === 'suite-fault' || !explained.has(card.requirement))
  const groups = causes.map(({ requirement, follows }, index) => {
    const card = cardOf.get(requirement)
    const following = follows.flatMap((id) => cardOf.get(id) ?? [])
    return [
      card === undefined ? null : cardDetails(card, exchanges, { isOpen: index < mostCauses }),
      following.length === 0 ? null : html`<p class="hint following">Probably the same cause:</p>`,
      following.map((one) => cardDetails(one, exchanges, { isFollowing: true, isShort: cards.length > fewCards })),
    ]
  })
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures <small data-shown="cards">${failures}</small></h2>
<p class="hint">${meaningOf(cards, failures)}</p>
<div class="cards">${groups}${others.map((card) => cardDetails(card, exchanges, {}))}</div>
<p class="empty-note" data-empty="cards" hidden>No failure fits the filter.</p></section>`
}

/** Failures of the cards, which have one for each place. */
export const failuresOn = (cards: readonly FailureCard[]): number =>
  cards.reduce((sum, card) => sum + failuresOf(card), 0)

/** A fault of the suite is not a failure of the target. */
const failuresOf = ({ outcome, places }: FailureCard): number => (outcome === 'violated' ? places.length : 0)

/** A card is a rule, and may have several failures. */
function meaningOf(cards: readonly FailureCard[], failures: number): string {
  return failures === cards.length
    ? `A failure is a rule that is broken at one operation; here each has a card of its own.`
    : `A failure is a rule that is broken at one operation; ${countText(cards.length, 'card shows', 'cards show')} them by rule.`
}

interface CardState {
  readonly isOpen?: boolean
  /** Whether this failure probably follows from the one above. */
  readonly isFollowing?: boolean
  /** Whether its responses are only in the exchanges. */
  readonly isShort?: boolean
}

/** With more cards than this, those that follow from a cause show no responses, so that the page stays light. */
const fewCards = 12

function cardDetails(
  card: FailureCard,
  exchanges: Exchanges,
  { isOpen = false, isFollowing = false, isShort = false }: CardState,
): Markup {
  const [first, ...others] = card.places
  const id = cardId(card)
  return html`<details class="card ${card.blocking ? 'blocking' : 'mild'}${isFollowing ? ' following' : ''}" id="${id}"${isOpen ? html` open` : null} data-count="${failuresOf(card)}" data-level="${card.level}" data-outcome="${card.outcome}">
<summary><h3>${headlineMarkup(first.headline)}</h3><p class="tags"><code>${card.requirement}</code> <span class="${card.blocking ? 'strong' : 'mild'}">${standingWords(card)}</span> ${replayTag(first)}${others.length === 0 ? null : html` <span>${card.places.length} failures</span>`}</p></summary>
<div class="card-body"><p class="fix"><b>How to fix</b> ${card.next}</p>
${placeBlock(first, isShort ? null : exchanges)}
${others.length === 0 ? null : html`<details class="more"><summary>${countText(others.length, 'other place')}: ${others.map(placeName).join(', ')}</summary>${others.map(otherPlace)}</details>`}
<p class="section">Rule: ${card.rule.rule} ${card.level}, ${card.basis}. Contract: ${card.rule.section}. <a href="#${card.requirement}">All verdicts on it</a>; <code>acs explain ${card.requirement}</code></p>
<div class="again"><b>Reproduce</b> ${commandBlock(card.replay)}</div></div></details>`
}

function cardId({ outcome, requirement }: FailureCard): string {
  return `${outcome === 'violated' ? 'failure' : 'fault'}-${requirement}`
}

function standingWords({ outcome, blocking, excuse }: FailureCard): string {
  if (outcome === 'suite-fault') return 'fault of the suite'
  return blocking ? 'blocking' : nonBlockingText(excuse)
}

function replayTag({ replay }: CardPlace): Markup {
  if (replay === null) return html`<span>replay not tried</span>`
  if (replay.outcome === 'not-tried')
    return html`<span title="${replayText(replay)}">replay ${showedNothing(replay) ? 'inconclusive' : 'not tried'}</span>`
  return replay.outcome === 'reproduced'
    ? html`<span class="tag">reproduced 1 of 1</span>`
    : html`<span class="tag warn" title="${replayText(replay)}">${replay.flaky ? 'flaky, ' : ''}not reproduced</span>`
}

/** The evidence of a place; without exchanges it has no responses. */
function placeBlock(place: CardPlace, exchanges: Exchanges | null): Markup {
  const setup = place.steps.filter(({ cited }) => !cited)
  return html`<div class="place"><p class="where">${place.contradiction === null ? html`at <code>${placeName(place)}</code>` : proseText(place.contradiction)}</p>
${exchanges === null ? sides(place) : evidence(place, exchanges)}
<ol class="steps">${place.steps.filter(({ cited }) => cited).map(stepItem)}</ol>${scriptButton(place)}
${setup.length === 0 ? null : html`<details class="more"><summary>${countText(setup.length, 'setup request')}</summary><ol class="steps">${setup.map(setupItem)}</ol></details>`}
</div>`
}

/** A further place of one rule: both sides and the exchanges, which open beside the page. */
function otherPlace(place: CardPlace): Markup {
  const cited = place.steps.filter((step) => step.cited)
  return html`<div class="place"><p class="where">at <code>${placeName(place)}</code></p>
${sides(place)}
<ol class="steps">${cited.map(stepItem)}</ol>${scriptButton(place)}</div>`
}

function scriptButton({ obligation, steps }: CardPlace): Markup {
  return html`<button type="button" class="small" data-copy="script ${obligation}" hidden>Copy ${steps.length === 1 ? 'the request' : `all ${steps.length} requests`} as a shell script</button>`
}

function placeName({ operation, facet }: CardPlace): string {
  return `${operationName(operation)}${facet === null ? '' : ` · ${facet}`}`
}

function stepItem(step: CardStep): Markup {
  return html`<li><a href="#${step.exchange}">${step.exchange}</a> ${step.name === '' ? null : html`<b>${step.name}</b> `}${step.line === null ? null : html`<code>${step.line}</code>`} ${noteOf(step)}</li>`
}

/** A request that only prepares is found by its exchange, not in the logs of the target. */
function setupItem(step: CardStep): Markup {
  return stepItem({ ...step, line: step.line?.replace(/, trace [0-9a-f]{32}$/, '') ?? null })
}

/** Links to exchanges of the list, separated by commas. */
export function exchangeLinks(ids: readonly string[], limit = 6): Markup {
  const links = ids.slice(0, limit).map((id, index) => html`${index === 0 ? '' : ', '}<a href="#${id}">${id}</a>`)
  return html`${links}${ids.length > limit ? ` and ${ids.length - limit} more` : ''}`
}

/** A command whose words break at no hyphen: a browser would cut `acs-report` in two. */
export function wholeWords(command: string): Markup {
  return html`${command.split(/(\s+)/).map((word) => (/^\S+-\S*$/.test(word) && word.length <= longestWord ? html`<span>${word}</span>` : word))}`
}

/** A longer word may have to break on a phone. */
const longestWord = 44

/** A command that can be copied. */
export function commandBlock(text: string): Markup {
  return html`<div class="command"><pre tabindex="0">${wholeWords(text)}</pre><button type="button" data-copy hidden>Copy</button></div>`
}
