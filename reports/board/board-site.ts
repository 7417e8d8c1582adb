/**
 * The board as files: certified implementations side by side, a page for each, and one for each requirement and gap.
 * The same certificates give the same bytes on any day, so that a committed site can be compared.
 */
import { renderBadge } from '../badge.ts'
import { matrixOf } from '../compare/matrix-of.ts'
import { matrixForms } from '../compare/matrix-page.ts'
import { gapPage, implementationPage, requirementPage } from './board-pages.ts'
import { type CertifiedRun, implementationsOf } from './certified-run.ts'

/** Path below the folder of the site → content. */
type BoardSite = ReadonlyMap<string, string>

/** The site of these certificates. */
export function boardSite(runs: readonly CertifiedRun[]): BoardSite {
  const implementations = implementationsOf(runs)
  const matrix = matrixOf(
    implementations.map(({ slug, name, runs: [{ report }] }) => ({
      name,
      report,
      href: `implementations/${slug}.html`,
    })),
  )
  const pages: (readonly [string, string])[] = [
    [
      'index.html',
      matrixForms.html(matrix, {
        requirement: (id) => `requirements/${id}.html`,
        gap: (id) => `gaps/${id}.html`,
      }),
    ],
    ...implementations.flatMap((one) => [
      [`implementations/${one.slug}.html`, implementationPage(one)] as const,
      [`badges/${one.slug}.svg`, renderBadge(one.runs[0].report)] as const,
    ]),
    ...matrix.rows.map(
      ({ requirement }) => [`requirements/${requirement}.html`, requirementPage(requirement, implementations)] as const,
    ),
    ...matrix.answers.map(({ gap }) => [`gaps/${gap}.html`, gapPage(gap, implementations)] as const),
  ]
  return new Map(pages)
}
