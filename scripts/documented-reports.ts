/**
 * What the documents show of reports: the failing run of the README, and the pages that are pictured.
 * A script writes both into the documents, and a test compares them, so that they cannot age.
 */
import { createHash } from 'node:crypto'
import { type DefaultTreeAdapterTypes, parse, serializeOuter } from 'parse5'
import { matrixForms, matrixOf, renderHtml, renderText } from '../reports/index.ts'
import { replayedReport } from '../test/reports/gate-reports.ts'

/** A page of which a document shows one element. */
export interface Picture {
  readonly file: string
  readonly html: string
  /** The class of the element; the first one is pictured. */
  readonly element: string
  readonly theme: 'light'
  readonly width: number
  /** Pixels that are shown of a longer element. */
  readonly height?: number
  /** What stands after the page's address. */
  readonly hash?: string
}

interface DocumentedReports {
  /** The block of the README, from `$ acs test` on. */
  readonly readmeRun: string
  readonly pictures: readonly Picture[]
}

/** Runs the suite against faulty mocks and renders what the documents show. */
export async function documentedReports(): Promise<DocumentedReports> {
  const failing = await replayedReport('threads.content-trimmed')
  const page = { html: renderHtml(failing), width: 1100 }
  const matrix = matrixOf([
    { name: 'ours', report: await replayedReport() },
    { name: 'staging', report: failing },
    { name: 'theirs', report: await replayedReport('pagination.cursor-skips-one', 'errors.detail-object') },
  ])
  const matrixPage = { html: matrixForms.html(matrix), width: 1100 }
  // The time is that of one run, since it differs everywhere.
  const ordinary = { ...failing, run: { ...failing.run, durationMs: 5400 } }
  const text = renderText(ordinary, { columns: 120 }).trimEnd()
  return {
    readmeRun: ['$ acs test http://127.0.0.1:4010', ...shortened(text)].join('\n'),
    pictures: [
      { ...page, file: 'report.png', element: 'head', theme: 'light' },
      { ...page, file: 'failure-card.png', element: 'card', theme: 'light' },
      { ...matrixPage, file: 'matrix.png', element: 'compared', theme: 'light', height: 700, hash: '#differs' },
    ],
  }
}

/** The parts that matter to a first reader; what is left out is a line of its own. */
function shortened(text: string): readonly string[] {
  const parts = text.split('\n\n')
  const isShown = (part: string): boolean => /^(?:fix first\n|[×!] )/.test(part)
  const shown = parts.filter(isShown)
  // Below it, a text that is longer than a screen says what to fix first once more.
  const last = parts.findLast((part) => part.startsWith('levels ')) ?? ''
  return [...shown, '…', last].join('\n\n').split('\n')
}

/** A text without ids and figures, which change with every request that a run sends more. */
export function withoutFigures(text: string): string {
  return text.replace(/\b[0-9a-f-]{8,}\b|\d+/g, '9')
}

/** What a picture shows, without ids and figures. */
export function pictureDigest({ html, element, theme, width }: Picture): string {
  const document = parse(html)
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
  const found = everyElement(document).find((one) =>
    one.attrs.some(({ name, value }) => name === 'class' && value.split(' ').includes(element)),
  )
  if (found === undefined) throw new Error(`the page has no element of class ${element}`)
  const shown = withoutFigures(serializeOuter(found))
  return createHash('sha256')
    .update(JSON.stringify([style, shown, theme, width]))
    .digest('hex')
    .slice(0, 16)
}

function everyElement(node: DefaultTreeAdapterTypes.Node): readonly DefaultTreeAdapterTypes.Element[] {
  const own = 'attrs' in node ? [node] : []
  const children = 'childNodes' in node ? node.childNodes : []
  return [...own, ...children.flatMap(everyElement)]
}
