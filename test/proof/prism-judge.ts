/**
 * Judges recorded answers with the validation engine of Prism, as a function of request and response.
 * The network step is replaced by the recorded answer; the schema library is another than ours.
 */
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http'
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'

/** One answer to judge; of a stream one chunk. */
export interface Observed {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: unknown
  readonly status: number
  readonly contentType: string
  readonly body: unknown
}

/** Gives what Prism finds wrong with an answer, `pointer code`. */
export type PrismJudge = (observed: Observed) => Promise<readonly string[]>

const noLog = (): void => {}
const logger = {
  info: noLog,
  warn: noLog,
  error: noLog,
  debug: noLog,
  trace: noLog,
  fatal: noLog,
  success: noLog,
  child: () => logger,
}

/** A judge by a document. */
export async function prismJudge(document: JsonObject): Promise<PrismJudge> {
  const operations = await getHttpOperationsFromSpec(structuredClone(document) as object)
  const config = {
    isProxy: true,
    upstream: new URL('http://acs.test'),
    validateRequest: false,
    validateResponse: true,
    checkSecurity: false,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  } as const
  return async ({ method, url, requestHeaders, requestBody, status, contentType, body }) => {
    const observed = { statusCode: status, headers: { 'content-type': contentType }, body }
    const forward = () => () => () => Promise.resolve({ _tag: 'Right', right: observed })
    const prism = createInstance(config, { logger, forward } as never)
    const { pathname, searchParams } = new URL(url)
    const input: IHttpRequest = {
      method: method.toLowerCase() as IHttpRequest['method'],
      url: { path: pathname, query: Object.fromEntries(searchParams) },
      headers: { ...requestHeaders },
      body: requestBody,
    }
    const result = await prism.request(input, operations)()
    if (result._tag === 'Left') return [`/ ${result.left.message}`]
    return result.right.validations.output.map(
      ({ path, code, message }) => `/${path?.join('/') ?? ''} ${code ?? message}`,
    )
  }
}

/** The document with the schema of a line where the schema of the whole stream stood, so that single chunks are judged. */
export function withItemSchemas(document: JsonObject): JsonObject {
  return replaced(document) as JsonObject
}

function replaced(value: Json): Json {
  if (Array.isArray(value)) return value.map(replaced)
  if (!isJsonObject(value)) return value
  const { 'x-itemSchema': itemSchema, ...fields } = value
  const changed = itemSchema === undefined ? fields : { schema: itemSchema }
  return Object.fromEntries(Object.entries(changed).map(([name, each]) => [name, replaced(each as Json)]))
}
