/** Creates elements with checked types. Strings become text and never markup, regardless of their source. */

export type Child = Node | string | null | readonly Child[]

/** A new element; `null` children are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...nodesOf(children))
  return made
}

/** Puts these children in place of all others. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...nodesOf(children))
}

const shownIn = new WeakMap<Element, string>()

/** Replaces the content of an element if it has changed: otherwise focus, scroll and open details stay. */
export function refill(parent: Element, shown: unknown, make: () => Child): void {
  const text = JSON.stringify(shown)
  if (shownIn.get(parent) === text) return
  shownIn.set(parent, text)
  fill(parent, make())
}

/** Whether a control inside has a changed value, or has the focus. */
export function isFilledIn(parent: Element): boolean {
  const controls = parent.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    'input, textarea, select',
  )
  return [...controls].some((control) =>
    control instanceof HTMLSelectElement
      ? control.selectedOptions[0]?.defaultSelected !== true
      : control === document.activeElement ||
        control.value !== control.defaultValue ||
        (control instanceof HTMLInputElement && control.checked !== control.defaultChecked),
  )
}

/** A button; an error of its action is shown to the user. */
export function button(
  label: string,
  action: (pressed: HTMLButtonElement) => unknown,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', () => attempt(() => action(made)))
  return made
}

/** A labelled control. */
export function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  return element('label', {}, element('span', {}, text), control)
}

/** Controls that belong together. */
export function group(label: string, kind: 'bar' | 'actions', ...controls: readonly Child[]): HTMLElement {
  return element('div', { class: kind, role: 'group', 'aria-label': label }, controls)
}

/** A title with words below it. */
export function heading(title: Child, ...words: readonly Child[]): readonly Child[] {
  return [element('h2', {}, title), element('p', { class: 'quiet' }, words)]
}

/** A table of cells; a column without a name has no heading. */
export function table(
  names: readonly string[],
  rows: readonly HTMLTableRowElement[],
  attributes: Readonly<Record<string, string>> = {},
): HTMLTableElement {
  const heads = names.map((name) => (name === '' ? element('td') : element('th', { scope: 'col' }, name)))
  return element('table', attributes, element('thead', {}, element('tr', {}, heads)), element('tbody', {}, rows))
}

/** A row of a table. */
export function tableRow(...cells: readonly Child[]): HTMLTableRowElement {
  return element(
    'tr',
    {},
    cells.map((cell) => element('td', {}, cell)),
  )
}

/** A selection; options are values with their texts. */
export function selection(
  options: readonly (readonly [value: string, text: string])[],
  chosen?: string,
): HTMLSelectElement {
  const made = element('select')
  setOptions(made, options, chosen)
  for (const option of made.options) option.defaultSelected = option.selected
  return made
}

/** Changes the options of a selection, and keeps the chosen one where it is still there. */
export function setOptions(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  chosen = select.value,
): void {
  fill(
    select,
    options.map(([value, text]) => element('option', { value }, text)),
  )
  if (options.some(([value]) => value === chosen)) select.value = chosen
}

let complain: (message: string) => void = () => {}

/** Sets the function that shows errors to the user. */
export function onFailure(tell: (message: string) => void): void {
  complain = tell
}

/** Runs an action and shows its error to the user. */
export async function attempt(action: () => unknown): Promise<void> {
  try {
    await action()
  } catch (cause) {
    complain(cause instanceof Error ? cause.message : String(cause))
  }
}

/** Runs one call of a burst in the next frame; the next one runs `restMs` milliseconds later at the earliest. */
export function inNextFrame(action: () => void, restMs = 0): () => void {
  let waiting = false
  let lastMs = Number.NEGATIVE_INFINITY
  const inFrame = () =>
    requestAnimationFrame(() => {
      waiting = false
      lastMs = performance.now()
      action()
    })
  return () => {
    if (waiting) return
    waiting = true
    const restsMs = lastMs + restMs - performance.now()
    if (restsMs > 0) setTimeout(inFrame, restsMs)
    else inFrame()
  }
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null) return []
    return typeof child === 'string' || child instanceof Node ? [child] : nodesOf(child)
  })
}
