/** The complete proof: the selection, its trials, and the results. */

import { loadDeviations, loadVariants } from '../../mock-server/index.ts'
import { contractDigest, version } from '../../spec/index.ts'
import { type Selection, select } from './mutant.ts'
import { obligationResults } from './obligation-results.ts'
import { type Proof, prove } from './proof.ts'
import { runTrials, type SubjectName, type TrialsOptions } from './run-trials.ts'
import type { Trial } from './trial.ts'

interface ProofOptions extends Omit<TrialsOptions, 'onTrial'> {
  /** Called for every trial that is over. */
  readonly onTrial?: (trial: Trial, done: number, of: number) => void
}

/** Tries the suite on everything that is selected. */
export const makeProof = async (selection: Selection, options: ProofOptions): Promise<Proof> => {
  const { tier, seed, onTrial } = options
  const startedAt = new Date()
  const selected = await select(selection)
  const narrowed = tier === 'gate' ? selected.narrowed : []
  const names: readonly SubjectName[] = [
    ...[...selected.deviations, ...narrowed].map(({ id }) => ({ kind: 'deviation', id }) as const),
    ...selected.variants.map(({ id }) => ({ kind: 'variant', id }) as const),
  ]
  const trials = await runTrials(names, { ...options, onTrial: (trial, done) => onTrial?.(trial, done, names.length) })
  const catalogue = await loadDeviations()
  const all = [...catalogue.deviations, ...(tier === 'gate' ? catalogue.narrowed : [])]
  const requirementOf = new Map<string, string>(all.map(({ id, requirement }) => [id, requirement]))
  return {
    format: 'acs-proof/2',
    suiteVersion: version,
    contractDigest: contractDigest(),
    tier,
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    whole: trials.length === all.length + (await loadVariants()).length,
    ...prove({ ...selected, trials, withoutDeviation: catalogue.withoutDeviation }, tier),
    obligations: obligationResults(trials, (id) => requirementOf.get(id)),
  }
}
