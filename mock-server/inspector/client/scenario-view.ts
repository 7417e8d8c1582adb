/** The scenario of a world: read it, change it, see what an assistant would answer, play it. */
import type { Context, View } from './context.ts'
import { attempt, button, type Child, element, fill, heading, labelled, selection, setOptions } from './elements.ts'
import type { ScenarioTrial, TenantView } from './wire.ts'

/** The view of the scenario. */
export function createScenarioView(context: Context): View {
  const yaml = element('textarea', { class: 'code', rows: '24', spellcheck: 'false', wrap: 'off' })
  const assistant = selection([])
  const text = element('input', { value: 'Hello' })
  const role = selection([
    ['user', 'a user message'],
    ['tool', 'a tool result'],
  ])
  const result = element('div', { class: 'trial', 'aria-live': 'polite' })
  /** The scenario that was played when the text was last in step with it. */
  let known: string | null = null
  let applying = false
  const names = (tenants: readonly TenantView[]) => {
    const all = new Set(tenants.flatMap(({ assistants }) => assistants.map(({ name }) => name)))
    setOptions(
      assistant,
      [...all].map((name) => [name, name]),
    )
  }
  const load = async () => {
    const scenario = await context.scenario()
    known = scenario.yaml
    applying = false
    yaml.value = scenario.yaml
    names(scenario.tenants)
    fill(result)
  }
  /** A scenario from elsewhere, such as a saved file; text that the user has typed stays. */
  const follow = async () => {
    const { yaml: played } = await context.scenario()
    if (played === known) return
    if (known === null || yaml.value === known) return load()
    known = played
    if (!applying) context.tell('Another scenario is played now.', { label: 'Discard changes', act: load })
    applying = false
  }
  const trial = async (apply: boolean) => {
    applying = apply && yaml.value !== known
    const asked = { yaml: yaml.value, assistant: assistant.value, text: text.value, role: role.value, apply }
    const answered = await context.admin.post<ScenarioTrial>('/scenario', asked)
    if (!answered.applied) applying = false
    if (answered.tenants !== undefined) names(answered.tenants)
    fill(result, trialText(answered))
    if (answered.applied) {
      context.tell('All worlds play the changed scenario now. Threads and files stayed.')
    }
  }
  const form = element(
    'form',
    { class: 'filter' },
    labelled('Ask', assistant),
    labelled('with', role),
    labelled('saying', text),
    element('button', { type: 'submit', class: 'primary' }, 'Dry run'),
    button('Apply', () => trial(true), { title: 'All worlds play it from now on; threads and files stay' }),
    button('Discard changes', load),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(() => trial(false))
  })
  return {
    root: element(
      'div',
      { class: 'page' },
      heading(
        'Scenario',
        'A dry run checks the text below and says what the assistant would answer; nothing is sent or stored.',
      ),
      form,
      result,
      labelled('Scenario as YAML', yaml),
    ),
    show: follow,
    update: follow,
  }
}

function trialText({ problems, answer }: ScenarioTrial): Child {
  if (problems.length > 0) {
    const lines = problems.map((problem) => element('li', {}, problem))
    return [
      element('p', { class: 'fault' }, `${problems.length === 1 ? 'One problem' : `${problems.length} problems`}:`),
      element('ul', { class: 'problems' }, lines),
    ]
  }
  if (answer === null || answer === undefined) return element('p', {}, 'The scenario holds together.')
  const turn =
    answer.turn === null
      ? 'No turn fits'
      : `Turn ${answer.turn} fits${answer.when === null ? '' : ` (${JSON.stringify(answer.when)})`}`
  const calls = answer.tool_calls.map(({ function: { name, arguments: given } }) =>
    element('p', { class: 'call' }, `asks for ${name}(${given})`),
  )
  return [
    element('p', {}, `The scenario holds together. ${turn}; ${answer.assistant} would say:`),
    element('blockquote', {}, answer.content),
    calls,
  ]
}
