/** Says which units inside a product folder must not import each other, and finds the imports that do. */
import { unitImports } from './import-cycles.ts'
import type { SourceFile } from './source-file.ts'

/** Each unit of conformance/: it judges a trace, it talks to a target, or both sides rest on it. */
export const conformanceSides: Readonly<Record<string, 'judge' | 'probe' | 'both'>> = {
  client: 'probe',
  'imported-traffic': 'both',
  judge: 'judge',
  'judge-file': 'judge',
  planning: 'probe',
  preflight: 'probe',
  'probe-runtime': 'probe',
  probes: 'probe',
  profile: 'both',
  pseudonyms: 'both',
  reenact: 'probe',
  replay: 'probe',
  resume: 'probe',
  run: 'probe',
  trace: 'both',
  vitest: 'both',
  watch: 'both',
}

/** Units of the mock: the pure conversation machine, and what it knows nothing of. */
export const mockMachine = 'machine'
export const aroundMockMachine: readonly string[] = ['admin', 'faults']

const importText = (path: string, target: string): string => `${path} imports ${target}`

/** Imports of the probe side of conformance/ by its judge side, types included. */
export const judgeImportsOfProbes = (sources: readonly SourceFile[]): readonly string[] =>
  unitImports(sources, 'conformance')
    .filter(({ from, to }) => conformanceSides[from] === 'judge' && conformanceSides[to] === 'probe')
    .map(({ path, found }) => importText(path, found.target))

/** Imports of the admin API and of fault injection by the pure machine of the mock, types included. */
export const machineImportsOfShell = (sources: readonly SourceFile[]): readonly string[] =>
  unitImports(sources, 'mock-server')
    .filter(({ from, to }) => from === mockMachine && aroundMockMachine.includes(to))
    .map(({ path, found }) => importText(path, found.target))
