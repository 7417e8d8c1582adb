/** The palette of faults: choose one, set its scope and count, and see its outcomes. */
import type { Context, View } from './context.ts'
import { attempt, button, element, fill, labelled, refill, selection, setOptions, table, tableRow } from './elements.ts'
import type { FaultEntry, FaultRule } from './wire.ts'

/** The view of faults. */
export function createFaultsView(context: Context): View {
  const palette = element('div', { class: 'palette' })
  const expression = element('input', { required: '', spellcheck: 'false', autocomplete: 'off' })
  const operation = selection([['', 'any operation']])
  const times = element('input', { type: 'number', min: '1', value: '1', placeholder: 'always' })
  const about = element(
    'p',
    { class: 'quiet', 'aria-live': 'polite' },
    'Choose a fault, or write an expression such as stall:after=2,ms=500; cut-after-chunk:4.',
  )
  const rules = element('div', {})
  const form = element(
    'form',
    { class: 'filter' },
    labelled('Fault', expression),
    labelled('Operation', operation),
    labelled('Times (empty: always)', times),
    element('button', { type: 'submit', class: 'primary' }, 'Arm'),
  )
  const choose = (entry: FaultEntry) => {
    expression.value = expressionOf(entry)
    setOptions(operation, [['', 'any operation'], ...entry.operations.map((id) => [id, id] as const)])
    about.textContent = aboutText(entry)
    expression.focus()
  }
  const drawRules = async () => {
    const all = await context.admin.get<readonly FaultRule[]>('/faults/rules')
    const own = all.filter(({ match }) => match?.world === undefined || match.world === context.world())
    refill(rules, own, () =>
      own.length === 0
        ? element('p', { class: 'empty' }, 'Nothing is armed in this world.')
        : ruleTable(context, own, drawRules),
    )
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(async () => {
      const match = { world: context.world(), ...(operation.value === '' ? null : { operation: operation.value }) }
      const often = times.value === '' ? null : { times: Number(times.value) }
      await context.admin.post('/faults/rules', { fault: expression.value, match, ...often })
      await drawRules()
    })
  })
  return {
    root: element(
      'div',
      { class: 'page' },
      element('section', { 'aria-label': 'Arm' }, element('h2', {}, 'Arm a fault'), form, about, palette),
      element('section', { 'aria-label': 'Armed' }, element('h2', {}, 'Armed in this world'), rules),
    ),
    async show() {
      const entries = await context.admin.get<readonly FaultEntry[]>('/faults')
      fill(palette, paletteGroups(entries, choose))
      await drawRules()
    },
    update: drawRules,
  }
}

const groups: Readonly<Record<string, readonly FaultEntry['scope'][]>> = {
  'Errors of the contract': ['error'],
  'Of streams': ['stream'],
  'Of any answer': ['any', 'document'],
}

function paletteGroups(entries: readonly FaultEntry[], choose: (entry: FaultEntry) => void): readonly HTMLElement[] {
  return Object.entries(groups).map(([title, scopes]) =>
    element(
      'div',
      { role: 'group', 'aria-label': title },
      element('h3', {}, title),
      entries
        .filter(({ scope }) => scopes.includes(scope))
        .map((entry) => button(entry.name, () => choose(entry), { title: entry.description, class: 'chip' })),
    ),
  )
}

function expressionOf({ name, parameters }: FaultEntry): string {
  const settings = Object.entries(parameters).map(([key, { preset }]) => `${key}=${preset}`)
  return settings.length === 0 ? name : `${name}:${settings.join(',')}`
}

function aboutText({ description, parameters }: FaultEntry): string {
  const settings = Object.entries(parameters).map(([key, { meaning }]) => `${key}: ${meaning}`)
  return [description, ...settings].join(' · ')
}

function ruleTable({ admin }: Context, rules: readonly FaultRule[], changed: () => Promise<void>): HTMLElement {
  const rows = rules.map(({ id, fault, match, times, counts }) =>
    tableRow(
      element('code', {}, fault),
      match?.operation ?? 'any operation',
      times === undefined ? 'always' : `${times}×`,
      String(counts.applied),
      String(counts.missed),
      button(
        'Disarm',
        async () => {
          await admin.remove(`/faults/rules/${encodeURIComponent(id)}`)
          await changed()
        },
        { 'aria-label': `Disarm ${fault}` },
      ),
    ),
  )
  return table(['Fault', 'Where', 'Times', 'Applied', 'Missed', ''], rows)
}
