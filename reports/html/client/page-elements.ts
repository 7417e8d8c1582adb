/** Finds and creates elements with checked types, so that the rest of the script stays readable. */

/** The first element with this data attribute (or selector), or `null`. */
export function findElement<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T | null {
  const found = within.querySelector(selector)
  return found instanceof kind ? found : null
}

/** All elements of a selector that are of this kind. */
export function findElements<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): readonly T[] {
  return [...within.querySelectorAll(selector)].filter((element): element is T => element instanceof kind)
}

type Child = Node | string | null

/** A new element; text stays text, `null` children are left out. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== null))
  return element
}

/** Runs the last of a burst of calls in the next frame. */
export function inNextFrame(action: () => void): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      action()
    })
  }
}
