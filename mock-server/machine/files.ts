/**
 * Files: the grant, the upload to its signed URL, the status (contract: Endpoints / GET /v1/files/signed-url).
 * The URL's HMAC covers file and expiry; what was uploaded is kept as size, type and digest.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { uuidOf } from '../randomness/uuid.ts'
import type { MachineReasonId } from '../reasons/machine-reasons.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { ResolvedFiles } from '../scenario/resolved-scenario.ts'
import type { CreateUploadGrantCommand, GetFileStatusCommand, UploadFileCommand } from './command.ts'
import { fileLimits, grantLifetimeSeconds, isRemoved } from './file-limits.ts'
import type { Machine } from './machine.ts'
import { reject } from './reject.ts'
import type { Outcome } from './reply.ts'
import type { State, StoredFile } from './state.ts'
import { requestKey } from './threads.ts'

/** Grants one upload. */
export function createUploadGrant(
  machine: Machine,
  state: State,
  command: CreateUploadGrantCommand,
  tickUs: number,
): Outcome {
  const { key, state: counted } = requestKey(machine, state, command)
  const id = machine.domainHooks.createId('file', uuidOf(key), { command, state, thread: null })
  const expiresAtUs = tickUs + grantLifetimeSeconds * 1_000_000
  const file: StoredFile = {
    id,
    tenantId: command.caller.tenant.id,
    userId: command.userId,
    filename: command.filename,
    persist: command.persist,
    expiresAtUs,
    upload: null,
    polls: 0,
  }
  const signature = uploadSignature(machine, id, String(expiresAtUs))
  const json = {
    file_id: id,
    file_url: `${command.baseUrl}/v1/uploads/${id}?expires=${expiresAtUs}&signature=${signature}`,
    expires_in: grantLifetimeSeconds,
    file_limits: { allowed_types: fileLimits.allowedTypes, max_size: fileLimits.maxSizeBytes },
  }
  return { state: { ...counted, files: counted.files.set(id, file) }, reply: { kind: 'document', json } }
}

/** Receives the file that a grant allowed. */
export function uploadFile(machine: Machine, state: State, command: UploadFileCommand, tickUs: number): Outcome {
  const file = state.files.get(command.fileId)
  const refused = uploadFault(machine, state, command, file, tickUs)
  if (refused !== null) return reject(state, refused.reason, refused.faults)
  if (file === undefined) return reject(state, 'bad-upload-signature')
  const { sizeBytes, mediaType, sha256 } = command
  const stored = { ...file, upload: { sizeBytes, mediaType, sha256, atUs: tickUs } }
  return { state: { ...state, files: state.files.set(file.id, stored) }, reply: { kind: 'uploaded' } }
}

function uploadFault(
  machine: Machine,
  state: State,
  command: UploadFileCommand,
  file: StoredFile | undefined,
  tickUs: number,
): { readonly reason: MachineReasonId; readonly faults?: readonly FieldFault[] } | null {
  const context = { command, state, thread: null }
  const { checkRule } = machine.domainHooks
  const forged = file === undefined || !sameText(uploadSignature(machine, file.id, command.expires), command.signature)
  if (checkRule('bad-upload-signature', forged, context)) return { reason: 'bad-upload-signature' }
  if (checkRule('upload-expired', tickUs >= Number(command.expires), context)) return { reason: 'upload-expired' }
  if (checkRule('already-uploaded', (file?.upload ?? null) !== null, context)) {
    return { reason: 'already-uploaded' }
  }
  const allowed: readonly string[] = fileLimits.allowedTypes
  if (checkRule('file-type-not-allowed', !allowed.includes(command.mediaType), context)) {
    const message = `must be one of ${allowed.join(', ')}`
    return {
      reason: 'file-type-not-allowed',
      faults: [{ loc: ['header', 'content-type'], message, type: 'literal_error' }],
    }
  }
  if (checkRule('file-too-large', command.sizeBytes > fileLimits.maxSizeBytes, context)) {
    const message = `must have at most ${fileLimits.maxSizeBytes} bytes`
    return { reason: 'file-too-large', faults: [{ loc: ['body'], message, type: 'too_long' }] }
  }
  return null
}

/** Answers with the status of a file. */
export function getFileStatus(machine: Machine, state: State, command: GetFileStatusCommand, tickUs: number): Outcome {
  const file = state.files.get(command.fileId.toLowerCase())
  const foreign = file?.tenantId !== command.caller.tenant.id
  const broken = machine.domainHooks.checkRule('unknown-file', foreign, { command, state, thread: null })
  if (broken || file === undefined) return reject(state, 'unknown-file')
  const json = { file_id: file.id, status: statusOf(machine.scenario.files, file, tickUs) }
  const read = file.upload === null ? file : { ...file, polls: file.polls + 1 }
  return { state: { ...state, files: state.files.set(file.id, read) }, reply: { kind: 'document', json } }
}

/** The status of a file. */
export function statusOf(script: ResolvedFiles, file: StoredFile, tickUs: number): string {
  const { upload } = file
  if (upload === null) return 'awaiting_upload'
  if (isRemoved(file, tickUs)) return 'removed'
  if (tickUs < upload.atUs + script.readyAfterUs || file.polls < script.readyAfterPolls) return 'processing'
  return script.fails?.test(file.filename) === true ? 'failed' : 'ready'
}

/** What the signed URL of a file carries beside the end of its time. */
export function uploadSignature(machine: Machine, fileId: string, expires: string): string {
  return createHmac('sha256', machine.secret).update(`upload ${fileId} ${expires}`).digest('hex')
}

function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}
