/** Checks the fixtures of one assistant: its schema, and every turn's answer, sources and meta_data. */
import { compileValidator, nearestName, type Validator } from '../../spec/index.ts'
import { rootKey } from '../randomness/key.ts'
import { sampleMetaData } from './meta-data.ts'
import { type AssistantScript, type JsonObject, placeholders, type TurnScript } from './scenario.ts'
import { expressionProblems } from './scenario-expression.ts'
import type { DataPath, ScenarioProblem } from './scenario-problem.ts'

/** Problems with paths from the assistant on. */
export async function assistantProblems(assistant: AssistantScript): Promise<readonly ScenarioProblem[]> {
  const { turns, meta_data_response_schema: schema } = assistant
  const compiled = await compiledSchema(schema)
  const described = describesObject(schema)
  const perTurn = turns.flatMap((turn, index) => [
    ...turnProblems(turn, ['turns', index]),
    ...(compiled.kind === 'validator' ? metaDataProblems(turn, schema, compiled.validate, ['turns', index]) : []),
  ])
  return [...described, ...(compiled.kind === 'broken' ? [compiled.problem] : []), ...perTurn]
}

const schemaPath: DataPath = ['meta_data_response_schema']

function describesObject(schema: JsonObject): readonly ScenarioProblem[] {
  const problem = (text: string, fix: string, requirement: ScenarioProblem['requirement']): ScenarioProblem => ({
    path: schemaPath,
    at: 'key',
    problem: text,
    fix,
    ...(requirement === undefined ? null : { requirement }),
  })
  const problems: ScenarioProblem[] = []
  const { type, properties, title } = schema
  if (type !== 'object' || typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    const fix = 'write type: object and properties'
    problems.push(problem('does not describe an object', fix, 'assistants.schema-describes-object'))
  }
  if (typeof title !== 'string') problems.push(problem('has no title', 'add a title', 'assistants.schema-complete'))
  return problems
}

type Compiled =
  | { readonly kind: 'validator'; readonly validate: Validator }
  | { readonly kind: 'broken'; readonly problem: ScenarioProblem }

async function compiledSchema(schema: JsonObject): Promise<Compiled> {
  try {
    return { kind: 'validator', validate: await compileValidator(schema as Parameters<typeof compileValidator>[0]) }
  } catch (cause) {
    const problem = `is not a JSON Schema: ${(cause as Error).message.split('\n')[0]}`
    const fix = 'write it in JSON Schema 2020-12'
    return {
      kind: 'broken',
      problem: { path: schemaPath, at: 'key', problem, fix, requirement: 'assistants.schema-is-json-schema' },
    }
  }
}

/** The problems of a turn of the right shape; braces mean nothing in `literal` texts. */
export function turnProblems(
  turn: TurnScript,
  path: DataPath,
  texts: 'templates' | 'literal' = 'templates',
): readonly ScenarioProblem[] {
  const problems: ScenarioProblem[] = [
    ...expressionProblems(turn.when?.user_matches, [...path, 'when', 'user_matches']),
  ]
  problems.push(...textProblems(turn, path))
  if (texts === 'templates') problems.push(...templateProblems(turn, path))
  problems.push(...encodingProblems(turn, path))
  for (const [index, source] of (turn.sources ?? []).entries()) {
    const lacking = lackingIn(source)
    if (lacking.length === 0) continue
    problems.push({
      path: [...path, 'sources', index],
      at: 'value',
      problem: `lacks the string ${lacking.join(' and ')}`,
      fix: 'a source has content, meta_data.document_title and meta_data.section',
      requirement: 'resources.source-fields',
    })
  }
  return problems
}

/** The problems of a turn's texts; the answer of a function is known only when it is called. */
function textProblems(turn: TurnScript, path: DataPath): readonly ScenarioProblem[] {
  const { answer, chunks } = turn
  if (answer === undefined && chunks === undefined) {
    return [{ path, at: 'value', problem: 'lacks the field "answer"', fix: 'add answer or chunks' }]
  }
  if (answer !== undefined && chunks !== undefined) {
    return [{ path: [...path, 'answer'], at: 'key', problem: 'cannot be used with chunks', fix: 'remove one of them' }]
  }
  const requirement = 'resources.message-content-not-empty'
  const field = chunks === undefined ? 'answer' : 'chunks'
  const isEmpty = answer === '' || (chunks !== undefined && piecesOf(turn).join('') === '')
  const empty: ScenarioProblem = {
    path: [...path, field],
    at: 'value',
    problem: 'is empty',
    fix: 'write some text',
    requirement,
  }
  return isEmpty ? [empty] : []
}

