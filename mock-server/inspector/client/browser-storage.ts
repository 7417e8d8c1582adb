/** Keeps small texts in the browser if it allows that; otherwise they last as long as the page. */

type Kind = 'localStorage' | 'sessionStorage'

/** The text that is kept, `null` for none. */
export function recall(kind: Kind, key: string): string | null {
  try {
    return window[kind].getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text. */
export function remember(kind: Kind, key: string, text: string): void {
  try {
    window[kind].setItem(key, text)
  } catch {
    // The page works without storage.
  }
}
