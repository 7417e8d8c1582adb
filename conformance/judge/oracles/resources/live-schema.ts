/**
 * The schema that an assistant publishes for its meta_data, compiled. It comes from the target, so nothing in it may hang or
 * crash the judge: size, references and patterns are looked at before they are used.
 */
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fieldOf, isObject } from '../../read/json.ts'

export type LiveSchema =
  /** `faultIn`: `null` when the value fits, or pointer and message of the first fault. */
  | {
      readonly kind: 'usable'
      readonly faultIn: (value: unknown) => { readonly at: string; readonly says: string } | null
    }
  /** `sure`: no reader of JSON Schema could use it; otherwise this judge alone cannot. */
  | { readonly kind: 'unusable'; readonly why: string; readonly sure: boolean }

const compiled = new Map<string, LiveSchema>()
/** The same schema object is asked for with every answer of its assistant; writing it out each time costs more than judging. */
const known = new WeakMap<object, LiveSchema>()

/** Compiles a schema, once for equal schemas. */
export function liveSchema(schema: unknown): LiveSchema {
  if (typeof schema !== 'object' || schema === null) return equalSchema(schema)
  const found = known.get(schema) ?? equalSchema(schema)
  known.set(schema, found)
  return found
}

function equalSchema(schema: unknown): LiveSchema {
  const text = textOf(schema)
  if (text === null) return { kind: 'unusable', why: 'it is too large or too deep to be judged', sure: false }
  const equal = compiled.get(text)
  if (equal !== undefined) return equal
  if (compiled.size > 500) compiled.clear()
  const made = compile(schema)
  compiled.set(text, made)
  return made
}

const longestSchema = 256 * 1024

function textOf(schema: unknown): string | null {
  try {
    const text = JSON.stringify(schema) ?? 'undefined'
    return text.length > longestSchema ? null : text
  } catch {
    return null
  }
}

function compile(schema: unknown): LiveSchema {
  if (!isObject(schema)) return { kind: 'unusable', why: 'it is no JSON Schema', sure: true }
  const { $schema, $id: _, ...judged } = schema
  const ajv = ajvFor(typeof $schema === 'string' ? $schema : '')
  if (ajv.validateSchema(judged) !== true) {
    return { kind: 'unusable', why: `it breaks the rules of JSON Schema (${firstError(ajv.errors)})`, sure: true }
  }
  const pattern = brokenPattern(judged)
  if (pattern !== null) return { kind: 'unusable', why: `the pattern ${pattern} is no regular expression`, sure: true }
  try {
    const validate = ajv.compile(judged)
    return {
      kind: 'usable',
      faultIn: (value) => {
        if (validate(value) === true) return null
        const [error] = validate.errors ?? []
        return { at: error?.instancePath ?? '', says: firstError(validate.errors) }
      },
    }
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it does not compile'
    return { kind: 'unusable', why, sure: /can't resolve reference #/.test(why) }
  }
}

/** A pattern that no dialect of regular expressions reads; those of Python and PCRE have forms of their own. */
function brokenPattern(schema: unknown): string | null {
  const open: unknown[] = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const pattern = fieldOf(next, 'pattern')
    const isForeign =
      typeof pattern === 'string' && /\(\?[^:=!<]|\(\?<[^=!]|\\[AZzGQEhRX]|[*+?}]\+|\[\[?:/.test(pattern)
    if (typeof pattern === 'string' && !isForeign && regExpOrNull(pattern, '') === null) return pattern
    open.push(...Object.values(next).filter((value) => value !== undefined))
  }
  return null
}

function firstError(errors: readonly ErrorObject[] | null | undefined): string {
  const [error] = errors ?? []
  return error === undefined ? 'it does not fit' : `${error.instancePath} ${error.message}`.trim()
}

function ajvFor(dialect: string): Ajv {
  const Dialect = /draft-0[4-7]/.test(dialect) ? Ajv : dialect.includes('2019-09') ? Ajv2019 : Ajv2020
  const ajv = new Dialect(options) as unknown as Ajv
  addFormats.default(ajv)
  return ajv
}

/** A pattern that could take for ever, or that only another dialect of regular expressions knows, is passed over. */
function carefulRegExp(pattern: string, flags: string): { test: (text: string) => boolean; toString: () => string } {
  const isRisky = pattern.length > 500 || /[+*}]\)?[+*{]|\([^)]*[+*|][^)]*\)[+*{]/.test(pattern)
  const expression = isRisky ? null : regExpOrNull(pattern, flags)
  return {
    test: (text) => expression === null || text.length > 10_000 || expression.test(text),
    // Ajv keeps patterns by this text: without it one pattern would stand for all of them.
    toString: () => `/${pattern}/${flags}`,
  }
}

carefulRegExp.code = 'carefulRegExp'

function regExpOrNull(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return null
  }
}

const options: Options = {
  strict: false,
  logger: false,
  validateSchema: false,
  allErrors: false,
  code: { regExp: carefulRegExp as unknown as NonNullable<NonNullable<Options['code']>['regExp']> },
}
