/**
 * One object for one message, however many answers show it. A long conversation is listed again and again, and a judge that
 * kept each copy would hold the pages many times over and compare them field by field; the same object is equal at a glance.
 */
import { fieldOf, isObject, type JsonObject, sameJson, textField } from './json.ts'

/** The messages that answers have shown so far, by id as it was written. */
export class MessagePool {
  readonly #latest = new Map<string, JsonObject>()

  /** Takes in a message, or puts the known objects in the place of equal items of a page that nobody has read yet. */
  take(document: unknown): void {
    const items = fieldOf(document, 'items')
    if (!Array.isArray(items)) this.#known(document)
    else for (let at = 0; at < items.length; at += 1) items[at] = this.#known(items[at])
  }

  #known(value: unknown): unknown {
    const id = textField(value, 'id')
    if (id === null || !isObject(value)) return value
    const known = this.#latest.get(id)
    if (known !== undefined && sameJson(known, value)) return known
    this.#latest.set(id, value)
    return value
  }
}
