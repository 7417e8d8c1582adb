/** A naive Bayes classifier over the operations, words and pauses of sessions, and its rate in a cross-validation. */
import type { SessionStep } from './customers.ts'

/** Which part of a session the classifier looks at. */
export type Channel = 'operations' | 'words' | 'timing'

export interface LabelledSession {
  readonly steps: readonly SessionStep[]
  readonly isSuite: boolean
}

const folds = 5

/** The share of sessions that are told rightly by a classifier trained on the others. */
export function classifierRate(sessions: readonly LabelledSession[], channels: readonly Channel[]): number {
  const right = Array.from({ length: folds }, (_, fold) => {
    const model = trained(
      sessions.filter((_one, index) => index % folds !== fold),
      channels,
    )
    return sessions.filter((one, index) => index % folds === fold && model(one.steps) === one.isSuite).length
  })
  return right.reduce((sum, count) => sum + count, 0) / sessions.length
}

function featuresOf(steps: readonly SessionStep[], channels: readonly Channel[]): readonly string[] {
  return steps.flatMap(({ operation, words, gapMs }, index) => [
    ...(channels.includes('operations')
      ? [`is ${operation}`, `after ${steps[index - 1]?.operation} ${operation}`]
      : []),
    ...(channels.includes('words') ? words.map((word) => `says ${word}`) : []),
    ...(channels.includes('timing') ? [`waits ${Math.floor(Math.log2(1 + gapMs))}`] : []),
  ])
}

/** Counts with one added to each, and equal chances before anything is seen. */
function trained(sessions: readonly LabelledSession[], channels: readonly Channel[]) {
  const known = new Set<string>()
  const counts = [new Map<string, number>(), new Map<string, number>()] as const
  const totals = [0, 0]
  for (const { steps, isSuite } of sessions) {
    const side = isSuite ? 1 : 0
    for (const feature of featuresOf(steps, channels)) {
      known.add(feature)
      counts[side].set(feature, (counts[side].get(feature) ?? 0) + 1)
      totals[side] = (totals[side] ?? 0) + 1
    }
  }
  const chance = (side: 0 | 1, feature: string): number =>
    Math.log((1 + (counts[side].get(feature) ?? 0)) / (known.size + (totals[side] ?? 0)))
  return (steps: readonly SessionStep[]): boolean =>
    featuresOf(steps, channels).reduce((sum, feature) => sum + chance(1, feature) - chance(0, feature), 0) > 0
}
