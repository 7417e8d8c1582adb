/** The door of spec/: the law as data. */
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
export {
  chapterOf,
  isTestable,
  obligations,
  type RequirementId,
  requirementOf,
  requirements,
  type TestableId,
} from './requirements/index.ts'
