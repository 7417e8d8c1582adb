/**
 * The schema that an assistant publishes for its meta_data, compiled. It comes from the target, so nothing in it may hang or
 * crash the judge: its size and references are limited, its patterns run in linear time, and every step is counted.
 */
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020, type ErrorObject, type Format, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fieldOf, isObject } from '../../read/json.ts'
import { memoPerTrace } from '../../trace-analysis.ts'
import { expandedLength, linearPattern } from './linear-pattern.ts'
import { type Allowance, measure, StepMeter, Undecided } from './step-meter.ts'

/** The first fault of a value: its place and a description. */
export interface SchemaFault {
  readonly at: string
  readonly says: string
}

type LiveSchema =
  /** `faultIn`: `null` when the value fits, `undecided` when this judge cannot tell. */
  | {
      readonly kind: 'usable'
      readonly faultIn: (value: unknown, allowance?: Allowance) => SchemaFault | null | 'undecided'
    }
  /** `sure`: no reader of JSON Schema could use it; otherwise this judge alone cannot. */
  | { readonly kind: 'unusable'; readonly why: string; readonly sure: boolean }

/** Steps for one value; a step is a few nanoseconds. */
const stepsForValue = 50_000_000
/** Steps for looking at the schema itself. */
const stepsForSchema = 500_000_000
const longestSchema = 256 * 1024
const deepestSchema = 200
const mostReferences = 200
/** All patterns of a schema with their repetitions written out, characters. */
const longestPatterns = 200_000

/** Steps for compiling a schema, and for all that is judged by the schemas of one trace. */
const stepsForCompiling = 1_000_000
const stepsForCharacter = 1_000
const stepsForTrace = 1_000_000_000

/** The schemas of one trace, and the remaining budget of steps. */
interface TraceSchemas {
  readonly of: (schema: unknown) => LiveSchema
  readonly allowance: Allowance
}

/** Makes the schemas of a trace; equal ones are compiled once. */
export function traceSchemas(steps: number = stepsForTrace): TraceSchemas {
  const allowance = { steps }
  const texts = new Map<string, LiveSchema>()
  /** The same schema object is asked for with every answer of its assistant; writing it out each time costs more than judging. */
  const known = new WeakMap<object, LiveSchema>()
  const equal = (schema: unknown): LiveSchema => {
    const text = textOf(schema)
    if (text === null) return { kind: 'unusable', why: 'it is too large or too deep to be judged', sure: false }
    const found = texts.get(text)
    if (found !== undefined) return found
    allowance.steps -= stepsForCompiling + stepsForCharacter * text.length
    const made: LiveSchema = allowance.steps < 0 ? tooMany : liveSchema(schema, text)
    texts.set(text, made)
    return made
  }
  const of = (schema: unknown): LiveSchema => {
    if (typeof schema !== 'object' || schema === null) return equal(schema)
    const found = known.get(schema) ?? equal(schema)
    known.set(schema, found)
    return found
  }
  return { of, allowance }
}

const tooMany: LiveSchema = { kind: 'unusable', why: 'the schemas of the target take too much work', sure: false }

/** The schemas of a trace analysis; all oracles share them. */
export const schemasOf = memoPerTrace(() => traceSchemas())

const compiled = new Map<string, LiveSchema>()

/** A trace is often judged several times in one process. */
function liveSchema(schema: unknown, text: string): LiveSchema {
  const equal = compiled.get(text)
  if (equal !== undefined) return equal
  if (compiled.size > 500) compiled.clear()
  const made = compile(schema)
  compiled.set(text, made)
  return made
}

function textOf(schema: unknown): string | null {
  if (measure(schema, longestSchema).depth > deepestSchema) return null
  const text = JSON.stringify(schema) ?? 'undefined'
  return text.length > longestSchema ? null : text
}

function compile(schema: unknown): LiveSchema {
  if (!isObject(schema)) return { kind: 'unusable', why: 'it is no JSON Schema', sure: true }
  const { $schema, $id: _, ...judged } = schema
  const { patterns, names, references } = namedIn(judged)
  if (references.size > mostReferences)
    return { kind: 'unusable', why: `it has more than ${mostReferences} references`, sure: false }
  if ([...patterns, ...names].reduce((sum, pattern) => sum + expandedLength(pattern), 0) > longestPatterns)
    return { kind: 'unusable', why: 'its patterns are too long together', sure: false }
  const dialect = dialectOf($schema)
  try {
    const fault = ruleFault(judged, dialect)
    if (fault !== null) return { kind: 'unusable', why: `it breaks the rules of JSON Schema (${fault})`, sure: true }
    const broken = patterns.find(isBroken)
    if (broken !== undefined)
      return { kind: 'unusable', why: `the pattern ${broken} is no regular expression`, sure: true }
    const { ajv, meter } = meteredAjv(dialect, { meta: false })
    return { kind: 'usable', faultIn: validatorOf(ajv.compile(judged), meter) }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unusable', why: 'its references lead too deep', sure: false }
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it does not compile'
    return { kind: 'unusable', why, sure: /can't resolve reference #/.test(why) }
  }
}

type Usable = Extract<LiveSchema, { readonly kind: 'usable' }>

function validatorOf(validate: ReturnType<Ajv['compile']>, meter: StepMeter): Usable['faultIn'] {
  return (value, allowance = { steps: stepsForValue }) => {
    try {
      if (meter.run(allowance, stepsForValue, () => validate(value)) === true) return null
    } catch (error) {
      if (error instanceof Undecided) return 'undecided'
      throw error
    }
    const [error] = validate.errors ?? []
    return { at: error?.instancePath ?? '', says: firstError(validate.errors) }
  }
}

interface Named {
  readonly patterns: readonly string[]
  /** Patterns of names. */
  readonly names: readonly string[]
  readonly references: ReadonlySet<string>
}

/** The patterns and references of a schema. */
function namedIn(schema: unknown): Named {
  const patterns: string[] = []
  const names: string[] = []
  const references = new Set<string>()
  const open: unknown[] = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const pattern = fieldOf(next, 'pattern')
    if (typeof pattern === 'string') patterns.push(pattern)
    names.push(...Object.keys(Object(fieldOf(next, 'patternProperties'))))
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = fieldOf(next, keyword)
      if (typeof reference === 'string') references.add(reference)
    }
    open.push(...Object.values(next).filter((value) => value !== undefined))
  }
  return { patterns, names, references }
}

