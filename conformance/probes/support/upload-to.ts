/** Sends a file to the URL of a grant. A URL that cannot be sent to, or gives no answer, costs the upload, not the probe. */
import { UnsendableRequest } from '../../client/unsendable.ts'
import { ProbeAborted } from '../../probe-runtime/probe-aborted.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'

/** PUTs `body` without a key, and gives the answer; notes why when it was not sent. */
export async function uploadTo(
  grant: Answer,
  context: ProbeContext,
  type: string,
  body: string,
  more: Pick<RequestSpec, 'retry'> = {},
): Promise<Answer | null> {
  const url = stringAt(grant.json, '/file_url')
  try {
    if (url === undefined) throw new UnsendableRequest('the grant holds no file_url.')
    return await context.send('uploadFile', { path: url, as: null, headers: [['content-type', type]], body, ...more })
  } catch (error) {
    if (!(error instanceof UnsendableRequest || isStorageAway(error))) throw error
    context.note('blocked', `Nothing was uploaded: ${error.message}`, 'uploadFile')
    return null
  }
}

/** Files are stored on another host, which may be away while the target answers. */
const isStorageAway = (error: unknown): error is ProbeAborted =>
  error instanceof ProbeAborted && error.code === 'blocked'
