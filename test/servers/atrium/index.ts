/**
 * Exports Atrium: a server written from the contract alone, in the manner of a small Python web team.
 * It shares nothing with the mock, so that the suite meets a server that it was not written with.
 */
export { type Atrium, type AtriumOptions, startAtrium } from './start-atrium.ts'
