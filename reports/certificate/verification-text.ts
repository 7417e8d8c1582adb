/** A verification for a person in a terminal: the verdict, what is wrong, what is shown and what is not. */
import pc from 'picocolors'
import { visibleLine } from '../sanitize-text.ts'
import type { Verification } from './verify-bundle.ts'

/** The verification as text; ends with a line feed. */
export function renderVerification(
  verification: Verification,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint = pc.createColors(color)
  const { valid, claims, problems, proven, notProven } = verification
  const head = valid ? paint.green(paint.bold('✓ verified')) : paint.red(paint.bold('× not verified'))
  const about =
    claims === null
      ? ''
      : `  ${visibleLine(claims.target)}  ${visibleLine(claims.outcome)}  until ${visibleLine(claims.expiresAt.slice(0, 10))}`
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [`${paint.bold(title)}\n${lines.map((line) => `  ${visibleLine(line, 1000)}`).join('\n')}`]
  const parts = [head + about, ...list('wrong', problems), ...list('proven', proven), ...list('not proven', notProven)]
  return `${parts.join('\n\n')}\n`
}
