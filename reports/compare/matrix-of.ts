/**
 * Compares several implementations: the result of each for each requirement, and its answers where the contract is silent.
 * There is no score: a client needs the differences between implementations.
 */
import type { Outcome } from '../../conformance/index.ts'
import type { Report } from '../report.ts'
import { ruleStanding } from '../severity.ts'

export interface NamedReport {
  /** The display name of the implementation. */
  readonly name: string
  readonly report: Report
  /** Address of its HTML report, relative to the page of the matrix. */
  readonly href?: string | undefined
}

export interface MatrixRow {
  readonly requirement: string
  readonly rule: string
  /** The worst outcome of what was tested of each implementation, or `null` where it has no verdict. */
  readonly outcomes: readonly (Outcome | null)[]
  /** Obligations of each implementation that were not tested beside those that were. */
  readonly untested: readonly number[]
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
    rows: idsOf(reports, ({ verdicts }) => verdicts.map(({ requirement }) => requirement)).map((requirement) =>
      matrixRow(requirement, reports),
    ),
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

function matrixRow(requirement: string, reports: readonly NamedReport[]): MatrixRow {
  const standings = reports.map(({ report }) => ruleStanding(report, requirement))
  return {
    requirement,
    rule: firstText(reports, ({ rules }) => rules[requirement]?.rule) ?? requirement,
    outcomes: standings.map(({ outcome }) => outcome),
    untested: standings.map(({ untested }) => untested),
  }
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
