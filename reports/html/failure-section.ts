/** Failure cards: the rule in our words, both sides, the story of exchanges, the commands, and what to do next. */
import { causesToFixFirst } from '../diagnosis/cause-text.ts'
import { nonBlockingText, replayText } from '../excuse-text.ts'
import type { CardPlace, CardStep, FailureCard } from '../failure-card.ts'
import type { Report } from '../report.ts'
import { html, type Markup } from './markup.ts'

/** Places whose evidence is laid out at once; the others open on demand. */
const openPlaces = 1

/** All cards and the findings that bind them, or `null` when nothing is broken. */
export function failureSection(report: Report, cards: readonly FailureCard[]): Markup | null {
  if (cards.length === 0) return null
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures <small>${cards.length}</small></h2>
${fixFirst(report)}
<div class="cards">${cards.map(cardArticle)}</div>
<p class="empty-note" data-empty="cards" hidden>No failure fits the filter.</p></section>`
}

/** What to fix first: the smallest set of known faults that explains the failures. */
function fixFirst(report: Report): Markup | null {
  const causes = causesToFixFirst(report)
  if (causes.length === 0) return null
  const items = causes.map(
    ({ requirement, explains, where, fix, pattern, follows }) =>
      html`<li><a href="#failure-${requirement}"><code>${requirement}</code></a> ${explains}, at ${where}.
<p>${fix}</p><p class="hint">${pattern}${follows.length === 0 ? null : html`; follows from it: ${follows.join(', ')}`}</p></li>`,
  )
  return html`<div class="findings"><h3>Fix first</h3><ol>${items}</ol></div>`
}

/** Links to exchanges of the list, separated by commas. */
export function exchangeLinks(ids: readonly string[], limit = 6): Markup {
  const links = ids.slice(0, limit).map((id, index) => html`${index === 0 ? '' : ', '}<a href="#${id}">${id}</a>`)
  return html`${links}${ids.length > limit ? ` and ${ids.length - limit} more` : ''}`
}

function cardArticle(card: FailureCard): Markup {
  const [first, ...others] = card.places
  const words =
    card.outcome === 'suite-fault' ? 'fault of the suite' : card.blocking ? 'blocking' : nonBlockingText(card.excuse)
  return html`<article class="card ${card.blocking ? 'blocking' : 'mild'}" id="${cardId(card)}" aria-labelledby="title-${cardId(card)}" data-search="${card.requirement} ${card.rule.rule}" data-level="${card.level}" data-outcome="${card.outcome}">
<header><h3 id="title-${cardId(card)}"><a href="#${card.requirement}"><code>${card.requirement}</code></a></h3>
<p class="tags"><span>${card.level}</span><span>${card.basis}</span>${html`<span class="${card.blocking ? 'strong' : 'mild'}">${words}</span>`}</p></header>
<p class="rule">${card.rule.rule}</p><p class="section">Contract: ${card.rule.section}</p>
${placeBlock(first)}
${others.slice(0, openPlaces - 1).map(placeBlock)}
${others.length === 0 ? null : html`<details class="more"><summary>Also at ${others.length} other ${others.length === 1 ? 'place' : 'places'}: ${others.map(placeName).join(', ')}</summary>${others.map(placeBlock)}</details>`}
<dl class="next"><div><dt>How to fix</dt><dd>${card.next}</dd></div><div><dt>Reproduce</dt><dd>${commandBlock(card.replay)}</dd></div></dl></article>`
}

function cardId({ outcome, requirement }: FailureCard): string {
  return `${outcome === 'violated' ? 'failure' : 'fault'}-${requirement}`
}

function placeBlock(place: CardPlace): Markup {
  return html`<div class="place"><p class="where"><code>${placeName(place)}</code>${place.replay === null ? null : html` <span class="${place.replay.outcome === 'reproduced' ? 'confirmed' : 'tag warn'}">${replayText(place.replay)}</span>`}</p>
<div class="sides"><div><h4>Expected</h4><p>${place.expected}</p></div><div class="actual"><h4>Actual${place.pointer === null ? null : html` <code>${place.pointer}</code>`}</h4><p>${place.actual}</p></div></div>
${place.contradiction === null ? null : html`<p class="because">${place.contradiction}</p>`}
<ol class="steps">${place.steps.map(stepItem)}</ol></div>`
}

function placeName({ operation, facet }: CardPlace): string {
  return facet === null ? operation : `${operation} · ${facet}`
}

function stepItem(step: CardStep): Markup {
  return html`<li><p><a href="#${step.exchange}">${step.exchange}</a> ${step.name === '' ? null : html`<b>${step.name}</b> `}${step.line === null ? null : html`<code>${step.line}</code>`}</p>
${step.shows === '' ? null : html`<p class="shows">${step.shows}</p>`}${step.curl === null ? null : commandBlock(step.curl)}</li>`
}

/** A command that can be copied. */
export function commandBlock(text: string): Markup {
  return html`<div class="command"><pre tabindex="0">${text}</pre><button type="button" data-copy hidden>Copy</button></div>`
}
