/**
 * Reads scenarios from YAML and reports each problem as a ScenarioError with file, line and column. The module
 * load-scenario.ts loads it on demand, because only a file needs YAML and the schema.
 */
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, stringify, visit } from 'yaml'
import { scenarioProblems } from './check-scenario.ts'
import { noteSound } from './known-scenarios.ts'
import type { Scenario } from './scenario.ts'
import { type DataPath, refuseProblems, ScenarioError, type ScenarioProblem } from './scenario-problem.ts'
import { schemaProblems } from './schema-problems.ts'
import { soundParts } from './sound-parts.ts'

/** The scenario in a text of YAML; `file` is its name in messages. Throws a ScenarioError. */
export async function readScenario(text: string, file: string): Promise<Scenario> {
  if (/^\S+\.(?:ya?ml|json)$/.test(text)) {
    throw new ScenarioError('', [`${file}:1:1: "${text}" is a path; give the text, readFileSync(path, "utf8")`])
  }
  if (text.includes('\0')) {
    throw new ScenarioError('', [`${file}:1:1: not UTF-8 (it has NUL characters, as UTF-16 has); save it as UTF-8`])
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = [...document.errors, ...document.warnings]
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0])
    throw new ScenarioError('', [`${file}:${line}:${col}: not YAML (${broken.message.split('\n')[0]}); fix the syntax`])
  }
  refuseOpenAliases(document, lines, file)
  const data = dataOf(document, file)
  const offsetOf = ({ path, at }: ScenarioProblem) => offsetIn(document, path, at)
  const refuse = (problems: readonly ScenarioProblem[]) => {
    const sorted = [...problems].sort((left, right) => offsetOf(left) - offsetOf(right))
    refuseProblems(sorted, (problem) => {
      const { line, col } = lines.linePos(offsetOf(problem))
      return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`
    })
  }
  const ofShape = schemaProblems(data)
  refuse([...ofShape, ...(await scenarioProblems(soundParts(data, ofShape)))])
  const { $schema: _, ...scenario } = data as Scenario & { readonly $schema?: string }
  noteSound(scenario)
  return scenario
}

/** A scenario as YAML that readScenario reads back. */
export function writeScenario(scenario: Scenario): string {
  return stringify(scenario, { aliasDuplicateObjects: false, lineWidth: 100 })
}

/** Throws a ScenarioError for aliases of anchors that are not before them. */
function refuseOpenAliases(document: Document.Parsed, lines: LineCounter, file: string): void {
  const anchors = new Set<string>()
  const problems: string[] = []
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) && !anchors.has(node.source)) {
        const { line, col } = lines.linePos(node.range?.[0] ?? 0)
        const fix = `write &${node.source} at a value before it, or quote the text`
        problems.push(`${file}:${line}:${col}: the alias *${node.source} has no anchor; ${fix}`)
      } else if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor)
    },
  })
  const [first, ...others] = problems
  if (first !== undefined) throw new ScenarioError('', [first, ...others])
}

function dataOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS() ?? {}
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new ScenarioError('', [`${file}:1:1: not usable (${problem}); use fewer aliases`])
  }
}

/** Where the value at a path starts in the text (or its name); the nearest thing around it when there is none. */
function offsetIn(document: Document.Parsed, path: DataPath, at: 'key' | 'value'): number {
  const own = at === 'key' ? (keyNode(document, path) ?? nodeAt(document, path)) : nodeAt(document, path)
  const offset = own?.range?.[0]
  if (offset !== undefined) return offset
  return path.length === 0 ? 0 : offsetIn(document, path.slice(0, -1), 'key')
}

function nodeAt(document: Document.Parsed, path: DataPath) {
  const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  return isNode(found) ? found : null
}

function keyNode(document: Document.Parsed, path: DataPath) {
  const map = nodeAt(document, path.slice(0, -1))
  if (!isMap(map)) return null
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
  return isNode(pair?.key) ? pair.key : null
}
