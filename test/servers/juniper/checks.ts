/** Reads request bodies and parameters field by field and collects what is wrong with them. */
import { ApiError, type FieldError } from './errors.ts'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a value is the text of a UUID. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Collects wrong fields, so that a caller hears of all of them at once. */
export class FieldErrors {
  readonly list: FieldError[] = []

  missing(...loc: FieldError['loc']): void {
    this.list.push({ loc, message: 'Field required', type: 'missing' })
  }

  wrong(loc: FieldError['loc'], type: string, message: string): void {
    this.list.push({ loc, message, type })
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw new ApiError('validation_error', this.list)
  }
}

/** The body as an object; any other body is refused. */
export function bodyObject(body: unknown): Json {
  if (isObject(body)) return body
  const errors = new FieldErrors()
  if (body === undefined || body === null) errors.missing('body')
  else errors.wrong(['body'], 'object_type', 'Input should be an object')
  errors.throwIfAny()
  return {}
}

/** A parameter of a query; repeated ones count as absent. */
export function queryText(query: unknown, name: string): string | undefined {
  const value = isObject(query) ? query[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** What follows when the fields of a body that an assistant requires are not there. */
export function checkRequiredFields(body: Json, required: Readonly<Record<string, readonly string[]>>): void {
  const errors = new FieldErrors()
  for (const [path, names] of Object.entries(required)) {
    const holder = path === '__root__' ? body : body[path]
    const loc = path === '__root__' ? ['body'] : ['body', path]
    if (path !== '__root__' && !isObject(holder)) continue
    for (const name of names) {
      const value = isObject(holder) ? holder[name] : undefined
      if (value === undefined || value === null || value === '') errors.missing(...loc, name)
      else if (name in required && !isObject(value))
        errors.wrong([...loc, name], 'object_type', 'Input should be an object')
    }
  }
  errors.throwIfAny()
}
