/** Exports the requirement rows and what is derived from them. */
export {
  isTestable,
  obligations,
  type RequirementId,
  requirementOf,
  requirements,
  type TestableId,
} from './requirements.ts'
