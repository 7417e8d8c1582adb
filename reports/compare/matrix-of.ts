/**
 * Several implementations side by side: how each stands to each requirement, and how each answers where the contract is
 * silent. No score: what matters to a client is where implementations differ.
 */
import type { Outcome } from '../../conformance/index.ts'
import type { Report } from '../report.ts'
import { outcomeOrder } from '../severity.ts'

export interface NamedReport {
  /** What a reader calls the implementation. */
  readonly name: string
  readonly report: Report
  /** Address of its HTML report, relative to the page of the matrix. */
  readonly href?: string | undefined
}

export interface MatrixRow {
  readonly requirement: string
  readonly rule: string
  /** The worst outcome of each implementation, or `null` where it has no verdict. */
  readonly outcomes: readonly (Outcome | null)[]
}

export interface AnswerRow {
  readonly gap: string
  readonly question: string
  readonly answers: readonly (string | null)[]
  /** Whether all implementations that answer give the same answer. */
  readonly agreed: boolean
}

export interface Matrix {
  readonly implementations: readonly (Report['run'] & Pick<NamedReport, 'name' | 'href'>)[]
  readonly rows: readonly MatrixRow[]
  readonly answers: readonly AnswerRow[]
}

/** The matrix of these reports, in their order. */
export function matrixOf(reports: readonly NamedReport[]): Matrix {
  return {
    implementations: reports.map(({ name, report, href }) => ({ ...report.run, name, href })),
    rows: idsOf(reports, ({ verdicts }) => verdicts.map(({ requirement }) => requirement)).map((requirement) => ({
      requirement,
      rule: firstText(reports, ({ rules }) => rules[requirement]?.rule) ?? requirement,
      outcomes: reports.map(({ report }) => worstOutcome(report, requirement)),
    })),
    answers: idsOf(reports, ({ observations }) => observations.map(({ gap }) => gap)).map((gap) =>
      answerRow(gap, reports),
    ),
  }
}

function idsOf(reports: readonly NamedReport[], idsIn: (report: Report) => readonly string[]): readonly string[] {
  return [...new Set(reports.flatMap(({ report }) => idsIn(report)))]
}

function firstText(
  reports: readonly NamedReport[],
  textIn: (report: Report) => string | undefined,
): string | undefined {
  return reports.map(({ report }) => textIn(report)).find((text) => text !== undefined)
}

function worstOutcome({ verdicts }: Report, requirement: string): Outcome | null {
  const own = verdicts.filter((verdict) => verdict.requirement === requirement)
  return outcomeOrder.find((outcome) => own.some((verdict) => verdict.outcome === outcome)) ?? null
}

function answerRow(gap: string, reports: readonly NamedReport[]): AnswerRow {
  const answers = reports.map(
    ({ report }) => report.observations.find((observation) => observation.gap === gap)?.value ?? null,
  )
  const given = new Set(answers.filter((answer) => answer !== null))
  return {
    gap,
    question: firstText(reports, ({ questions }) => questions[gap]?.question) ?? gap,
    answers,
    agreed: given.size <= 1,
  }
}
