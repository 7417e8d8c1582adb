/** A verification for a person in a terminal: the verdict, what is wrong, what is shown and what is not. */
import pc from 'picocolors'
import { visibleLine } from '../sanitize-text.ts'
import type { Verification } from './verify-bundle.ts'

type Colors = ReturnType<typeof pc.createColors>

/** The verification as text; ends with a line feed. A tick stands only before a conformant run that meets all demands. */
export function renderVerification(
  verification: Verification,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint = pc.createColors(color)
  const { problems, notComparable, unmet, proven, notProven, certificateId } = verification
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [`${paint.bold(title)}\n${lines.map((line) => `  ${visibleLine(line, 1000)}`).join('\n')}`]
  const parts = [
    headOf(verification, paint) +
      aboutOf(verification) +
      (certificateId === null ? '' : `\n  certificate ${certificateId}`),
    ...list('wrong', problems),
    ...list('not comparable', notComparable),
    ...list('demanded and not met', unmet),
    ...list('proven', proven),
    ...list('not proven', notProven),
  ]
  return `${parts.join('\n\n')}\n`
}

function headOf({ status, accepted, report }: Verification, paint: Colors): string {
  if (status === 'refused') return paint.red(paint.bold('× not verified'))
  if (status === 'not-comparable') return paint.yellow(paint.bold('? not comparable, so not verified'))
  if (!accepted) return paint.red(paint.bold('× genuine, but not accepted'))
  return report?.run.outcome === 'conformant'
    ? paint.green(paint.bold('✓ verified'))
    : paint.yellow(paint.bold('! genuine'))
}

/** The outcome is the recomputed one; where there is none, nothing is said about it. */
function aboutOf({ status, claims, report }: Verification): string {
  if (claims === null) return ''
  if (report === null || status !== 'genuine') return `  ${visibleLine(claims.target)}`
  const { target, outcome } = report.run
  return `  ${visibleLine(target)}  ${outcome}  until ${visibleLine(claims.expiresAt.slice(0, 10))}`
}