/** No dialect of regular expressions reads it; those of Python and PCRE have forms of their own. */
function isBroken(pattern: string): boolean {
  const isForeign = /\(\?[^:=!<]|\(\?<[^=!]|\\[AZzGQEhRX]|[*+?}]\+|\[\[?:/.test(pattern)
  return !isForeign && !isRegExp(pattern)
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

function firstError(errors: readonly ErrorObject[] | null | undefined): string {
  const [error] = errors ?? []
  return error === undefined ? 'it does not fit' : `${error.instancePath} ${error.message}`.trim()
}

type Dialect = '7' | '2019-09' | '2020-12'

const dialects: Readonly<Record<Dialect, unknown>> = { '7': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 }

function dialectOf($schema: unknown): Dialect {
  const name = typeof $schema === 'string' ? $schema : ''
  if (/draft-0[4-7]/.test(name)) return '7'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}

const checkers = new Map<Dialect, MeteredAjv>()

/** The faults that the dialect itself finds in a schema. */
function ruleFault(schema: object, dialect: Dialect): string | null {
  const checker = checkers.get(dialect) ?? meteredAjv(dialect, {})
  checkers.set(dialect, checker)
  const { ajv, meter } = checker
  const holds = meter.run({ steps: stepsForSchema }, stepsForSchema, () => ajv.validateSchema(schema))
  return holds === true ? null : firstError(ajv.errors)
}

interface MeteredAjv {
  readonly ajv: Ajv
  readonly meter: StepMeter
}

/** An Ajv in which every function, pattern and format asks the meter first. */
function meteredAjv(dialect: Dialect, own: Options): MeteredAjv {
  const meter = new StepMeter()
  const code = { regExp: meteredPatterns(meter), process: meteredCode }
  const Dialect = dialects[dialect] as new (options: Options) => Ajv
  const ajv = new Dialect({ ...options, ...own, code })
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format !== undefined) ajv.addFormat(name, meteredFormat(format, meter))
  }
  return { ajv: Object.assign(ajv, { meter }), meter }
}

/** References are not written out in place, so that code stays as small as the schema and each one is counted. */
const options: Options = {
  strict: false,
  logger: false,
  validateSchema: false,
  allErrors: false,
  inlineRefs: false,
}

const bodyStart = '={}){'
const codePerStep = 32

/** Puts the meter around the body of a generated function; `self` is the Ajv that made it. */
function meteredCode(code: string, env?: { readonly schema: unknown }): string {
  const start = code.indexOf(bodyStart) + bodyStart.length
  const end = code.lastIndexOf('}')
  if (start < bodyStart.length || end < start) throw new Undecided('it does not compile as expected')
  const { $defs: _, definitions: __, ...own } = isObject(env?.schema) ? env.schema : {}
  const weight = Math.ceil((code.length + JSON.stringify(own).length) / codePerStep)
  const entry = `self.meter.enter(${weight}, ${code.includes('uniqueItems')}, data);`
  return `${code.slice(0, start)}${entry}try{${code.slice(start, end)}}finally{self.meter.leave()}${code.slice(end)}`
}

type PatternMaker = NonNullable<NonNullable<Options['code']>['regExp']>

function meteredPatterns(meter: StepMeter): PatternMaker {
  const make = (pattern: string, flags: string): { test: (text: string) => boolean; toString: () => string } => {
    const linear = linearPattern(pattern)
    return {
      test: (text) => {
        if (linear === null) throw new Undecided('it has a pattern that cannot be judged here')
        meter.spend(linear.size * (text.length + 1))
        return linear.test(text)
      },
      // Ajv keeps patterns by this text: without it one pattern would stand for all of them.
      toString: () => `/${pattern}/${flags}`,
    }
  }
  return Object.assign(make, { code: 'linearPattern' }) as unknown as PatternMaker
}

/** The expressions behind formats are fixed, but not all of them are linear. */
function meteredFormat(format: Format, meter: StepMeter): Format {
  if (typeof format === 'boolean') return format
  const isBare = format instanceof RegExp || typeof format === 'function' || typeof format === 'string'
  const validate: unknown = isBare ? format : format.validate
  const holds = (text: unknown): boolean => {
    meter.spend(typeof text === 'string' ? text.length ** 2 : 1)
    if (validate instanceof RegExp) return validate.test(String(text))
    return typeof validate === 'function' ? Boolean(validate(text)) : true
  }
  return (isBare ? holds : { ...format, validate: holds }) as Format
}
