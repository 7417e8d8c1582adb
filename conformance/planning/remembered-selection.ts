/**
 * Remembers the latest selections of probes. A board plans one run again for each certificate, and a proof for each
 * deviation, mostly with the same profile; selection takes longer than the rest of planning.
 */
import type { Probe } from '../probes/probe.ts'
import { type SelectionInput, selectProbes } from './select-probes.ts'

/** Selections that are kept, the oldest of which goes first. */
const mostKept = 16
const known = new Map<string, readonly Probe[]>()

/** The result of selectProbes for this input. */
export function rememberedSelection(input: SelectionInput): readonly Probe[] {
  const { profile, tier, caps, able, isWanted } = input
  const key = JSON.stringify([profile, tier, caps, able.map((probe) => [probe.id, isWanted(probe)])])
  const selection = known.get(key) ?? selectProbes(input)
  known.delete(key)
  known.set(key, selection)
  for (const oldest of [...known.keys()].slice(0, -mostKept)) known.delete(oldest)
  return selection
}
