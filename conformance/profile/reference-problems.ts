/**
 * Finds names in a profile that refer to nothing, and threads that are listed twice. Such names are unknown gaps, answers,
 * error codes and placeholders, and tenants without a key. The schema cannot detect them, and a run would ignore them.
 */
import { errorRowOf, errorTable, gapOf, gaps, operations } from '../../spec/index.ts'
import { provocationProblems } from './provocation-problems.ts'
import { type DataProblem, nearest } from './schema-problems.ts'
import type { TargetProfile } from './target-profile.ts'
import { nameOfPath } from './yaml-location.ts'

type Referring = Pick<TargetProfile, 'tenants'> &
  Partial<Pick<TargetProfile, 'declares' | 'threads' | 'provoke' | 'runBody' | 'assistants' | 'tools' | 'files'>>

/** Problems of a profile that fits its schema. */
export function referenceProblems(profile: Referring): readonly DataProblem[] {
  const { tenants, declares = {}, threads = null, provoke = {}, runBody, assistants, tools, files } = profile
  const listed = threads?.kind === 'static' ? threads.threads : []
  return [
    ...Object.keys(declares)
      .filter((id) => gapOf(id) === undefined)
      .map(unknownGap),
    ...Object.entries(declares).flatMap(unknownAnswer),
    ...Object.keys(provoke)
      .filter((code) => errorRowOf(code) === undefined)
      .map(unknownCode),
    ...provocationProblems(profile),
    ...keylessThreads(listed, tenants),
    ...repeatedThreads(listed),
    ...misusedSettings(profile),
    ...misusedFiles(files),
    ...Object.entries({ threads, runBody, assistants, tools, files }).flatMap(([field, template]) =>
      mistypedPlaceholders(template, [field]),
    ),
  ]
}

function unknownGap(id: string): DataProblem {
  const path = ['declares', id]
  const meant = nearest(
    id,
    gaps.map((gap) => gap.id),
  )
  const fix = meant === undefined ? 'see acs list gaps' : `did you mean "${meant}"?`
  return {
    path,
    at: 'key',
    reason: `${nameOfPath(['declares'])} names the question "${id}", which does not exist`,
    fix,
  }
}

/** An answer of several parts is declared part by part; where the row describes its answers, any text may be one. */
function unknownAnswer([id, declared]: readonly [string, string]): readonly DataProblem[] {
  const misnamed = [...declared.matchAll(/[\w-]+/g)].flatMap(([name]) => {
    const meant = nearest(name, namesIn[id] ?? [])
    return meant === undefined || isSameText(meant, name) ? [] : [{ name, meant }]
  })[0]
  if (misnamed !== undefined) {
    const { name, meant } = misnamed
    return [problemAt(['declares', id], `names "${name}", which does not exist`, `did you mean "${meant}"?`)]
  }
  const answers: readonly string[] = gapOf(id)?.answers ?? []
  if (answers.length === 0 || answers.some((answer) => answer.startsWith('<'))) return []
  const wrong = declared.split(';').find((part) => !answers.some((answer) => isSameText(answer, part)))
  if (wrong === undefined) return []
  const path = ['declares', id]
  const listed = answers.map((answer) => JSON.stringify(answer)).join(', ')
  return [
    problemAt(path, `has the answer ${JSON.stringify(wrong.trim())}, which is not one of its answers`, `use ${listed}`),
  ]
}

/** The kind of names in the answers to these questions. */
const namesIn: Readonly<Record<string, readonly string[]>> = {
  'http.success-status': Object.keys(operations),
  'errors.status-of-code': Object.keys(errorTable),
}

const isSameText = (left: string, right: string): boolean => plain(left) === plain(right)
const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

function unknownCode(code: string): DataProblem {
  const meant = nearest(code, Object.keys(errorTable))
  return {
    path: ['provoke', code],
    at: 'key',
    reason: `${nameOfPath(['provoke'])} names the error "${code}", which the contract does not have`,
    fix: meant === undefined ? `use ${Object.keys(errorTable).join(', ')}` : `did you mean "${meant}"?`,
  }
}

/** The known placeholders; other names may belong to a template of the target. */
const placeholders = ['assistant_id', 'user_id', 'thread_id', 'tool_call_id', 'file_id', 'tenant', 'base_url']

function mistypedPlaceholders(template: unknown, path: readonly (string | number)[]): readonly DataProblem[] {
  if (typeof template === 'object' && template !== null) {
    const keyOf = (key: string): string | number => (Array.isArray(template) ? Number(key) : key)
    return Object.entries(template).flatMap(([key, value]) => mistypedPlaceholders(value, [...path, keyOf(key)]))
  }
  return [...String(template).matchAll(/\{\{\s*(\w+)\s*\}\}/g)].flatMap(([written, name = '']) => {
    const meant = nearest(name, placeholders)
    if (meant === undefined || written === `{{${meant}}}`) return []
    const reason = `${nameOfPath(path)} has the placeholder ${written}, which nothing fills in`
    return [{ path, at: 'value', reason, fix: `did you mean {{${meant}}}?` }]
  })
}

