/** Records the facts that a run learns about a file. Its grant says whether it is kept, a status whether it was complete. */
import type { OperationId } from '../../spec/index.ts'
import { valuesAt } from '../judge/read/json.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import type { HeaderLines } from '../trace/exchange.ts'
import { headerIn } from '../trace/headers.ts'
import { type Answer, stringAt } from './probe-response.ts'
import { type RequestSpec, tenantOf } from './request-spec.ts'

export interface GrantedFile {
  readonly id: string
  readonly tenant: TenantName
  /** The filename of its grant, if there was one. */
  readonly name: string | null
  /** The header that its grant was asked for with, if there was one. */
  readonly userId: HeaderLines
  /** The upload URL of its grant. */
  readonly url: string | null
  /** The type of the upload that was accepted; `null` before that. */
  readonly uploadedAs: string | null
  /** Whether its grant was asked for with persist, which is the default. */
  readonly isKept: boolean
  /** Whether a status said that its processing is complete. */
  readonly isComplete: boolean
}

/** The file of a new grant, or the known one with what an upload or its status says; `null` if an answer names none. */
export function fileAfter(
  files: ReadonlyMap<string, GrantedFile>,
  answer: Answer,
  operation: OperationId | null,
  ask: RequestSpec,
  profile: TargetProfile,
): GrantedFile | null {
  if (answer.outcome !== 'accepted') return null
  if (operation === 'createUploadGrant') {
    const id = stringAt(answer.json, '/file_id')
    const isKept = ask.query?.every(([name, value]) => name !== 'persist' || value !== 'false') ?? true
    const userId = ask.headers?.filter(([name]) => name === 'user-id') ?? []
    const url = stringAt(answer.json, '/file_url') ?? null
    const start = { url, uploadedAs: null, isComplete: false }
    const [, name = null] = ask.query?.find(([parameter]) => parameter === 'filename') ?? []
    return id === undefined ? null : { id, tenant: tenantOf(ask), name, userId, isKept, ...start }
  }
  if (operation === 'uploadFile') {
    const granted = [...files.values()].find(({ url }) => url !== null && url === ask.path)
    return granted === undefined ? null : { ...granted, uploadedAs: typeOf(ask) }
  }
  const file = operation === 'getFileStatus' ? files.get(ask.in?.file_id ?? '') : undefined
  const { status } = profile.files ?? {}
  if (file === undefined || status === undefined) return null
  const [value] = valuesAt(answer.json, status.pointer)
  return status.complete.some((one) => one === value) ? { ...file, isComplete: true } : file
}

/** The media type without its parameters. */
function typeOf({ headers = [] }: RequestSpec): string {
  return headerIn(headers, 'content-type')?.split(';', 1)[0] ?? ''
}
