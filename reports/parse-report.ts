/**
 * Parses a report and checks it against report.schema.json before anything renders it.
 * Files get edited, cut off, or come from a different version; an error names the place.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { completeReport, withoutFindings } from './older-report.ts'
import schema from './report.schema.json' with { type: 'json' }
import type { Report } from './report.ts'

/** report.json as a JSON Schema document (2020-12). */
export const reportSchema: Readonly<Record<string, unknown>> = schema

/** Why a text is not a report. `at` is a JSON pointer, or empty when it is not JSON. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly code = 'invalid-report'
  readonly at: string
  readonly hint: string
  constructor(message: string, at: string, hint: string) {
    super(message)
    this.at = at
    this.hint = hint
  }
}

const isReport = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile<Report>(schema)

/** The report in this text; throws ReportError. */
export function parseReport(text: string): Report {
  const value = withoutFindings(parseJson(text))
  if (isReport(value)) return withOwnTextsOnly(completeReport(value))
  const [first] = isReport.errors ?? []
  const at = first?.instancePath ?? ''
  const missing: unknown = first?.params.missingProperty
  const lack = typeof missing === 'string' ? `lacks the field "${missing}"` : (first?.message ?? 'is invalid')
  const hint = 'Make it anew with acs test or acs judge of the same version.'
  throw new ReportError(
    `not a report.json of acs test or acs judge: ${at === '' ? 'the document' : at} ${lack}`,
    at,
    hint,
  )
}

/** A damaged report may call a rule or a gap by the name of an inherited property, such as `constructor`; it has no text. */
function withOwnTextsOnly(report: Report): Report {
  const { rules, questions } = report
  return { ...report, rules: withoutPrototype(rules), questions: withoutPrototype(questions) }
}

function withoutPrototype<Value>(texts: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), texts)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ReportError(`not JSON: ${reason}`, '', 'Name the report.json that acs test wrote.')
  }
}
