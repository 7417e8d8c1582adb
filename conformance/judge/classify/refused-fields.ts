/**
 * Finds fields of requests that only the profile knows and that the target names as the reason of a refusal. Whether the
 * profile or the target is wrong cannot be seen, unless the same value was taken in another request.
 */
import { completionOperations, type OperationId } from '../../../spec/index.ts'
import type { JudgeProfile } from '../judge-profile.ts'
import { fieldOf, isObject, type JsonObject } from '../read/json.ts'
import { isAccepted, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { JudgeContext } from './judge-context.ts'

type Known = Pick<JudgeContext, 'profile' | 'book'>

/** The requests that carry such a field, with its name. */
export function refusedFields(
  parsedExchanges: readonly ParsedExchange[],
  known: Known,
): ReadonlyMap<ParsedExchange, string> {
  const fields = parsedExchanges.flatMap((parsed) => ownFields(parsed, known).map((name) => ({ parsed, name })))
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

/** The top-level fields of a body that the contract does not show, and that hold what the profile gives them. */
function ownFields(parsed: ParsedExchange, { profile, book }: Known): readonly string[] {
  const body = jsonOf(parsed)
  if (!isObject(body)) return []
  const given = givenTo(parsed, profile)
  const isGiven = (name: string, template: unknown): boolean =>
    template === '{{assistant_id}}'
      ? book.recordOf(parsed.tenant, String(body[name])) !== null
      : JSON.stringify(template) === JSON.stringify(body[name])
  return Object.keys(body).filter(
    (name) => !shown.has(name) && given.some((one) => Object.hasOwn(one, name) && isGiven(name, one[name])),
  )
}

function givenTo(parsed: ParsedExchange, { runBody, assistantBodies }: JudgeProfile): readonly JsonObject[] {
  if (isRun(parsed)) return isObject(runBody) ? [runBody] : []
  return completions.has(parsed.operation) ? assistantBodies : []
}

const completions: ReadonlySet<OperationId | null> = new Set(completionOperations)
/** Fields of a completion. */
const shown: ReadonlySet<string> = new Set(['messages', 'user_id'])

/** Whether a validation error names this field. */
function isNamed(parsed: ParsedExchange, name: string): boolean {
  const { code, body } = parsed.answer
  if (code !== 'validation_error' || body.kind !== 'json') return false
  const detail = fieldOf(body.value, 'detail')
  if (!Array.isArray(detail)) return false
  return detail.some((entry) => {
    const loc = fieldOf(entry, 'loc')
    return Array.isArray(loc) && loc[0] === 'body' && loc[1] === name
  })
}
