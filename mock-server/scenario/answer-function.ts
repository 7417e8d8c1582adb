/**
 * Checks the answer of a scenario function like a turn of a file. The validators are compiled when the scenario is
 * checked, so that a request only runs them.
 */
import { compileValidator } from '../../spec/index.ts'
import { metaDataProblems, turnProblems } from './check-assistant.ts'
import type { AnswerFunction, AssistantScript, TurnScript } from './scenario.ts'
import { problemText, type ScenarioProblem } from './scenario-problem.ts'

/** The answer of a function, as a turn; or the problem with it, to follow the place of the turn. */
type CheckedAnswer =
  | { readonly kind: 'turn'; readonly turn: TurnScript }
  | { readonly kind: 'wrong'; readonly problem: string }

/** Reads the answer of a turn's function. */
export type AnswerCheck = (script: TurnScript, said: unknown) => CheckedAnswer

const checks = new WeakMap<AssistantScript, AnswerCheck>()
const unchecked = new WeakSet<AnswerFunction>()

/** Accepts any answer of a function: a recording is played unchanged, even if it breaks the contract. */
export function leaveUnchecked(answer: AnswerFunction): AnswerFunction {
  unchecked.add(answer)
  return answer
}

/** Makes the check of an assistant that is sound, where it has functions. */
export async function prepareAnswerCheck(assistant: AssistantScript): Promise<void> {
  const { turns, meta_data_response_schema: schema } = assistant
  if (!turns.some(({ answer }) => typeof answer === 'function' && !unchecked.has(answer))) return
  const validate = await compileValidator(schema as Parameters<typeof compileValidator>[0])
  const { turnShapeProblems } = await import('./schema-problems.ts')
  const withoutMetaData = metaDataProblems({ answer: '' }, schema, validate, place)
  checks.set(assistant, (script, said) => {
    if (typeof script.answer === 'function' && unchecked.has(script.answer)) return trusting(script, said)
    const data = dataOf(said)
    if (data.kind === 'wrong') return data
    const turn = withAnswer(script, data.said)
    const problems = [
      ...(typeof data.said === 'string' ? [] : turnShapeProblems(data.said)),
      ...('when' in turn ? [uselessCondition] : []),
    ]
    if (problems.length === 0) {
      problems.push(...turnProblems(turn, place, 'literal'))
      problems.push(
        ...(turn.meta_data === undefined ? withoutMetaData : metaDataProblems(turn, schema, validate, place)),
      )
    }
    return problems.length === 0 ? { kind: 'turn', turn } : { kind: 'wrong', problem: textOf(problems) }
  })
}

/** The check of an assistant; one that needs none is trusted. */
export function answerCheckOf(assistant: AssistantScript): AnswerCheck {
  return checks.get(assistant) ?? trusting
}

const place = ['result']

const uselessCondition: ScenarioProblem = {
  path: [...place, 'when'],
  at: 'key',
  problem: 'has no effect in what a function returns',
  fix: 'put it beside answer',
}

const trusting: AnswerCheck = (script, said) => ({
  kind: 'turn',
  turn: withAnswer(script, said as string | TurnScript),
})

/** The rest of the turn counts where the function says nothing else. */
function withAnswer({ answer: _, when: __, ...rest }: TurnScript, said: string | TurnScript): TurnScript {
  return typeof said === 'string' ? { ...rest, answer: said } : { ...rest, ...said }
}

type AnswerData =
  | { readonly kind: 'said'; readonly said: string | TurnScript }
  | { readonly kind: 'wrong'; readonly problem: string }

/** The answer as JSON, the form in which it is sent: later changes by the function do not count. */
function dataOf(said: unknown): AnswerData {
  if (typeof said === 'string') return { kind: 'said', said }
  const wrong = (problem: string): AnswerData => ({ kind: 'wrong', problem: `the answer function returned ${problem}` })
  if (isThenable(said)) return wrong('a promise; make it a function that is not async and returns the answer itself')
  if (typeof said !== 'object' || said === null || Array.isArray(said)) {
    const what = Array.isArray(said) ? 'an array' : typeof said === 'object' ? 'null' : describe(said)
    return wrong(`${what}; return a text, or an object with answer or chunks`)
  }
  try {
    return { kind: 'said', said: JSON.parse(JSON.stringify(said, plainValue) ?? 'null') as TurnScript }
  } catch (cause) {
    return wrong(`what is not JSON (${String((cause as Error)?.message).split('\n')[0]}); return plain data`)
  }
}

const describe = (said: unknown): string => (said === undefined ? 'undefined' : `a ${typeof said}`)

/** JSON silently omits functions; `true` is equally wrong in their place and is detected. */
function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'function' || typeof value === 'symbol' || isThenable(value) ? true : value
}

/** Whether it is a promise. Its rejection is handled here: without a listener it would end the process. */
function isThenable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (typeof (value as { readonly then?: unknown }).then !== 'function') return false
  Promise.resolve(value).catch(() => {})
  return true
}

function textOf([first, ...others]: readonly ScenarioProblem[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `the answer function returned a wrong result: ${first === undefined ? '' : problemText(first)}${more}`
}
