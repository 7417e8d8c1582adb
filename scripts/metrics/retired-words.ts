/** Finds retired words in the names of files, folders and exported identifiers; the glossary has better ones. */
import type { SourceFile } from './source-file.ts'

/** Retired word → what to say instead. A plural counts as its singular. */
const retiredWords: Readonly<Record<string, string>> = {
  agenda: 'timer queue',
  atlas: 'catalogue',
  bend: 'hook override',
  birth: 'new thread',
  cast: 'resolved scenario',
  convicted: 'counterexample',
  desk: 'context',
  docket: 'analyzed trace',
  due: 'obligation status',
  fate: 'result',
  gatekeeper: 'admin authorization',
  habit: 'rewrite',
  halt: 'probe aborted',
  hear: 'run an oracle',
  heed: 'apply',
  home: 'message owner',
  knowledge: 'coverage',
  ledger: 'thread histories',
  lesson: 'coverage',
  makings: 'options',
  market: 'candidates',
  merit: 'score',
  metronome: 'real-time timer',
  offer: 'bundle',
  presence: 'listing match',
  programme: 'probes',
  pulse: 'circuit breaker',
  remark: 'unique text',
  scene: 'trace builder',
  seam: 'hook',
  shelf: 'id map',
  spelling: 'formatting or encoding',
  stage: 'probe context',
  staging: 'probe runtime',
  stranger: 'altered server',
  talk: 'test client',
  testify: 'report an observation',
  testimony: 'observations',
  theatre: 'run context',
  thorny: 'with escapes',
  told: 'virtual time',
  twin: 'duplicate',
  unbent: 'default hooks',
  wall: 'isolation bug',
  weather: 'transient failure',
}

interface RetiredName {
  readonly word: string
  /** The path of the file or folder, with the identifier if that is what holds the word. */
  readonly place: string
}

/** The words of a name, in lower case: `toldTime` and `told-time` have the same two. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')

const retiredIn = (name: string): readonly string[] => [
  ...new Set(
    wordsOf(name)
      .map((word) => (word in retiredWords ? word : word.replace(/s$/, '')))
      .filter((word) => Object.hasOwn(retiredWords, word)),
  ),
]

const foldersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, depth, names) => names.slice(0, depth + 1).join('/'))

const lastSegment = (path: string): string => path.split('/').at(-1) ?? ''

/** Every retired word in a name; an identifier counts where it is defined. */
export const retiredNames = (sources: readonly SourceFile[]): readonly RetiredName[] => {
  const paths = new Set(sources.flatMap(({ path }) => [...foldersOf(path), path]))
  return [
    ...[...paths].flatMap((path) => retiredIn(lastSegment(path)).map((word) => ({ word, place: path }))),
    ...sources.flatMap(({ path, definitions }) =>
      definitions.flatMap((name) => retiredIn(name).map((word) => ({ word, place: `${path}: ${name}` }))),
    ),
  ]
}
