/** Sends files to the URLs of grants. A URL that cannot be sent to, or gives no answer, costs the upload, not the probe. */
import { transientFailureOf } from '../../client/transient-failure.ts'
import { UnsendableRequest } from '../../client/unsendable.ts'
import { ProbeAborted } from '../../probe-runtime/probe-aborted.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { isRedirect } from '../../trace/redirect-target.ts'

/** PUTs `body` without a key, and gives the answer; notes why when it was not sent. */
export async function uploadTo(
  grant: Answer,
  context: ProbeContext,
  type: string,
  body: string | Uint8Array,
  more: Pick<RequestSpec, 'retry' | 'isRepetition' | 'purpose' | 'expects'> = {},
): Promise<Answer | null> {
  const url = stringAt(grant.json, '/file_url')
  try {
    if (url === undefined) throw new UnsendableRequest('the grant holds no file_url.')
    return await context.send('uploadFile', { path: url, as: null, headers: [['content-type', type]], body, ...more })
  } catch (error) {
    if (!(error instanceof UnsendableRequest || isStorageAway(error))) throw error
    context.note('blocked', `Nothing was uploaded: ${error.message}`, { operation: 'uploadFile' })
    return null
  }
}

/** So long that the head of an upload has arrived, and its body has not. */
const insideBodyMs = 10

type Upload<Body> = readonly [grant: Answer, body: Body, type: string]

/** Another file arrives while the body of one is on its way: what a service keeps for all uploads is then the other's. */
export function uploadAtOnce(
  context: ProbeContext,
  {
    slow: [slow, slowBody, slowType],
    quick: [quick, quickBody, quickType],
  }: { readonly slow: Upload<string>; readonly quick: Upload<string | Uint8Array> },
): Promise<readonly (Answer | null)[]> {
  return Promise.all([
    uploadInParts(slow, context, slowType, slowBody),
    context.pause(insideBodyMs).then(() => uploadTo(quick, context, quickType, quickBody)),
  ])
}

/** The same in two parts, where the text has characters of several bytes; only the target's own host gets that. */
async function uploadInParts(grant: Answer, context: ProbeContext, type: string, body: string): Promise<Answer | null> {
  const answer = await sendInParts(grant, context, type, body)
  // Bytes are written once, to one host; a failure on the way or a redirect says nothing.
  if (answer !== null && transientFailureOf(answer.exchange) === null && !isSentOn(answer)) return answer
  return uploadTo(grant, context, type, body, { isRepetition: answer !== null })
}

const isSentOn = ({ exchange: { response } }: Answer): boolean => response !== null && isRedirect(response)

/** Over the bare socket; `null` for a URL that it does not write to, or whose host is away. */
async function sendInParts(grant: Answer, context: ProbeContext, type: string, body: string): Promise<Answer | null> {
  const url = stringAt(grant.json, '/file_url')
  if (url === undefined || !isWritable(url)) return null
  try {
    return await context.sendRaw('uploadFile', { path: url, as: null, headers: [['content-type', type]], body })
  } catch (error) {
    if (!(error instanceof UnsendableRequest || isStorageAway(error))) throw error
    return null
  }
}

/** It would write anything into the first line of a request. */
const isWritable = (url: string): boolean => /^https?:[\x21-\x7e]+$/i.test(url)

/** Files are stored on another host, which may be away while the target answers. */
const isStorageAway = (error: unknown): error is ProbeAborted =>
  error instanceof ProbeAborted && error.code === 'blocked'
