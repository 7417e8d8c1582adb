/**
 * One object for one message and one string for one long content, however many bodies show them. A long conversation is listed
 * again and again, and a judge that kept each copy would hold the pages many times over and compare them field by field; the
 * same object is equal at a glance.
 */
import { fieldOf, isObject, type JsonObject, sameJson, textField } from './json.ts'
import { LruCache } from './lru-cache.ts'

/** Below this many characters a copy costs less than looking for another one. */
const longContent = 256

/** The messages that answers have shown so far, by id as it was written. */
export class MessageInterning {
  readonly #latest = new Map<string, JsonObject>()
  readonly #contents = new LruCache<string>((text) => text)

  /** Takes in an answer that nobody has read yet: a message, or a page, whose equal items give way to the known objects. */
  take(document: unknown): void {
    const items = fieldOf(document, 'items')
    if (!Array.isArray(items)) this.#known(document)
    else for (let at = 0; at < items.length; at += 1) items[at] = this.#known(items[at])
  }

  /** Takes in the body of a request that nobody has read yet, which holds a message or several. */
  takeSent(body: unknown): void {
    this.#shareContent(body)
    const messages = fieldOf(body, 'messages')
    if (Array.isArray(messages)) for (const message of messages) this.#shareContent(message)
  }

  #known(value: unknown): unknown {
    const id = textField(value, 'id')
    const known = id === null ? undefined : this.#latest.get(id)
    if (known !== undefined && sameJson(known, value)) return known
    this.#shareContent(value)
    if (id !== null && isObject(value)) this.#latest.set(id, value)
    return value
  }

  #shareContent(message: unknown): void {
    const content = textField(message, 'content')
    if (content === null || content.length < longContent) return
    ;(message as { content: string }).content = this.#contents.of(content)
  }
}
