/**
 * Keeps one object per message and one string per long content, however many bodies show them. A long conversation is
 * listed repeatedly, and a judge that kept each copy would hold the pages many times and compare them field by field. With
 * one object, comparison by reference suffices.
 */
import { fieldOf, isObject, type JsonObject, sameJson, textField } from './json.ts'
import { LruCache } from './lru-cache.ts'

/** Below this many characters a copy costs less than looking for another one. */
const longContent = 256

/** The messages that answers have shown so far, by id as it was written. */
export class MessageInterning {
  readonly #latest = new Map<string, JsonObject>()
  readonly #contents = new LruCache<string>((text) => text)

  /** Interns a new answer: a message, or a page, whose equal items are replaced by the known objects. */
  take(document: unknown): void {
    const items = fieldOf(document, 'items')
    if (!Array.isArray(items)) this.#known(document)
    else for (let at = 0; at < items.length; at += 1) items[at] = this.#known(items[at])
  }

  /** Interns the new body of a request, which holds one or several messages. */
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
