/** Exports the altered servers: servers that differ from a faithful one in one respect. */
export { type FaultyServer, faultyServers } from './faulty.ts'
export { type LegalServer, legalServers } from './legal.ts'
export { type Front, type Rewrite, startFront } from './proxy.ts'
