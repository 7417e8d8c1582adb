/** The door of spec/: the law as data. */
export { canonicalJson, digestOf } from './document/canonical.ts'
export {
  type BuiltInProfile,
  contractDigest,
  type DocumentOptions,
  documentOf,
  loadDocument,
  renderDocument,
} from './document/document.ts'
export { isJsonObject, type Json, type JsonObject } from './document/json.ts'
export { OverlayError, type OverlayPlace } from './document/overlay-error.ts'
export { type ErrorCode, type ErrorRow, errorTable } from './error-table.ts'
export type { Gap } from './gap.ts'
export { type GapId, gapOf, gaps } from './gaps/index.ts'
export { type Operation, type OperationId, operationIds, operations } from './operations.ts'
export {
  type Basis,
  type Chapter,
  type ConformanceLevel,
  chapters,
  conformanceLevels,
  type Level,
  type Obligation,
  type Requirement,
} from './requirement.ts'
export { type ReleasedSet, requirementSets } from './requirement-sets.ts'
export {
  chapterOf,
  isTestable,
  obligations,
  type RequirementId,
  requirementOf,
  requirements,
  type TestableId,
} from './requirements/index.ts'
export { type ParameterSchema, type SchemaPart, schemaParts } from './schemas/document-schemas.ts'
export { componentNames, componentSchema, parametersOf, type SchemaSource, schemaOf } from './schemas/schemas.ts'
export {
  compileValidator,
  type SchemaFault,
  type Validator,
  type ValidatorName,
  validatorFor,
} from './schemas/validator.ts'
export { version } from './version.generated.ts'