type StaticThreads = Extract<TargetProfile['threads'], { readonly kind: 'static' }>['threads']

function keylessThreads(threads: StaticThreads, tenants: TargetProfile['tenants']): readonly DataProblem[] {
  return threads.flatMap(({ tenant }, index) => {
    if (tenants[tenant] !== undefined) return []
    const path = ['threads', 'threads', index, 'tenant']
    const reason = `${nameOfPath(path)} is ${tenant}, but tenants has no such key`
    return [{ path, at: 'value', reason, fix: `add tenants.${tenant}, or remove the thread` }]
  })
}

function repeatedThreads(threads: StaticThreads): readonly DataProblem[] {
  const ids = threads.map(({ id }) => id.toLowerCase())
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id)
    if (first === index) return []
    const path = ['threads', 'threads', index, 'id']
    const reason = `${nameOfPath(path)} is already listed, as ${nameOfPath(['threads', 'threads', first, 'id'])}`
    return [{ path, at: 'value', reason, fix: 'list each thread once' }]
  })
}

const problemAt = (path: DataProblem['path'], reason: string, fix: string): DataProblem => ({
  path,
  at: 'value',
  reason: `${nameOfPath(path)} ${reason}`,
  fix,
})

/** Settings that could only make a correct service look faulty, or that have no effect. */
function misusedSettings({ tenants, threads, tools, assistants = {}, provoke = {} }: Referring) {
  const problems: DataProblem[] = []
  if (threads?.kind === 'http' && contractPaths.some((path) => path.test(threads.path)))
    problems.push(
      problemAt(
        ['threads', 'path'],
        'is an operation of the contract, and none of these creates an empty thread',
        'name another',
      ),
    )
  if (tools != null && ['role', 'content'].includes(tools.resultField))
    problems.push(
      problemAt(['tools', 'resultField'], 'is a field that every message has', 'name the field with the call id'),
    )
  for (const [code, { key }] of Object.entries(provoke))
    if (Object.values(tenants).some((tenant) => tenant?.key === key))
      problems.push(
        problemAt(
          ['provoke', code, 'key'],
          'is the key of a tenant, which the target accepts',
          'use a key that provokes it',
        ),
      )
  for (const [name, entry] of Object.entries(assistants)) {
    if (entry === undefined || !('body' in entry || 'timesOut' in entry || 'unavailable' in entry)) continue
    const { timesOut, unavailable } = entry
    const body: Readonly<Record<string, unknown>> = Object(entry.body)
    if (name === '*' && (timesOut === true || unavailable === true))
      problems.push(
        problemAt(['assistants', name], 'leaves no assistant that the suite can ask', 'name only those that fail'),
      )
    for (const field of ownFields.filter((one) => Object.hasOwn(body, one) && !/\{\{/.test(String(body[one]))))
      problems.push(
        problemAt(['assistants', name, 'body', field], 'is a field that the suite writes itself', 'remove it'),
      )
  }
  return problems
}

/** A mapping that would ask an operation of the contract, or attach nothing. */
function misusedFiles({ status, attachment }: NonNullable<Referring['files']> = {}): readonly DataProblem[] {
  const problems: DataProblem[] = []
  if (status !== undefined && contractPaths.some((path) => path.test(status.path)))
    problems.push(
      problemAt(
        ['files', 'status', 'path'],
        'is an operation of the contract, and none of these returns a status',
        'name another',
      ),
    )
  const shared = status?.complete.find((value) => status.failed?.includes(value) === true)
  if (shared !== undefined)
    problems.push(
      problemAt(
        ['files', 'status', 'failed'],
        `has ${JSON.stringify(shared)}, which is also in complete`,
        'list each value once',
      ),
    )
  const fields = Object.keys(Object(attachment))
  if (attachment !== undefined && !JSON.stringify(attachment).includes('{{file_id}}'))
    problems.push(problemAt(['files', 'attachment'], 'does not name a file', "write '{{file_id}}' where its id goes"))
  for (const field of fields.filter((one) => one === 'role' || one === 'content'))
    problems.push(
      problemAt(
        ['files', 'attachment', field],
        'is a field that every message has',
        'name the fields that carry the file',
      ),
    )
  return problems
}

/** The fields that probes set in a completion. */
const ownFields = ['assistant_id', 'messages', 'thread_id']

const contractPaths = Object.values(operations).flatMap(({ path, profile }) =>
  path === null || profile === 'reference' ? [] : new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?.*)?$`),
)
