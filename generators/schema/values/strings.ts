/**
 * Draws strings that satisfy length, patterns and formats together.
 * Simple patterns are built at exact lengths, formats from variants, everything else by `stringMatching` with a bounded guard.
 */
import fc from 'fast-check'
import { anyCharacter } from '../../arbitraries/code-points.ts'
import { formatVariants } from '../../arbitraries/formats.ts'
import { fittingShare, guarded } from '../../arbitraries/guarded.ts'
import { type Run, runsOf } from '../../arbitraries/pattern-plan.ts'
import { commonRun, freeText, textOfRuns } from '../../arbitraries/text.ts'
import { codePointLength } from '../../json/json-value.ts'
import { createAjv } from '../ajv.ts'
import { fitsScalarRules } from '../contradiction.ts'
import type { Draft } from '../draft.ts'

/** The keyword for which no string can be made. */
interface UnknownText {
  readonly keyword: 'pattern' | 'format' | 'minLength'
}

/** A share of fitting values below this is not worth guarding. */
const worthGuarding = 0.05

/** Strings that satisfy a draft, `null` if there is none, or the keyword that construction does not support. */
export function stringsOf(draft: Draft): fc.Arbitrary<string> | null | UnknownText {
  const formats = draft.formats.filter((format) => formatVariants(format)?.length !== 0)
  if (formats.some((format) => formatVariants(format) === null)) return { keyword: 'format' }
  const fits = fitsText(draft, formats)
  const [format] = formats
  if (format !== undefined) {
    const made = fitting(formatVariants(format) ?? [], fits)
    if (made !== null) return made
  }
  const [pattern] = draft.patterns
  if (pattern !== undefined) return ofPatterns(draft, fits, format !== undefined)
  if (format !== undefined) return { keyword: 'format' }
  const text = freeText(anyCharacter, draft.minLength, draft.maxLength)
  return text === null || isPlain(draft) ? text : guarded(text, fits, 'a string')
}

function ofPatterns(
  draft: Draft,
  fits: (text: string) => boolean,
  hasFormat: boolean,
): fc.Arbitrary<string> | null | UnknownText {
  const rows = draft.patterns.map(runsOf)
  const known = rows.filter((row): row is readonly Run[] => row !== null)
  const merged = mergedRows(known)
  if (merged !== null && known.length === rows.length) {
    const text = textOfRuns(merged, draft.minLength, draft.maxLength)
    if (text === null) return null
    if (isPlain(draft) && !hasFormat) return text
    return fittingShare(text, fits) >= worthGuarding ? guarded(text, fits, 'a string') : { keyword: 'pattern' }
  }
  const sources = [
    ...known.map((row) => textOfRuns(row, draft.minLength, draft.maxLength)),
    ...draft.patterns.map((pattern) => matching(pattern, draft.maxLength)),
  ].filter((source) => source !== null)
  return fitting(sources, fits) ?? { keyword: 'pattern' }
}

/** The only row, or the common run if every pattern is a single run. */
function mergedRows(rows: readonly (readonly Run[])[]): readonly Run[] | null {
  const [first] = rows
  if (first === undefined) return null
  if (rows.length === 1) return first
  const singles = rows.map((row) => (row.length === 1 ? row[0] : undefined)).filter((run) => run !== undefined)
  return singles.length === rows.length ? [singles.reduce(commonRun)] : null
}

/** The sources whose values fit often enough, guarded; `null` if none does. */
function fitting(
  sources: readonly fc.Arbitrary<string>[],
  fits: (text: string) => boolean,
): fc.Arbitrary<string> | null {
  const shares = sources.map((source) => fittingShare(source, fits))
  const best = Math.max(0, ...shares)
  if (best < worthGuarding) return null
  const chosen = sources.filter((_, index) => (shares[index] ?? 0) >= best / 2)
  return guarded(fc.oneof(...chosen), fits, 'a string')
}

function matching(pattern: string, maxLength: number): fc.Arbitrary<string> | null {
  try {
    const limit = Number.isFinite(maxLength) ? { maxLength } : {}
    const made = fc.stringMatching(new RegExp(pattern, 'u'), limit)
    fc.sample(made, { numRuns: 1, seed: 17 })
    return made
  } catch {
    return null
  }
}

function isPlain({ excluded, notPatterns, notFormats, patterns }: Draft): boolean {
  return excluded.length + notPatterns.length + notFormats.length === 0 && patterns.length <= 1
}

function fitsText(draft: Draft, formats: readonly string[]): (text: string) => boolean {
  const patterns = draft.patterns.map((pattern) => new RegExp(pattern, 'u'))
  const inFormat = formats.length > 0 ? createAjv().compile({ allOf: formats.map((format) => ({ format })) }) : null
  const outOfFormat =
    draft.notFormats.length > 0
      ? createAjv().compile({ allOf: draft.notFormats.map((format) => ({ not: { format } })) })
      : null
  const further = draft.excluded.length + draft.notPatterns.length > 0
  return (text) => {
    const length = codePointLength(text)
    if (length < draft.minLength || length > draft.maxLength) return false
    if (patterns.some((pattern) => !pattern.test(text))) return false
    if (inFormat !== null && !inFormat(text)) return false
    if (outOfFormat !== null && !outOfFormat(text)) return false
    return !further || fitsScalarRules(draft, text)
  }
}
