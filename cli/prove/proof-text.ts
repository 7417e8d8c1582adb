/** The proof for a terminal: the counts, followed by all problems. */
import pc from 'picocolors'
import type { Proof } from './proof.ts'
import { figuresOf, type Spread, wrongsOf } from './proof-figures.ts'

/** The text of a proof; ends with a line feed. */
export const renderProofText = (proof: Proof, { color = false }: { readonly color?: boolean } = {}): string => {
  const paint = pc.createColors(color)
  const figures = figuresOf(proof)
  const { deviations, variants, cards, cardsIncomplete, requestsToKill, modelCallsToKill } = figures
  const tried = `${proof.deviations.length} deviations and ${proof.variants.length} variants`
  const wrongs = wrongsOf(proof)
  const lines = [
    paint.bold(`Tier ${proof.tier}, seed ${proof.seed}: ${tried} in ${(proof.durationMs / 1000).toFixed(1)} s`),
    `deviations    ${deviations.killed} killed for the right reason, ${deviations['killed-by-another']} by another requirement, ${deviations.survived} survived`,
    `variants      ${variants.silent} silent, ${variants.alarmed} alarmed (${variants.failing} fail a run, ${variants.failingStrict} a strict one), ${variants.undecided} undecided`,
    ...(proof.whole
      ? [`proof cards   ${cardsIncomplete} of ${cards} requirements can fail a run without a complete card`]
      : []),
    ...(proof.whole && proof.tier === 'gate'
      ? [
          `obligations   ${figures.obligationsUnproven} of ${figures.obligations} without a deviation that is killed only there`,
        ]
      : []),
    `to the kill   requests ${spreadText(requestsToKill)}; model calls ${spreadText(modelCallsToKill)}`,
    ...(wrongs.length === 0
      ? [paint.green('✓ nothing is wrong')]
      : [paint.red(`× ${wrongs.length} wrong`), ...wrongs.map((wrong) => `  ${wrong}`)]),
  ]
  return `${lines.join('\n')}\n`
}

const spreadText = ({ median, ninetieth, most }: Spread): string =>
  `median ${median}, 90 % within ${ninetieth}, most ${most}`
