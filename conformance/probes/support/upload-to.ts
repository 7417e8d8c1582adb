/** Sends a file to the URL of a grant. A URL that cannot be sent to costs the upload, not the probe. */
import { UnsendableRequest } from '../../client/unsendable.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'

/** PUTs `body` without a key; notes why when it was not sent. */
export async function uploadTo(grant: Answer, context: ProbeContext, type: string, body: string): Promise<void> {
  const url = stringAt(grant.json, '/file_url')
  if (url === undefined) return context.note('blocked', 'The grant holds no file_url.', 'uploadFile')
  try {
    await context.send('uploadFile', { path: url, as: null, headers: [['content-type', type]], body })
  } catch (error) {
    if (!(error instanceof UnsendableRequest)) throw error
    context.note('blocked', `Nothing was uploaded: ${error.message}`, 'uploadFile')
  }
}
