/** Oracle about files of other tenants: if the profile maps their status, only the owning tenant may see it. */
import { areTwoTenants } from '../../history/thread-origins.ts'
import { saysComplete } from '../../history/uploaded-files.ts'
import { isAccepted, isRefusal } from '../../read/parsed-exchange.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'

/** Oracle of tenancy.foreign-file-hidden. */
export const foreignFileHidden: Oracle = (analysis, observe) => {
  for (const { tenant, upload, completed, polls } of analysis.files.values()) {
    for (const poll of polls) {
      if (!areTwoTenants(tenant, poll.tenant)) continue
      // A status that its own tenant does not get either says nothing about isolation.
      const isTold = completed !== null && completed.endedAtMs <= poll.sentAtMs
      const isSaid = saysComplete(poll, analysis.profile.files)
      // A success with another value hides the file like a refusal.
      if (isTold && !isSaid && (isRefusal(poll) || isAccepted(poll)))
        observe.held('getFileStatus', null, completed.id, poll.id)
      else if (isTold && isSaid) {
        observe.contradicted('getFileStatus', null, {
          exchanges: [upload.id, completed.id, poll.id],
          expected: 'a rejection',
          actual: answerName(poll),
          ...(analysis.profile.files.status === null ? {} : { pointer: analysis.profile.files.status.pointer }),
          because: `${poll.id} asks with the key of another tenant for the status of the file that ${upload.id} uploads, and is told that it is complete.`,
          headline: 'another tenant can read the status of a file',
        })
      } else observe.ambiguous('getFileStatus', null, poll.id, `${poll.id} got ${answerName(poll)}.`)
    }
  }
}
