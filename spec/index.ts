/** Exports the contract as data: requirements, gaps, operations, errors and schemas. */
export { type Chapter, chapterOf, chapters } from './chapters.ts'
export { countText } from './count-text.ts'
export { canonicalJson, digestOf } from './document/canonical.ts'
export { contractDigest, documentOf, loadDocument } from './document/document.ts'
export { isJsonObject, type Json, type JsonObject } from './document/json.ts'
export { renderDocument } from './document/render-document.ts'
export { type ErrorCode, errorRowOf, errorTable } from './error-table.ts'
export { type FaultSignature, faultSignatures } from './fault-signatures.ts'
export type { Gap } from './gap.ts'
export { type GapId, gapOf, gaps } from './gaps/index.ts'
export { groupBy } from './group-by.ts'
export { nearestName } from './nearest-name.ts'
export {
  bothCompletions,
  bothRuns,
  completionOperations,
  documentOperations,
  everyOperation,
  messageOperations,
  modelOperations,
  streamOperations,
  textStreams,
  threadOperations,
} from './operation-groups.ts'
export {
  type ConformanceLevel,
  conformanceLevels,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from './operations.ts'
export { type Basis, type Level, type Obligation, obligationKey, type Requirement } from './requirement.ts'
export { type ReleasedSet, requirementSets } from './requirement-sets.ts'
export {
  isTestable,
  obligations,
  type RequirementId,
  requirementOf,
  requirements,
  type TestableId,
} from './requirements/index.ts'
export { type ParameterSchema, schemaParts } from './schemas/document-schemas.ts'
export { componentSchema, parametersOf, schemaOf } from './schemas/schemas.ts'
export { compileValidator, type Validator, type ValidatorName, validatorFor } from './schemas/validator.ts'
export { version } from './version.generated.ts'
