/** Measures the functions of a file that have a name: declarations, methods, and those assigned to a constant. */
import { parseSync, type Span, visitorKeys } from 'oxc-parser'
import type { SourceFile } from './source-file.ts'

interface Node extends Span {
  readonly type: string
  readonly [property: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'

const nodesBelow = (node: Node): readonly Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) => node[key]).filter(isNode)

const everyNode = (root: Node): readonly Node[] => {
  const found: Node[] = [root]
  for (const node of found) found.push(...nodesBelow(node))
  return found
}

const isFunction = (value: unknown): value is Node =>
  isNode(value) && (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression')

/** The function that a node gives a name to. */
const namedFunction = (node: Node): Node | null => {
  if (node.type === 'FunctionDeclaration') return node
  const value = node.type === 'VariableDeclarator' ? node.init : node.value
  return isFunction(value) ? value : null
}

/** The length in lines of each named function of a file. */
export const functionLengths = ({ path, text }: SourceFile): readonly number[] => {
  const { program } = parseSync(path, text)
  return everyNode(program as unknown as Node)
    .flatMap((node) => namedFunction(node) ?? [])
    .map(({ start, end }) => text.slice(start, end).split('\n').length)
}
