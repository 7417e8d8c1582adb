/**
 * Exports Basalt: a server written from the contract alone, in the manner of a large enterprise team.
 * It makes another legal choice than Atrium wherever the contract is silent, and shares no code with it.
 */
export { type Basalt, type BasaltOptions, startBasalt } from './start-basalt.ts'
