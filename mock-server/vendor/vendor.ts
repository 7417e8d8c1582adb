/**
 * Has the mock answer the gaps of the contract as the target file of a vendor says. Unsupported settings are reported,
 * each with its place in the file: a silently different mock would be useless.
 */
import { type GapId, gapOf } from '../../spec/index.ts'
import { loadVariants } from '../catalogue.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { EngineRequest } from '../exchange/request.ts'
import { isObject, renameField } from '../overrides/json-edit.ts'
import { overrideAccepted } from '../overrides/replies.ts'
import { misparseRequests } from '../overrides/rules.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { Variant } from '../variants/variant.ts'
import { vendorAnswers } from './vendor-answers.ts'
import { errorStatusOverrides, refusalOverrides, statusProblem, successStatusOverrides } from './vendor-codes.ts'
import { documentEdit } from './vendor-document.ts'
import type { ThreadRequest, VendorProblem, VendorTarget } from './vendor-target.ts'
import { assistantOverrides, threadIdOverrides, threadReroute } from './vendor-threads.ts'
import { toolOverrides } from './vendor-tools.ts'

/** The settings of a mock. */
interface VendorMock {
  readonly deviations: readonly HookOverride[]
  /** For `MockOptions.reroute`. */
  readonly reroute?: (request: EngineRequest) => EngineRequest
  /** For `MockOptions.document`. */
  readonly document: (document: JsonObject) => JsonObject
  /** The unsupported settings; empty when the mock answers as the file says. */
  readonly problems: readonly VendorProblem[]
}

/** The options of a mock that answers as a vendor does. */
export async function vendorMock(target: VendorTarget): Promise<VendorMock> {
  const variants = await loadVariants()
  const problems: VendorProblem[] = []
  const deviations: HookOverride[] = []
  const take = (place: string, overrides: readonly HookOverride[] | null, problem: string, fix: string) => {
    if (overrides === null) problems.push({ place, problem, fix })
    else deviations.push(...overrides)
  }
  for (const [gap, declared] of Object.entries(target.declares)) {
    const fix = `the mock can do ${possibleAnswers(gap)}; change it, or leave it out`
    const why = statusProblem(gap, declared)
    const problem = `the mock cannot answer "${declared}"${why === null ? '' : `: ${why}`}`
    take(`declares.${gap}`, why === null ? answerOverrides(gap, declared, variants) : null, problem, fix)
  }
  const { threads, tools } = target
  const request = threads === null ? null : requestOf(threads)
  if (request === 'other') {
    const problem = `the mock makes threads on request, not by the source "${threads?.kind}"`
    problems.push({ place: 'threads', problem, fix: 'describe the request with kind http, or leave threads out' })
  } else if (request !== null) {
    deviations.push(...assistantOverrides('createThread', request.body), ...threadIdOverrides(request))
  }
  deviations.push(...assistantOverrides(['runThread', 'streamThreadRun'], target.runBody))
  if (tools !== null) {
    const fix =
      'write a pointer such as /tool_calls/*/id, and an assistantMessage with the name and arguments of a call'
    take('tools', toolOverrides(tools), `the mock cannot write calls to ${tools.callIds}`, fix)
  }
  const { status, attachment } = target.files ?? {}
  if (attachment !== undefined) {
    const problem = 'the mock attaches files as a list of their ids'
    take('files.attachment', mappedAttachment(attachment), problem, "write { file_ids: ['{{file_id}}'] }, in any field")
  }
  if (status !== undefined) {
    const problem = 'the mock tells the status of files in a field of GET /v1/files/{file_id}/status'
    take(
      'files.status',
      mappedStatus(status),
      problem,
      'write that path and a pointer such as /status, or leave it out',
    )
  }
  const reroute = request === null || request === 'other' ? null : threadReroute(request)
  return { deviations, problems, document: documentEdit(target), ...(reroute === null ? null : { reroute }) }
}

function requestOf(threads: NonNullable<VendorTarget['threads']>): ThreadRequest | 'other' {
  const request = threads as ThreadRequest
  return threads.kind === 'http' && request.method.toUpperCase() !== 'PUT' ? request : 'other'
}

/** In lower case, without needless blanks. */
const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

function answerOverrides(gap: string, declared: string, variants: readonly Variant[]): readonly HookOverride[] | null {
  if (plain(gapOf(gap)?.mockAnswer ?? '') === plain(declared)) return []
  const answers = Object.hasOwn(vendorAnswers, gap) ? vendorAnswers[gap as GapId] : undefined
  const chosen = answers !== undefined && Object.hasOwn(answers, plain(declared)) ? answers[plain(declared)] : undefined
  if (chosen !== undefined) {
    return chosen.flatMap((id) => variants.find((variant) => variant.id === id)?.overrides ?? [])
  }
  if (gap === 'errors.status-of-code') return errorStatusOverrides(declared)
  if (gap === 'http.success-status') return successStatusOverrides(declared)
  if (gap === 'files.attachment-field') return attachmentOverrides(declared)
  if (gap === 'tools.result-field' && isField(declared)) {
    return toolOverrides({ callIds: '/tool_calls/*/id', resultField: declared })
  }
  if (gap === 'tools.call-structure' && declared.startsWith('/')) {
    return toolOverrides({ callIds: declared, resultField: 'tool_call_id' })
  }
  return refusalOverrides(gap, declared)
}

const isField = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

function attachmentOverrides(field: string): readonly HookOverride[] | null {
  if (!isField(field)) return null
  const read = renameField(field, 'file_ids')
  return [
    overrideAccepted(['createMessage', 'listMessages'], renameField('file_ids', field)),
    misparseRequests('createMessage', (input) => (isObject(input.body) ? { ...input, body: read(input.body) } : input)),
  ]
}

/** A list with the id of the file, in whatever field. */
function mappedAttachment(attachment: unknown): readonly HookOverride[] | null {
  const [first, ...more] = Object.entries(Object(attachment))
  if (first === undefined || more.length > 0) return null
  const [field, value] = first
  if (JSON.stringify(value) !== '["{{file_id}}"]') return null
  return field === 'file_ids' ? [] : attachmentOverrides(field)
}

type StatusMapping = NonNullable<NonNullable<VendorTarget['files']>['status']>

/** Tells a complete file in the vendor's field and word. */
function mappedStatus({ path, pointer, complete: [complete] }: StatusMapping): readonly HookOverride[] | null {
  const field = pointer.slice(1)
  if (path !== '/v1/files/{file_id}/status' || pointer !== `/${field}` || !isField(field)) return null
  const rename = renameField('status', field)
  const tell: typeof rename = (json) =>
    rename(isObject(json) && json.status === 'ready' ? { ...json, status: complete ?? 'ready' } : json)
  return [overrideAccepted(['getFileStatus'], tell)]
}

function possibleAnswers(gap: string): string {
  const listed = Object.keys(vendorAnswers[gap as GapId] ?? {})
  if (listed.length > 0) return listed.map((answer) => `"${answer}"`).join(', ')
  const { answers = [], mockAnswer = '' } = gapOf(gap) ?? {}
  const open = answers.filter((answer) => answer.startsWith('<'))
  const forms = refusalOverrides(gap, '400 bad_request') === null ? [] : ['a status and an error_code']
  const statuses = gap === 'errors.status-of-code' || gap === 'http.success-status' ? open : []
  return [`"${mockAnswer}"`, ...forms, ...statuses].join(', ')
}
