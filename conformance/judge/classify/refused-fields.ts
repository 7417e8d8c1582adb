/**
 * Finds fields that a target names when it refuses, and that only the profile knows or all runs lack.
 * Whether the profile or the target is wrong cannot be seen, unless another request without the fault was accepted.
 */
import { completionOperations, type OperationId } from '../../../spec/index.ts'
import { fieldOf, isObject, type JsonObject, textField } from '../read/json.ts'
import { isAccepted, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { JudgeContext } from './judge-context.ts'

type Known = Pick<JudgeContext, 'profile' | 'registry'>

/** The requests that carry, or lack, such a field, with its name. */
export function refusedFields(
  parsedExchanges: readonly ParsedExchange[],
  known: Known,
): ReadonlyMap<ParsedExchange, string> {
  const wanted = wantedOfRuns(parsedExchanges)
  const fields = parsedExchanges
    .filter((parsed) => isRun(parsed) || completions.has(parsed.operation))
    .flatMap((parsed) =>
      [...ownFields(parsed, known), ...wanted.filter((name) => lacks(parsed, name))].map((name) => ({ parsed, name })),
    )
  const keyOf = ({ parsed, name }: (typeof fields)[number]): string => {
    const body = jsonOf(parsed)
    const asked = isRun(parsed) ? null : fieldOf(body, 'assistant_id')
    return JSON.stringify([isRun(parsed), asked, name, fieldOf(body, name)])
  }
  const taken = new Set(fields.filter(({ parsed }) => isAccepted(parsed)).map(keyOf))
  const refused = new Set(fields.filter(({ parsed, name }) => isNamed(parsed, name)).map(keyOf))
  return new Map(
    fields.flatMap((field) => {
      const value = keyOf(field)
      return refused.has(value) && !taken.has(value) ? [[field.parsed, field.name] as const] : []
    }),
  )
}

const jsonOf = ({ body }: ParsedExchange): unknown => (body.kind === 'json' ? body.value : null)

/** The fields that refused runs lack: the contract does not show the fields of a run, but says that it needs no tools. */
function wantedOfRuns(parsedExchanges: readonly ParsedExchange[]): readonly string[] {
  const names = parsedExchanges
    .filter(isRun)
    .flatMap((parsed) => namedFields(parsed).filter((name) => lacks(parsed, name) && !/tool|function/i.test(name)))
  return [...new Set(names)]
}

function lacks(parsed: ParsedExchange, name: string): boolean {
  const body = jsonOf(parsed)
  return isRun(parsed) && isObject(body) && !Object.hasOwn(body, name)
}

/** The top-level fields of a body that the contract does not show, and that hold what the profile gives them. */
function ownFields(parsed: ParsedExchange, { profile, registry }: Known): readonly string[] {
  const body = jsonOf(parsed)
  if (!isObject(body)) return []
  const given = isRun(parsed) ? [profile.runBody].filter(isObject) : givenTo(parsed, { profile, registry })
  const isGiven = (name: string, template: unknown): boolean =>
    template === '{{assistant_id}}'
      ? registry.recordOf(parsed.tenant, String(body[name])) !== null
      : JSON.stringify(template) === JSON.stringify(body[name])
  return Object.keys(body).filter(
    (name) => !shown.has(name) && given.some((one) => Object.hasOwn(one, name) && isGiven(name, one[name])),
  )
}

/** The values that the profile gives this completion's assistant only. */
function givenTo(parsed: ParsedExchange, { profile, registry }: Known): readonly JsonObject[] {
  const id = String(fieldOf(jsonOf(parsed), 'assistant_id'))
  const names = ['*', id.toLowerCase(), textField(registry.recordOf(parsed.tenant, id)?.record, 'name')]
  return profile.assistantBodies.flatMap(([name, body]) =>
    names.includes(name) || names.includes(name.toLowerCase()) ? [body] : [],
  )
}

const completions: ReadonlySet<OperationId | null> = new Set(completionOperations)
/** Fields of a completion. */
const shown: ReadonlySet<string> = new Set(['messages', 'user_id'])

/** Whether a validation error names this field. */
const isNamed = (parsed: ParsedExchange, name: string): boolean => namedFields(parsed).includes(name)

/** The fields of the body that a validation error names. */
export function namedFields(parsed: ParsedExchange): readonly string[] {
  const { code, body } = parsed.answer
  if (code !== 'validation_error' || body.kind !== 'json') return []
  const detail = fieldOf(body.value, 'detail')
  if (!Array.isArray(detail)) return []
  return detail.flatMap((entry) => {
    const loc = fieldOf(entry, 'loc')
    return Array.isArray(loc) && loc[0] === 'body' && typeof loc[1] === 'string' ? [loc[1]] : []
  })
}