function piecesOf({ chunks = [] }: TurnScript): readonly string[] {
  return chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.text))
}

function templateProblems(turn: TurnScript, path: DataPath): readonly ScenarioProblem[] {
  const { answer, reasoning = '' } = turn
  return [
    ...placeholderProblems(typeof answer === 'string' ? answer : '', [...path, 'answer']),
    ...piecesOf(turn).flatMap((piece, index) => placeholderProblems(piece, [...path, 'chunks', index])),
    ...placeholderProblems(reasoning, [...path, 'reasoning']),
  ]
}

/** Halves of a character, which UTF-8 cannot carry; two chunks may share one. */
function encodingProblems(turn: TurnScript, path: DataPath): readonly ScenarioProblem[] {
  const { when: _, chunks: __, ...rest } = turn
  const half = halfCharacterAt({ ...rest, chunks: piecesOf(turn).join('') }, path)
  if (half === null) return []
  return [{ path: half, at: 'value', problem: 'has half a surrogate pair', fix: 'write whole characters' }]
}

function halfCharacterAt(value: unknown, path: DataPath): DataPath | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, one] of Object.entries(value)) {
    const found = name.isWellFormed()
      ? halfCharacterAt(one, [...path, Array.isArray(value) ? Number(name) : name])
      : path
    if (found !== null) return found
  }
  return null
}

function placeholderProblems(text: string, path: DataPath): readonly ScenarioProblem[] {
  const unknown = unknownPlaceholder(text)
  if (unknown === null) return []
  const near = nearestName(unknown, placeholders)
  const fix = near === null ? `use one of {{${placeholders.join('}}, {{')}}}` : `did you mean {{${near}}}?`
  return [{ path, at: 'value', problem: `has an unknown placeholder: {{${unknown}}}`, fix }]
}

function unknownPlaceholder(template: string): string | null {
  const names = Array.from(template.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name)
  return names.find((name) => !(placeholders as readonly string[]).includes(name)) ?? null
}

/** Names of the texts that a source lacks; a file may hold anything here, so nothing is taken for granted. */
function lackingIn(source: unknown): readonly string[] {
  const { content, meta_data: meta } = source as { readonly content?: unknown; readonly meta_data?: unknown }
  const { document_title: title, section } = (meta ?? {}) as Readonly<Record<string, unknown>>
  const named = { content, 'meta_data.document_title': title, 'meta_data.section': section }
  return Object.entries(named).flatMap(([name, value]) => (typeof value === 'string' ? [] : [name]))
}

/** Whether `meta_data` of a turn fits the schema, or can be generated from it. */
export function metaDataProblems(
  turn: TurnScript,
  schema: JsonObject,
  validate: Validator,
  path: DataPath,
): readonly ScenarioProblem[] {
  const requirement = 'resources.meta-data-fits-schema'
  const given = turn.meta_data
  if (given !== undefined) {
    return validate(given).map(({ instancePath, message = 'does not fit' }) => ({
      path: [...path, 'meta_data'],
      at: 'key',
      problem: `does not match the assistant's schema: ${instancePath === '' ? 'it' : instancePath} ${message}`,
      fix: 'change it, or leave it out to generate it',
      requirement,
    }))
  }
  // The function supplies the value.
  if (typeof turn.answer === 'function') return []
  // Several seeds, since a sample may fit by chance.
  const unfit = [0, 1, 2, 3].flatMap((seed) => validate(sampleMetaData(schema, rootKey(seed))))[0]
  if (unfit === undefined) return []
  const problem = `has no meta_data, and none can be generated from the schema: ${unfit.instancePath} ${unfit.message ?? ''}`
  return [{ path, at: 'value', problem: problem.trim(), fix: 'write meta_data in the turn', requirement }]
}
