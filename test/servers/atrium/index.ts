/**
 * Door of Atrium: a server of the contract written from its text alone, in the manner of a small Python web team.
 * It shares nothing with the mock, so that the suite meets a stranger.
 */
export { type Atrium, type AtriumOptions, startAtrium } from './start-atrium.ts'
