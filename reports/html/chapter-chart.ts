/** Verdicts by chapter as stacked bars: where the trouble is, at a glance; each chapter leads to its rules. */
import type { Report } from '../report.ts'
import { type ChapterStanding, chapterStandings, outcomeOrder } from '../severity.ts'
import { html, type Markup } from './markup.ts'

/** In the order of a bar, from what is well to what is not. */
const stackOrder = [
  'upheld',
  'observed',
  'violated',
  'suite-fault',
  'inconclusive',
  'unexercised',
  'inapplicable',
] as const

/** The chart, its legend and the numbers as text. */
export function chapterChart(report: Report): Markup {
  const chapters = chapterStandings(report)
  const longest = Math.max(1, ...chapters.map(({ verdicts }) => verdicts.length))
  const used = outcomeOrder.filter((outcome) => chapters.some(({ counts }) => counts[outcome] > 0))
  return html`<section id="chapters" aria-labelledby="chapters-title"><h2 id="chapters-title">Verdicts by chapter</h2>
<ul class="legend">${used.map((outcome) => html`<li><i class="swatch ${outcome}"></i>${outcome}</li>`)}</ul>
<ul class="chapters">${chapters.map((chapter) => chapterRow(chapter, longest))}</ul></section>`
}

function chapterRow({ chapter, verdicts, counts, standing }: ChapterStanding, longest: number): Markup {
  const told = outcomeOrder.filter((outcome) => counts[outcome] > 0).map((outcome) => `${counts[outcome]} ${outcome}`)
  let x = 0
  const bars = stackOrder.map((outcome) => {
    const width = (counts[outcome] / longest) * 100
    const bar =
      width === 0
        ? null
        : html`<rect class="${outcome}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="14"/>`
    x += width
    return bar
  })
  return html`<li class="${standing}"><a href="#chapter-${chapter}">${chapter}</a>
<svg role="img" aria-label="${chapter}: ${told.join(', ')}" height="14" width="100%">${bars}</svg>
<span class="figures">${counts.violated > 0 ? html`<b>${counts.violated} violated</b> ` : null}${counts.upheld}<small>/${verdicts.length}</small></span></li>`
}
