/**
 * Door of Basalt: a server of the contract written from its text alone, in the manner of a large enterprise team.
 * It takes another legal turn than Atrium wherever the contract is silent, and shares no code with it.
 */
export { type Basalt, type BasaltOptions, startBasalt } from './start-basalt.ts'
