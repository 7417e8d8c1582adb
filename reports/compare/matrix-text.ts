/** The cross-implementation matrix as Markdown; where implementations differ comes first. */
import { markdownCell, markdownCode, markdownText } from '../markdown-text.ts'
import { outcomeSigns } from '../severity.ts'
import type { AnswerRow, Matrix, MatrixRow } from './matrix-of.ts'

/** The matrix as Markdown. */
export function renderMatrixMarkdown({ implementations, rows, answers }: Matrix): string {
  const head = (first: string): string => {
    const names = implementations.map(({ name }) => markdownCode(name))
    return `| ${[first, ...names].join(' | ')} |\n|${'---|'.repeat(names.length + 1)}`
  }
  const ruleLine = ({ requirement, outcomes, untested }: MatrixRow): string => {
    const cells = outcomes.map((outcome, index) => {
      if (outcome === null) return ''
      return untested[index] === 0 ? outcomeSigns[outcome] : `${outcomeSigns[outcome]} (${untested[index]} –)`
    })
    return `| ${[markdownCode(requirement), ...cells].join(' | ')} |`
  }
  const answerLine = ({ question, answers: given, agreed }: AnswerRow): string =>
    `| ${[`${agreed ? '' : '**differs** '}${markdownText(question)}`, ...given.map((answer) => (answer === null ? '' : markdownCell(answer)))].join(' | ')} |`
  const standing = [
    `| outcome | ${implementations.map(({ outcome }) => outcome).join(' | ')} |`,
    `| granted | ${implementations.map(({ granted }) => markdownText(granted.join(', '))).join(' | ')} |`,
  ]
  return `${[
    '## ACS implementations',
    [head(''), ...standing].join('\n'),
    '### Requirements',
    [head('requirement'), ...rows.map(ruleLine)].join('\n'),
    '### Answers where the contract is silent',
    [head('question'), ...bySplit(answers).map(answerLine)].join('\n'),
    Object.entries(outcomeSigns)
      .map(([outcome, sign]) => `${sign} ${outcome}`)
      .join(', '),
  ].join('\n\n')}\n`
}

/** The questions on which implementations differ come first. */
export function bySplit(answers: readonly AnswerRow[]): readonly AnswerRow[] {
  return [...answers].sort((a, b) => Number(a.agreed) - Number(b.agreed))
}
