/** Search and filters over what is on the page already: rules, failure cards and gaps. */
import { addressField, laterAddress } from './address.ts'
import { findElement, findElements, inNextFrame } from './page-elements.ts'

interface Entry {
  readonly element: HTMLElement
  readonly text: string
  readonly level: string
  readonly outcome: string
  /** Its weight in the count: a card has a failure for each place. */
  readonly count: number
}

interface Wishes {
  readonly words: readonly string[]
  readonly level: string
  readonly outcomes: readonly string[]
}

/** Makes the filter bar of the rules work. */
export function startRuleFilter(): void {
  const form = findElement('[data-filter=rules]', HTMLFormElement)
  if (form === null) return
  form.hidden = false
  restore(form)
  const lists = [
    { name: 'rules', entries: entriesOf('.requirement'), whole: true },
    { name: 'cards', entries: entriesOf('.card'), whole: true },
    { name: 'gaps', entries: entriesOf('.gap'), whole: false },
  ]
  const groups = findElements('[data-group]', HTMLDetailsElement)
  const openAtFirst = new Set(groups.filter((group) => group.open))
  let wasFiltered = false
  const writeLater = laterAddress()
  const apply = (): void => {
    const wishes = wishesOf(form)
    for (const { name, entries, whole } of lists) {
      const shown = entries.filter((entry) => show(entry, fits(entry, wishes, whole)))
      announce(name, countOf(shown), countOf(entries))
    }
    const isFiltered = wishes.words.length > 0 || wishes.level !== '' || wishes.outcomes.length > 0
    for (const group of groups) {
      group.hidden = findElement('.requirement:not([hidden]), .gap:not([hidden])', HTMLElement, group) === null
      if (isFiltered !== wasFiltered) group.open = isFiltered || openAtFirst.has(group)
    }
    wasFiltered = isFiltered
    writeLater({
      query: String(new FormData(form).get('query') ?? ''),
      level: wishes.level,
      outcome: wishes.outcomes.join(),
    })
  }
  form.addEventListener('input', inNextFrame(apply))
  form.addEventListener('submit', (event) => event.preventDefault())
  // A browser may restore the fields of a reloaded page.
  apply()
}

/** Fills the form from the page's address. */
function restore(form: HTMLFormElement): void {
  const outcomes = addressField('outcome').split(',')
  for (const field of findElements('input, select', HTMLElement, form)) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked ||= outcomes.includes(field.value)
    else if (field instanceof HTMLInputElement) field.value ||= addressField('query')
    else if (field instanceof HTMLSelectElement) field.value ||= addressField('level')
  }
}

function entriesOf(selector: string): readonly Entry[] {
  return findElements(selector, HTMLElement).map((element) => ({
    element,
    text: (element.textContent ?? '').toLowerCase(),
    level: element.dataset.level ?? '',
    outcome: element.dataset.outcome ?? '',
    count: Number(element.dataset.count ?? 1),
  }))
}

const countOf = (entries: readonly Entry[]): number => entries.reduce((sum, { count }) => sum + count, 0)

function wishesOf(form: HTMLFormElement): Wishes {
  const data = new FormData(form)
  return {
    words: String(data.get('query') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
    level: String(data.get('level') ?? ''),
    outcomes: data.getAll('outcome').map(String),
  }
}

function fits(entry: Entry, wishes: Wishes, whole: boolean): boolean {
  if (!wishes.words.every((word) => entry.text.includes(word))) return false
  if (!whole) return true
  if (wishes.level !== '' && entry.level !== wishes.level) return false
  return wishes.outcomes.length === 0 || wishes.outcomes.includes(entry.outcome)
}

function show({ element }: Entry, visible: boolean): boolean {
  element.hidden = !visible
  return visible
}

/** Shows the number of remaining entries, also to screen readers. */
export function announce(name: string, shown: number, total: number): void {
  const figure = findElement(`[data-shown=${name}]`, HTMLElement)
  if (figure !== null) figure.textContent = shown === total ? String(total) : `${shown} of ${total}`
  const status = findElement(`[data-status=${name}]`, HTMLElement)
  if (status !== null) status.textContent = shown === total ? '' : `${shown} of ${total} ${name} shown`
  const note = findElement(`[data-empty=${name}]`, HTMLElement)
  if (note !== null) note.hidden = shown > 0 || total === 0
}
