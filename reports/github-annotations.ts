/**
 * Renders the failures of a run as GitHub workflow commands, which show as annotations of the job.
 * Text of the target is made visible and escaped, so that it cannot start a workflow command.
 */
import { type CardOptions, failureCards } from './failure-card.ts'
import { headlineText } from './headline.ts'
import type { Report } from './report.ts'
import { visibleLine, visiblePair } from './sanitize-text.ts'

/** GitHub shows ten annotations of a kind for each step. */
const shownAnnotations = 10

/** One `::error` line for each failing rule, one `::warning` for each other; empty when nothing is violated. */
export function renderAnnotations(report: Report, options: CardOptions = {}): string {
  return failureCards(report, options)
    .slice(0, shownAnnotations)
    .map((card) => {
      const [place] = card.places
      const [expected, actual] = visiblePair(place.expected, place.actual, 300)
      const text = `${headlineText(place.headline)}. ${card.rule.rule} Expected ${expected}, actual ${actual}. How to fix: ${card.next}`
      return `::${card.blocking ? 'error' : 'warning'} title=${property(card.requirement)}::${message(visibleLine(text, 1000))}\n`
    })
    .join('')
}

const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => message(visibleLine(text, 200)).replaceAll(':', '%3A').replaceAll(',', '%2C')
