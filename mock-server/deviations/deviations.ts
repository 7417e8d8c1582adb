/**
 * Lists the deviations of the mock, each under the one requirement that it breaks.
 * By its type the table covers every testable requirement; nothing outside of this folder knows how a deviation works.
 */
import type { Chapter, RequirementId } from '../../spec/index.ts'
import type { Deviation } from '../exchange/hooks.ts'
import { assistantReads } from './assistants/reads.ts'
import { assistantRecords } from './assistants/records.ts'
import { authDeviations } from './auth/auth.ts'
import collateral from './collateral.json' with { type: 'json' }
import { completionAssistants } from './completions/assistants.ts'
import { completionFaults } from './completions/invalid-requests.ts'
import { completionMessages } from './completions/messages.ts'
import { completionThreads } from './completions/threads.ts'
import type { DeviationRow, DeviationTable } from './deviation-row.ts'
import { errorBodies } from './errors/bodies.ts'
import { errorCodes } from './errors/codes.ts'
import { errorFaults } from './errors/field-errors.ts'
import { errorLimits } from './errors/limits.ts'
import { errorTexts } from './errors/texts.ts'
import { fileAttachments } from './files/attachments.ts'
import { fileGrants } from './files/grants.ts'
import { fileRequests } from './files/requests.ts'
import { fileUploads } from './files/uploads.ts'
import { httpBodies } from './http/bodies.ts'
import { httpService } from './http/service.ts'
import { pageLimits } from './pagination/limits.ts'
import { pageOrder } from './pagination/order.ts'
import { pageReads } from './pagination/reads.ts'
import { pageShapes } from './pagination/shapes.ts'
import { pageWalks } from './pagination/walks.ts'
import { answerShapes } from './resources/answer-shapes.ts'
import { chunkShapes } from './resources/chunk-shapes.ts'
import { idForms } from './resources/id-forms.ts'
import { messageFields } from './resources/message-fields.ts'
import { messageValues } from './resources/message-values.ts'
import { mixedAnswers } from './resources/mixed-answers.ts'
import { sourceShapes } from './resources/source-shapes.ts'
import { timestampForms } from './resources/timestamp-forms.ts'
import { streamContents } from './streams/contents.ts'
import { streamDeltas } from './streams/deltas.ts'
import { streamLines } from './streams/lines.ts'
import { streamRefusals } from './streams/rejections.ts'
import { storedSources } from './streams/stored-sources.ts'
import { isolation } from './tenancy/isolation.ts'
import { leakingAnswers } from './tenancy/leaking-answers.ts'
import { tenantRecords } from './tenancy/records.ts'
import { threadChanges } from './threads/changes.ts'
import { threadDelays } from './threads/delays.ts'
import { threadEchoes } from './threads/echoes.ts'
import { threadForms } from './threads/forms.ts'
import { threadLists } from './threads/lists.ts'
import { threadRaces } from './threads/races.ts'
import { threadRejections } from './threads/rejections.ts'
import { runAssistants } from './threads/run-assistants.ts'
import { threadRuns } from './threads/runs.ts'
import { askingMessages } from './tools/asking-messages.ts'
import { toolMatching } from './tools/matching.ts'
import { toolRuns } from './tools/runs.ts'

const table: DeviationTable<Chapter> = {
  ...httpBodies,
  ...httpService,
  ...authDeviations,
  ...answerShapes,
  ...chunkShapes,
  ...idForms,
  ...messageFields,
  ...messageValues,
  ...mixedAnswers,
  ...sourceShapes,
  ...timestampForms,
  ...completionAssistants,
  ...completionFaults,
  ...completionMessages,
  ...completionThreads,
  ...streamContents,
  ...streamDeltas,
  ...streamLines,
  ...streamRefusals,
  ...storedSources,
  ...threadChanges,
  ...threadDelays,
  ...threadEchoes,
  ...threadForms,
  ...threadLists,
  ...threadRaces,
  ...threadRejections,
  ...runAssistants,
  ...threadRuns,
  ...toolMatching,
  ...toolRuns,
  ...askingMessages,
  ...pageLimits,
  ...pageOrder,
  ...pageReads,
  ...pageShapes,
  ...pageWalks,
  ...assistantReads,
  ...assistantRecords,
  ...fileGrants,
  ...fileRequests,
  ...fileUploads,
  ...fileAttachments,
  ...tenantRecords,
  ...isolation,
  ...leakingAnswers,
  ...errorBodies,
  ...errorCodes,
  ...errorFaults,
  ...errorLimits,
  ...errorTexts,
}

type Entry = readonly DeviationRow[] | { readonly cannot: string }
const entries = Object.entries(table) as readonly (readonly [RequirementId, Entry])[]

/** The further violations of each deviation, as the last complete proof measured them. */
const measured = collateral as Readonly<Record<string, readonly RequirementId[]>>

/** All deviations, in the order of the requirements. */
export const deviations: readonly Deviation[] = entries.flatMap(([requirement, entry]) =>
  'cannot' in entry
    ? []
    : entry.map((row): Deviation => ({ ...row, requirement, alsoViolates: measured[row.id] ?? [] })),
)

/** Testable requirements that no deviation can break, with the reason. */
export const withoutDeviation: ReadonlyMap<RequirementId, string> = new Map(
  entries.flatMap(([requirement, entry]) => ('cannot' in entry ? [[requirement, entry.cannot] as const] : [])),
)

const byId: ReadonlyMap<string, Deviation> = new Map(deviations.map((deviation) => [deviation.id, deviation]))

/** The deviation with this id, or `undefined`. */
export const deviationOf = (id: string): Deviation | undefined => byId.get(id)

/** The deviations that are made to break a requirement. */
export const deviationsOf = (requirement: RequirementId): readonly Deviation[] =>
  deviations.filter((deviation) => deviation.requirement === requirement)
