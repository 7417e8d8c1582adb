/** The API document of this mock: each operation with ids that exist here, and a button that sends it. */
import { apiFetch } from './api-fetch.ts'
import type { Context, View } from './context.ts'
import { attempt, type Child, element, fill, heading, labelled, selection, setOptions } from './elements.ts'
import { jsonText, wireBlock } from './json-block.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
  readonly schema?: { readonly default?: unknown }
  readonly $ref?: string
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
}

interface MediaType {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>
}

interface ApiDocument {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] }>
  >
}

const methods = ['get', 'post', 'put', 'delete', 'patch']

/** The view of the API document. */
export function createApiView(context: Context): View {
  const key = selection([])
  const list = element('div', { class: 'operations' })
  const root = element(
    'div',
    { class: 'page' },
    heading(
      'API',
      'The document with ids of this mock: ',
      element('a', { href: '/openapi.json' }, '/openapi.json'),
      ', ',
      element('a', { href: '/openapi.yaml' }, '/openapi.yaml'),
      '. Whatever is sent from here shows under Exchanges.',
    ),
    element('div', { class: 'filter' }, labelled('Key', key)),
    list,
  )
  return {
    root,
    async show() {
      const { tenants } = await context.scenario()
      setOptions(
        key,
        tenants.flatMap(({ name, keys }) => keys.map(({ key: value }) => [value, `${name} (${value})`] as const)),
      )
      if (list.childElementCount > 0) return
      const document = (await (await fetch('/openapi.json')).json()) as ApiDocument
      fill(
        list,
        operationsOf(document).map((one) =>
          operationForm(document, one, (method, path, body) =>
            apiFetch(context.world(), key.value, method, path, body),
          ),
        ),
      )
    },
  }
}

type Send = (method: string, path: string, body?: string) => Promise<Response>

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

function operationsOf(document: ApiDocument): readonly Listed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): readonly Listed[] => {
      const operation = item[method]
      if (operation === undefined || !path.startsWith('/v1')) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
        resolved<Parameter>(document, one),
      )
      return [
        {
          method: method.toUpperCase(),
          path,
          operation,
          parameters: parameters.filter((one) => one.in === 'path' || one.in === 'query'),
        },
      ]
    }),
  )
}

function operationForm(
  document: ApiDocument,
  { method, path, operation, parameters }: Listed,
  send: Send,
): HTMLElement {
  const inputs = parameters.map((parameter) => ({
    parameter,
    input: element('input', { value: exampleOf(document, parameter) }),
  }))
  const media =
    operation.requestBody === undefined
      ? undefined
      : resolved<NonNullable<Operation['requestBody']>>(document, operation.requestBody).content['application/json']
  const body = media === undefined ? null : element('textarea', { class: 'code', rows: '6', spellcheck: 'false' })
  if (body !== null && media !== undefined) body.value = JSON.stringify(bodyExample(document, media), null, 2)
  const result = element('div', { 'aria-live': 'polite' })
  const form = element(
    'form',
    {},
    inputs.map(({ parameter, input }) => labelled(`${parameter.name} (${parameter.in})`, input)),
    body === null ? null : labelled('Body', body),
    element('button', { type: 'submit', class: 'primary' }, 'Try it'),
    result,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(async () => {
      const response = await send(method, filledPath(path, inputs), body?.value)
      fill(result, await answerBlock(response))
    })
  })
  const { summary = '', operationId } = operation
  return element(
    'details',
    { class: 'operation' },
    element(
      'summary',
      {},
      element('b', { class: 'method' }, method),
      ' ',
      element('code', {}, path),
      ' ',
      element('span', { class: 'quiet' }, summary || operationId),
    ),
    form,
  )
}

function filledPath(
  template: string,
  inputs: readonly { readonly parameter: Parameter; readonly input: HTMLInputElement }[],
): string {
  const query = new URLSearchParams()
  let path = template
  for (const { parameter, input } of inputs) {
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.set(parameter.name, input.value)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

async function answerBlock(response: Response): Promise<Child> {
  const reason = response.headers.get('x-acs-reason')
  const text = await response.text()
  return [
    element(
      'p',
      {},
      element('span', { class: `badge ${response.ok ? 'ok' : 'refused'}` }, String(response.status)),
      reason === null ? '' : ` ${reason}`,
    ),
    wireBlock('Answer', jsonText(text)),
  ]
}

function exampleOf(document: ApiDocument, parameter: Parameter): string {
  const [first] = Object.values(parameter.examples ?? {})
  const value =
    parameter.example ??
    (first === undefined ? undefined : resolved<{ readonly value: unknown }>(document, first).value)
  return parameter.required === true || parameter.in === 'path' ? String(value ?? '') : ''
}

function bodyExample(document: ApiDocument, { example, examples = {} }: MediaType): unknown {
  const [first] = Object.values(examples)
  return example ?? (first === undefined ? {} : resolved<{ readonly value?: unknown }>(document, first).value) ?? {}
}

/** What a `$ref` inside the document names. */
function resolved<T>(document: ApiDocument, value: object): T {
  const reference: unknown = Reflect.get(value, '$ref')
  if (typeof reference !== 'string') return value as T
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (inside, step) => Reflect.get(inside as object, step.replaceAll('~1', '/').replaceAll('~0', '~')),
      document,
    ) as T
}
