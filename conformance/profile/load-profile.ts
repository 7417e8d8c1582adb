/**
 * Loads acs.target.yaml as a TargetProfile: parsed, validated against the schema, references resolved, literal secrets
 * refused, defaults filled in. Every problem has a line and a fix.
 */
import { readFile } from 'node:fs/promises'
import type { Document, LineCounter } from 'yaml'
import { type Environment, hasReference, resolveReferences } from './environment.ts'
import { isLoopback } from './loopback.ts'
import { defaultBudget, minimalProfile } from './minimal-profile.ts'
import { ProfileError, type ProfileProblem } from './profile-error.ts'
import { credentialHeader } from './redact-profile.ts'
import { referenceProblems } from './reference-problems.ts'
import { type DataProblem, schemaProblems } from './schema-problems.ts'
import type { Budget, TargetProfile } from './target-profile.ts'
import { proxyUrl, transportProblems } from './transport-problems.ts'
import { type DataPath, nameOfPath, yamlLocation } from './yaml-location.ts'

interface LoadProfileOptions {
  /** Default: the process's. */
  readonly env?: Environment
}

interface ParseProfileOptions extends LoadProfileOptions {
  /** Name of the file in messages. */
  readonly file: string
}

/** Reads a profile file. Throws ProfileError, or the system's error when it cannot be read. */
export const loadProfile = async (file: string, options: LoadProfileOptions = {}): Promise<TargetProfile> =>
  parseProfile(await readFile(file, 'utf8'), { ...options, file })

/** The same for a text. */
export const parseProfile = async (text: string, options: ParseProfileOptions): Promise<TargetProfile> => {
  const { file, env = process.env } = options
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = [...document.errors, ...document.warnings]
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0])
    const reason = `not YAML (${broken.message.split('\n')[0]})`
    // In braces, where profiles often write a key, a reference is YAML only in quotes.
    const isBare = /[{,]\s*\w+:\s*\$\{/.test(text.split('\n')[line - 1] ?? '')
    const fix = isBare ? 'put quotes around the reference' : 'fix the syntax'
    throw new ProfileError({ file, line, column: col, reason, fix }, [], { cause: broken })
  }
  const written = dataOf(document, file)
  refuse(await schemaProblems(written ?? {}), document, lines, file)
  const { data, secrets, problems } = resolveReferences(written, env)
  refuse([...problems, ...baseUrlProblems(data), ...literalSecrets(written, data)], document, lines, file)
  const { transport } = data as WrittenProfile
  refuse([...referenceProblems(data as WrittenProfile), ...transportProblems(transport)], document, lines, file)
  return withDefaults(data as WrittenProfile, secrets)
}

const dataOf = (document: Document.Parsed, file: string): unknown => {
  try {
    return document.toJS()
  } catch (cause) {
    const reason = `not usable (${cause instanceof Error ? cause.message : String(cause)})`
    throw new ProfileError({ file, line: 1, column: 1, reason, fix: 'write it without aliases' }, [], { cause })
  }
}

/** A profile as it is written: everything but the base URL and the primary tenant may be left out. */
type WrittenProfile = Pick<TargetProfile, 'baseUrl' | 'tenants'> &
  Partial<Omit<TargetProfile, 'budget'>> & { readonly budget?: Partial<Budget>; readonly $schema?: string }

const withDefaults = (written: WrittenProfile, secrets: readonly string[]): TargetProfile => {
  const { baseUrl, tenants, budget, $schema: _, ...rest } = written
  return { ...minimalProfile(baseUrl, tenants), ...rest, budget: { ...defaultBudget, ...budget }, secrets }
}

const refuse = (
  problems: readonly DataProblem[],
  document: Document.Parsed,
  lines: LineCounter,
  file: string,
): void => {
  const placed = problems
    .map(
      ({ path, at, reason, fix }): ProfileProblem => ({
        file,
        ...yamlLocation(document, lines, path, at),
        reason,
        fix,
      }),
    )
    .sort((left, right) => left.line - right.line || left.column - right.column)
  const [first, ...others] = placed
  if (first !== undefined) throw new ProfileError(first, others)
}

const fieldAt = (data: unknown, path: DataPath): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    data,
  )

const baseUrlProblems = (data: unknown): readonly DataProblem[] => {
  const text = String(fieldAt(data, ['baseUrl']))
  const fix = 'write it like https://acs.example/base'
  const problem = (reason: string): readonly DataProblem[] => [
    { path: ['baseUrl'], at: 'value', reason: `baseUrl ${reason}`, fix },
  ]
  if (hasReference(text)) return []
  if (!URL.canParse(text)) return problem('is not a URL')
  const { protocol, search, hash, username, password } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return problem('is neither http nor https')
  // A URL parser repairs a text that no request can be sent to.
  if (!/^https?:\/\/[^/\\]/i.test(text)) return problem('is not a URL')
  if (search !== '' || hash !== '') return problem('has a query or a fragment')
  return username === '' && password === '' ? [] : problem('contains a user name or a password')
}

const secretPaths = (written: unknown): readonly DataPath[] => {
  const namesAt = (path: DataPath): readonly DataPath[] =>
    Object.keys(fieldAt(written, path) ?? {}).map((name) => [...path, name])
  const headerMaps: readonly DataPath[] = [
    ['threads', 'headers'],
    ['transport', 'headers'],
    ...namesAt(['provoke']).map((path) => [...path, 'headers']),
  ]
  const headers = headerMaps.flatMap(namesAt).filter((path) => credentialHeader.test(String(path.at(-1))))
  const provokingKeys = namesAt(['provoke'])
    .map((path) => [...path, 'key'])
    .filter((path) => fieldAt(written, path) !== undefined)
  const hasPassword = (proxyUrl(String(fieldAt(written, ['transport', 'proxy']) ?? ''))?.password ?? '') !== ''
  const passphrase: DataPath = ['transport', 'clientKeyPassphrase']
  return [
    ...namesAt(['tenants']).map((path) => [...path, 'key']),
    ...provokingKeys,
    ...headers,
    ...(hasPassword ? [['transport', 'proxy']] : []),
    ...(fieldAt(written, passphrase) === undefined ? [] : [passphrase]),
  ]
}

/** A profile is meant to be committed; only the demo keys of a server on this machine are no secret. */
const literalSecrets = (written: unknown, data: unknown): readonly DataProblem[] => {
  const baseUrl = String(fieldAt(data, ['baseUrl']))
  if (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)) return []
  return secretPaths(written)
    .filter((path) => !hasReference(String(fieldAt(written, path))))
    .map((path) => ({
      path,
      at: 'value',
      reason: `${nameOfPath(path)} is a literal secret`,
      fix: `put it in an environment variable and refer to it: \${ACS_API_KEY}`,
    }))
}
