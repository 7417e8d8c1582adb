/** The page docs/requirements.md as a string: every requirement and every gap, by chapter. */
import { type Chapter, chapterOf, chapters, gaps, obligations, type Requirement, requirements } from '../spec/index.ts'

export const requirementsPage = (): string => {
  const excluded = requirements.filter((row) => row.excluded !== undefined).length
  const head = [
    '# Requirements and gaps',
    '',
    'Generated from `spec/requirements/` and `spec/gaps/` by `npm run generate`; do not edit.',
    '',
    `${requirements.length} requirements, of which ${requirements.length - excluded} are judged (${obligations.length} obligations) and ${excluded} cannot be seen from outside;`,
    `${gaps.length} questions that the contract leaves open. \`acs explain <id>\` shows each in full.`,
    '',
  ]
  return `${[...head, ...chapters.flatMap(chapterText)].join('\n').trimEnd()}\n`
}

const chapterText = (chapter: Chapter): readonly string[] => [
  `## ${chapter}`,
  '',
  '| requirement | level | basis | rule | contract |',
  '| --- | --- | --- | --- | --- |',
  ...requirements
    .filter(({ id }) => chapterOf(id) === chapter)
    .map((row) => `| ${anchored(row.id)} | ${row.level} | ${row.basis} | ${ruleText(row)} | ${cell(row.section)} |`),
  '',
  '| gap | question | the mock |',
  '| --- | --- | --- |',
  ...gaps
    .filter(({ id }) => chapterOf(id) === chapter)
    .map((gap) => `| ${anchored(`gap-${gap.id}`, gap.id)} | ${cell(gap.question)} | ${cell(gap.mockAnswer)} |`),
  '',
]

/** An id that `requirements.md#id` leads to. */
const anchored = (anchor: string, id = anchor): string => `<a id="${anchor}"></a>\`${id}\``

const ruleText = ({ rule, excluded }: Requirement): string =>
  cell(excluded === undefined ? rule : `${rule} *Not judged: ${excluded}*`)

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<')
