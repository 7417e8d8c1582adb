/**
 * Finds two error codes that a profile provokes in the same way. One request gets one error, so one of the two codes could
 * only report a false violation.
 */
import type { DataProblem } from './schema-problems.ts'
import type { Provocation, TargetProfile } from './target-profile.ts'
import { type DataPath, nameOfPath } from './yaml-location.ts'

type Provoking = Partial<Pick<TargetProfile, 'provoke' | 'assistants'>>

interface Way {
  readonly code: string
  readonly path: DataPath
  /** Equal for equal requests. */
  readonly request: string
}

/** Problems of pairs: each code with the first one before it that is provoked by the same request. */
export function provocationProblems({ provoke = {}, assistants = {} }: Provoking): readonly DataProblem[] {
  const ways = [...Object.entries(provoke).map(given), ...failing(assistants)]
  return ways.flatMap(({ code, path, request }, index) => {
    const first = ways.slice(0, index).find((other) => other.request === request && other.code !== code)
    if (first === undefined) return []
    const reason = `${nameOfPath(path)} provokes ${code} with the same request as ${nameOfPath(first.path)} provokes ${first.code}`
    return [{ path, at: 'key', reason, fix: 'give each its own request, or remove one' }]
  })
}

const given = ([code, provocation]: readonly [string, Provocation]): Way => ({
  code,
  path: ['provoke', code],
  request: requestOf(provocation),
})

/** Names of headers and ids are compared without regard to case. */
function requestOf({ headers = {}, key, thread, assistant, prompt, body = {} }: Provocation): string {
  const keyed = key === undefined ? headers : { ...headers, 'api-key': key }
  const lines = Object.entries(keyed).map(([name, value]) => [name.toLowerCase(), value])
  const named = assistant === undefined ? body : { ...body, assistant_id: assistant.toLowerCase() }
  return JSON.stringify([lines.sort(), Object.entries(named).sort(), thread?.toLowerCase() ?? null, prompt ?? null])
}

const failingCodes = [
  ['timesOut', 'api_timeout_error'],
  ['unavailable', 'internal_service_error'],
] as const

function failing({ use: _, avoid: __, ...entries }: TargetProfile['assistants']): readonly Way[] {
  return Object.entries(entries).flatMap(([name, entry]) =>
    failingCodes.flatMap(([field, code]) => {
      if (Object(entry)[field] !== true) return []
      return [{ code, path: ['assistants', name, field], request: requestOf({ assistant: name }) }]
    }),
  )
}
