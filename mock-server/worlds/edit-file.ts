/**
 * Changes files of a world: name, retention and status. A status follows from upload, clock and scenario; one that cannot
 * follow is refused with the reason.
 */
import { retentionSeconds } from '../machine/file-limits.ts'
import { statusOf, uploadSignature } from '../machine/files.ts'
import type { State, StoredFile } from '../machine/state.ts'
import type { ResolvedFiles } from '../scenario/resolved-scenario.ts'
import { type FieldRules, flag, oneOf, optional, text } from '../state-file/field-rules.ts'
import { applied, refusalOf, wholly } from './apply-seed.ts'
import { refuseFile } from './draft-faults.ts'
import { SeedError } from './seed-error.ts'
import { mediaTypeOf, uploadOf } from './seed-file.ts'
import type { World } from './world.ts'

const statuses = ['awaiting_upload', 'processing', 'ready', 'failed', 'removed'] as const
type FileStatus = (typeof statuses)[number]

export interface FileEdit {
  readonly filename?: string
  readonly persist?: boolean
  readonly status?: FileStatus
  /** The uploaded text, if the file still waits for it; default: empty. */
  readonly content?: string
}

const rules: FieldRules = {
  filename: optional({ ...text, fits: (value) => text.fits(value) && value !== '', message: 'must be a name' }),
  persist: optional(flag),
  status: optional(oneOf(...statuses)),
  content: optional(text),
}

/** Changes a file; `null` removes it, which an attachment forbids. Throws a SeedError. */
export function editFile(world: World, id: string, edit: FileEdit | null): void {
  const { state } = world
  const file = state.files.get(id)
  if (file === undefined) throw refusalOf({ reason: 'unknown-file' }, ['file'])
  if (edit === null) {
    if (isAttached(state, id)) throw refused('file', 'is attached to a message; take it off that message first')
    world.replace({ ...state, files: state.files.without(id) })
    return
  }
  wholly(world, edit, rules, () => {
    const { filename = file.filename, persist = file.persist, status } = edit
    refuseFile(filename, file.userId, [])
    const named = { ...file, filename, persist }
    put(world, named)
    if (status !== undefined) put(world, withStatus(world, named, status, edit.content ?? ''))
  })
}

function put(world: World, file: StoredFile): void {
  world.replace({ ...world.state, files: world.state.files.set(file.id, file) })
}

function isAttached({ threads }: State, id: string): boolean {
  return threads.some(({ log }) => [...log].some((bytes) => Buffer.from(bytes).includes(id)))
}

/** The file, uploaded at a time from which the status follows. */
function withStatus(world: World, file: StoredFile, status: FileStatus, content: string): StoredFile {
  const script = world.machine.scenario.files
  const nowUs = world.clock.nowUs()
  if (status === 'awaiting_upload') return { ...file, upload: null, polls: 0 }
  const upload = file.upload ?? uploadNow(world, file, content)
  const atUs = {
    processing: nowUs,
    ready: nowUs - script.readyAfterUs,
    failed: nowUs - script.readyAfterUs,
    removed: nowUs - retentionSeconds * 1_000_000,
  }[status]
  const polls = status === 'processing' ? 0 : Math.max(file.polls, script.readyAfterPolls)
  const changed = { ...file, upload: { ...upload, atUs }, polls }
  if (statusOf(script, changed, nowUs) !== status) throw refused('status', whyNot(script, file, status))
  return changed
}

/** The upload that a client would make to the granted URL, by its rules. */
function uploadNow(world: World, file: StoredFile, content: string): NonNullable<StoredFile['upload']> {
  const expires = String(file.expiresAtUs)
  const query = new URLSearchParams({ expires, signature: uploadSignature(world.machine, file.id, expires) })
  const url = `http://127.0.0.1/?${query}`
  applied(world, uploadOf(file.id, url, content, mediaTypeOf(file.filename, [])), [])
  const upload = world.state.files.get(file.id)?.upload
  if (upload === undefined || upload === null) throw new Error('an upload is stored')
  return upload
}

/** Why a file cannot have a status. */
function whyNot({ fails }: ResolvedFiles, { filename }: StoredFile, status: FileStatus): string {
  if (status === 'removed') return 'cannot be "removed": the file stays, since persist is true'
  if (status === 'processing')
    return 'cannot be "processing": the scenario names no ready_after_seconds or ready_after_polls'
  const fits = fails?.test(filename) === true ? 'fits' : 'does not fit'
  return `cannot be "${status}": fails_when_named of the scenario ${fits} "${filename}"`
}

function refused(field: string, message: string): SeedError {
  return new SeedError('seed-invalid-fields', [{ loc: [field], message, type: 'value_error' }])
}
