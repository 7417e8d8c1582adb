/** The door of the strangers: servers that differ from a faithful one in one habit. */
export { type FaultyStranger, faultyStrangers } from './faulty.ts'
export { type Front, type Habit, startFront } from './front.ts'
export { type LegalStranger, legalStrangers } from './legal.ts'
