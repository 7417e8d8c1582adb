/**
 * Finds the part that a line of a trace belongs to, mostly without parsing the line. The facts are its threads, uploads
 * and key; a fact that the quick scan does not find is read from the parsed record.
 */
import { Buffer } from 'node:buffer'
import { type OperationId, operations } from '../../../spec/index.ts'
import type { Exchange } from '../../trace/exchange.ts'
import { parseRecord } from '../../trace/trace.ts'
import { answeredThread, madeThread, threadPointer } from '../history/thread-origins.ts'
import { attachedBy, attachmentField } from '../history/uploaded-files.ts'
import type { JudgeProfile } from '../judge-profile.ts'
import { idField, lowerCase, threadKey, uuidForm } from '../read/formats.ts'
import {
  documentOf,
  headerValue,
  isAccepted,
  type ParsedExchange,
  parseContext,
  parseExchange,
  uploadUrl,
} from '../read/parsed-exchange.ts'
import { addressOf, siteOf } from '../read/route.ts'

export interface LineFacts {
  readonly id: string
  readonly operation: OperationId | null
  /** The key as it was sent. */
  readonly key: string | null
  /** Threads and uploads: lines that share one are judged together. */
  readonly links: readonly string[]
}

/**
 * Method, URL and key stand before the body of the request, which may be a file of many megabytes and need not be scanned.
 * No text of a record can hold this mark, since its quotes would be escaped.
 */
const endOfHead = Buffer.from('],"body":')
const opening = /^\{"kind":"exchange","id":"([^"\\]+)",.*?"request":\{"method":"([^"\\]+)","url":"([^"\\]+)"/
const keyLine = /\["api-key","([^"\\]*)"\]/i
/** Reads facts off lines of one trace. */
export function createLineReader(profile: JudgeProfile): (line: Buffer, number: number) => LineFacts {
  const site = siteOf(profile.baseUrl, profile.files.status?.path ?? null)
  const mayTellOfFile = fileLines(profile)
  return (line, number) => {
    const end = line.indexOf(endOfHead)
    const head = line.toString('latin1', 0, end < 0 ? line.length : end)
    const found = opening.exec(head)
    const [, id, method, url] = found ?? []
    if (id === undefined || method === undefined || url === undefined) return wholeFacts(line, number, profile)
    const { route, query } = addressOf(method, url, site)
    const thread = route?.params.thread_id
    const operation = route?.operation ?? null
    if (mayTellOfFile(operation, line)) return wholeFacts(line, number, profile)
    const asked = query.find(([name]) => name === 'thread_id')?.[1]
    const own = [thread, asked].flatMap((one) => (isLinking(one, line) ? `thread ${threadKey(one)}` : []))
    const key = keyLine.exec(head)?.[1]
    const isSettled = thread !== undefined || (operation !== null && withoutThread.has(operation))
    const given = isSettled ? [] : linksOfAnswer(line, operation)
    const mayMakeThread = !isSettled && given?.length === 0 && threadPointer(method, url, profile) !== null
    if (given === null || mayMakeThread) return wholeFacts(line, number, profile)
    const links = [...own, ...given, ...(method === 'PUT' ? [`upload ${url}`] : [])]
    return { id, operation, key: key ?? null, links }
  }
}

/** Lines that may mention a file that the profile maps; there are few of them. */
function fileLines({ files }: JudgeProfile): (operation: OperationId | null, line: Buffer) => boolean {
  if (files.status === null && files.attachment === null) return () => false
  const field = attachmentField(files)
  return (operation, line) =>
    operation === 'createUploadGrant' ||
    operation === 'getFileStatus' ||
    (operation === 'createMessage' && field !== null && line.indexOf(JSON.stringify(field).slice(1, -1)) >= 0)
}

/** Made-up ids that were refused name no thread, and one of them may stand in many lines. */
function isLinking(id: string | undefined, line: Buffer): id is string {
  if (id === undefined || id === '' || id === 'null') return false
  return uuidForm(id) !== 'wrong' || line.indexOf('"response":{"status":2') >= 0
}

