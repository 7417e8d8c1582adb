/** Turns the schema of a target profile into its reference page. Pure, so that a test can hold the page against it. */

type Node = Readonly<Record<string, unknown>>

/** The page as Markdown. */
export function profilePage(schema: unknown): string {
  const root = nodeOf(schema)
  const rows = rowsOf(root, '', root)
  return [
    '# Target profile',
    '',
    `${textAt(root, 'description')} The file is \`acs.target.yaml\`; \`acs init\` writes one. Secrets in it may only be`,
    `\`\${NAME}\` references to the environment.`,
    '',
    'You can also set the transport with options of `acs init`, `doctor`, `test`, `certify`, `replay` and `watch` (`--ca`,',
    '`--client-cert`, `--client-key`, `--proxy`, `--header`, `--user-agent`, `--no-http2`); they override the file. A base path is',
    'part of `baseUrl`. Keys, transport headers and the client certificate are sent only to the origin of `baseUrl`. Responses',
    'in gzip, deflate or br are decompressed as they arrive; a trace contains them decompressed, and records HTTP/2 requests in the',
    'form of HTTP/1.1.',
    '',
    'If the target contradicts a setting, the run ends with 3 and names the setting first. The suite detects swapped keys if the file',
    'names an assistant or a thread of the primary tenant, or if the throttled key is one of them. Otherwise it cannot tell the keys',
    'apart, and judges both tenants alike.',
    '',
    'This page is generated from `conformance/profile/target.schema.json` by `scripts/generate-profile-page.ts`.',
    '',
    '| field | type | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function rowsOf(node: Node, path: string, root: Node): readonly string[] {
  const required = new Set(Array.isArray(node.required) ? node.required : [])
  const own = Object.entries(nodeOf(node.properties)).flatMap(([name, value]) =>
    fieldRows(path === '' ? name : `${path}.${name}`, nodeOf(value), required.has(name), root),
  )
  const others = nodeOf(node.additionalProperties)
  return Object.keys(others).length === 0 ? own : [...own, ...rowsOf(others, `${path}.<name>`, root)]
}

function fieldRows(path: string, written: Node, isRequired: boolean, root: Node): readonly string[] {
  const node = resolved(written, root)
  const fallback = isRequired ? 'required' : 'default' in written ? `\`${JSON.stringify(written.default)}\`` : ''
  const meaning = (textAt(written, 'description') || textAt(node, 'description')).replaceAll('|', '\\|')
  const forms = listAt(node, 'oneOf').filter((form) => textAt(form, 'type') !== 'null')
  const inner = forms.length > 0 ? forms : [node]
  return [
    `| \`${path}\` | ${typeOf(node)} | ${fallback} | ${meaning} |`,
    ...inner.flatMap((form) => formRows(resolved(form, root), path, root)),
  ]
}

/** The fields of one form of a value; the elements of a list stand under `[]`. */
function formRows(form: Node, path: string, root: Node): readonly string[] {
  const forms = listAt(form, 'oneOf')
  if (forms.length > 0) return forms.flatMap((one) => formRows(resolved(one, root), path, root))
  const kind = textAt(nodeOf(nodeOf(form.properties).kind), 'const')
  const rows = rowsOf(form, kind === '' ? path : `${path}(${kind})`, root)
  return [...rows, ...rowsOf(nodeOf(form.items), `${path}[]`, root)]
}

function resolved(node: Node, root: Node): Node {
  const reference = textAt(node, '$ref')
  if (reference === '') return node
  return nodeOf(
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, key) => nodeOf(inner)[key], root),
  )
}

function typeOf(node: Node): string {
  const values = Array.isArray(node.enum) ? node.enum : nodeOf(node.items).enum
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ')
  if ('const' in node) return `\`${String(node.const)}\``
  return textAt(node, 'type') || (listAt(node, 'oneOf').length > 0 ? 'object or null' : 'any JSON value')
}

function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {}
}

function textAt(node: Node, key: string): string {
  const value = node[key]
  return typeof value === 'string' ? value : ''
}

function listAt(node: Node, key: string): readonly Node[] {
  const value = node[key]
  return Array.isArray(value) ? value.map(nodeOf) : []
}
