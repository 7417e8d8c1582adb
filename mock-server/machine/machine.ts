/** The constant parts of a world: its scenario, its seed and its domain hooks. */
import { hash } from 'node:crypto'
import { type Key, rootKey } from '../randomness/key.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { DomainHooks } from './domain-hooks.ts'

export interface Machine {
  readonly scenario: ResolvedScenario
  readonly root: Key
  /** Seals cursors and upload URLs; a function of the seed. */
  readonly secret: string
  readonly domainHooks: DomainHooks
}

/** The machine of a seed. */
export function createMachine(scenario: ResolvedScenario, seed: number, domainHooks: DomainHooks): Machine {
  const secret = hash('sha256', `acs-kit world ${seed}`, 'hex')
  return { scenario, root: rootKey(seed), secret, domainHooks }
}