/** Operations that neither are about a thread nor make one. */
const withoutThread: ReadonlySet<OperationId> = new Set(['listAssistants', 'getAssistant', 'listMyApiKeys'])

/** The fields of answers that name a thread or an upload, with a value that a line shows as it is. */
const linkingFields = {
  thread_id: /\\"thread_id\\":\s*\\"([^"\\]{1,80})\\"/g,
  id: /\\"id\\":\s*\\"([^"\\]{1,80})\\"/g,
  file_url: /\\"file_url\\":\s*\\"([!#-[\]-~]+)\\"/g,
}

function linkingField(operation: OperationId | null): keyof typeof linkingFields | null {
  if (operation === 'createThread') return 'id'
  if (operation === 'createUploadGrant') return 'file_url'
  return operation !== null && operations[operation].chapter === 'completions' ? 'thread_id' : null
}

/** The links that an answer gives; `null` where a line does not show them for sure. */
function linksOfAnswer(line: Buffer, operation: OperationId | null): readonly string[] | null {
  const field = linkingField(operation)
  if (field === null) return []
  const start = line.indexOf('"response":{')
  if (start < 0) return line.indexOf('"response":null') < 0 ? null : []
  const answer = line.toString('latin1', start)
  const values = new Set(Array.from(answer.matchAll(linkingFields[field]), ([, value = '']) => value))
  if (values.size === 0) return isPlain(answer) && !answer.includes(`${field}\\"`) ? [] : null
  const links = [...values].map((value) =>
    field === 'file_url' ? `upload ${value.replace(/#.*/, '')}` : `thread ${threadKey(value)}`,
  )
  return field === 'id' ? links.slice(0, 1) : links
}

/** Whether a name that stands in the answer stands in its line: in one piece of text, and without escapes. */
function isPlain(answer: string): boolean {
  const piece = '"utf8":'
  const isOne = answer.indexOf(piece) === answer.lastIndexOf(piece)
  return isOne && !answer.includes('"base64":') && !answer.includes('\\u')
}

function wholeFacts(line: Buffer, number: number, profile: JudgeProfile): LineFacts {
  return factsOf(parseRecord(Buffer.from(line).toString(), number) as Exchange, profile)
}

/** The same facts, read out of a record. */
export function factsOf(exchange: Exchange, profile: JudgeProfile): LineFacts {
  const parsed = parseExchange(exchange, 0, parseContext(profile))
  const asked = parsed.query.find(([name]) => name === 'thread_id')?.[1]
  const named = [parsed.params.thread_id, asked].filter(
    (id) => id !== undefined && id !== '' && id !== 'null' && (isAccepted(parsed) || uuidForm(id) !== 'wrong'),
  )
  const threads = [...named, answeredThread(parsed), madeThread(parsed, profile)]
  const url = parsed.operation === 'createUploadGrant' ? uploadUrl(documentOf(parsed)) : exchange.request.url
  const isUpload = parsed.operation === 'createUploadGrant' || exchange.request.method === 'PUT'
  return {
    id: exchange.id,
    operation: parsed.operation,
    key: headerValue(exchange, 'api-key') ?? null,
    links: [
      ...threads.flatMap((id) => (id === undefined || id === null ? [] : `thread ${threadKey(id)}`)),
      ...(isUpload && url !== null ? [`upload ${url}`] : []),
      ...fileLinks(parsed, profile),
    ],
  }
}

/** A file links its grant, its status and the messages that attach it. */
function fileLinks(parsed: ParsedExchange, { files }: JudgeProfile): readonly string[] {
  if (files.status === null && files.attachment === null) return []
  const granted = parsed.operation === 'createUploadGrant' ? idField(documentOf(parsed), 'file_id') : null
  const attached = parsed.operation === 'createMessage' ? attachedBy(parsed, files) : null
  return [granted, parsed.params.file_id, attached].flatMap((id) => (id == null ? [] : `file ${lowerCase(id)}`))
}
