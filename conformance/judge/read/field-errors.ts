/** The field errors of a `validation_error`, as far as they have the contract's shape; several oracles read them. */
import { fieldOf, textField } from './json.ts'
import type { ParsedExchange } from './parsed-exchange.ts'

interface FieldError {
  readonly loc: readonly unknown[]
  readonly type: string | null
}

/** The field errors in a rejection's detail; entries of another form have no loc. */
export function fieldErrors({ answer }: ParsedExchange): readonly FieldError[] {
  const detail = answer.body.kind === 'json' ? fieldOf(answer.body.value, 'detail') : null
  if (!Array.isArray(detail)) return []
  return detail.map((entry: unknown) => {
    const loc = fieldOf(entry, 'loc')
    return { loc: Array.isArray(loc) ? loc : [], type: textField(entry, 'type') }
  })
}
