/** A verification for a terminal: the verdict, the problems, the facts shown and not shown. */
import pc from 'picocolors'
import { visibleLine } from '../sanitize-text.ts'
import type { Verification } from './verify-bundle.ts'

type Colors = ReturnType<typeof pc.createColors>

/** The verification as text; ends with a line feed. A tick stands only before a conformant run that meets all demands. */
export function renderVerification(
  verification: Verification,
  { color = false, isByPolicy = false }: { readonly color?: boolean; readonly isByPolicy?: boolean } = {},
): string {
  const paint = pc.createColors(color)
  const { problems, notComparable, unmet, proven, notProven, certificateId } = verification
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [`${paint.bold(title)}\n${lines.map((line) => `  ${visibleLine(line, 1000)}`).join('\n')}`]
  const parts = [
    headOf(verification, paint, isByPolicy) +
      verificationSubject(verification) +
      (certificateId === null ? '' : `\n  certificate ${certificateId}`),
    ...list('wrong', problems),
    ...list('not comparable', notComparable),
    ...list('demanded and not met', unmet),
    ...list('proven', proven),
    ...list('not proven', notProven),
  ]
  return `${parts.join('\n\n')}\n`
}

function headOf(verification: Verification, paint: Colors, isByPolicy: boolean): string {
  const { standing, words } = verificationHeadline(verification)
  const color = { bad: paint.red, warn: paint.yellow, good: paint.green }[standing]
  // A policy accepts nothing but conformant runs.
  return color(paint.bold(isByPolicy && verification.accepted ? '✓ accepted' : words))
}

/** The verdict in a few words; good only for a conformant run that meets all demands. */
export function verificationHeadline({ status, accepted, report }: Verification): {
  readonly standing: 'good' | 'warn' | 'bad'
  readonly words: string
} {
  if (status === 'refused') return { standing: 'bad', words: '× not verified' }
  if (status === 'not-comparable') return { standing: 'warn', words: '? not comparable, so not verified' }
  if (!accepted) return { standing: 'bad', words: '× genuine, but not accepted' }
  return report?.run.outcome === 'conformant'
    ? { standing: 'good', words: '✓ verified' }
    : { standing: 'warn', words: '! genuine' }
}

/** The outcome is the recomputed one; without one, it is omitted. */
export function verificationSubject({ status, claims, report }: Verification): string {
  if (claims === null) return ''
  if (report === null || status !== 'genuine') return `  ${visibleLine(claims.target)}`
  const { target, outcome } = report.run
  return `  ${visibleLine(target)}  ${outcome}  valid until ${visibleLine(claims.expiresAt.slice(0, 10))}`
}
