/**
 * The page's address: `#anchor?exchange=E12&tab=response&query=…` holds the open exchange and the filter.
 * A plain `#E12` names an exchange, so that links work without the script's knowledge.
 */

/** Fields of the address beside its anchor. */
type AddressField = 'exchange' | 'tab' | 'query' | 'level' | 'outcome' | 'find' | 'kind'

/** The element that the address names, or ''. */
export function addressAnchor(): string {
  const [anchor = ''] = hashText().split('?', 1)
  return anchor
}

/** A field of the address, or ''. */
export function addressField(name: AddressField): string {
  return fields().get(name) ?? ''
}

/** Changes fields without a new step of the browser's history; an empty value removes the field. */
export function writeAddress(changes: Partial<Record<AddressField, string>>, anchor = addressAnchor()): void {
  const next = fields()
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  const hash = text === '' ? anchor : `${anchor}?${text}`
  if (hash !== hashText()) history.replaceState(null, '', `#${hash}`)
}

/** Writes fields once they rest, so that typing stays light. */
export function laterAddress(): (changes: Partial<Record<AddressField, string>>) => void {
  let timer = 0
  return (changes) => {
    clearTimeout(timer)
    timer = setTimeout(() => writeAddress(changes), restMs) as unknown as number
  }
}

/** Browsers limit how often an address may change. */
const restMs = 250

function hashText(): string {
  try {
    return decodeURI(location.hash.slice(1))
  } catch {
    return ''
  }
}

function fields(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?').slice(1).join('?'))
}
