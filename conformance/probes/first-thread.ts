/** The thread that the first looks share: all kinds of messages, pages of them, and a whole answer at its end. */
import type { AssistantCard } from '../staging/assistant-card.ts'
import { type SharedFixture, wholeCard } from '../staging/fixtures.ts'
import type { Stage } from '../staging/stage.ts'

export interface FirstThread extends SharedFixture {
  /** The assistant that it was opened for. */
  readonly card: AssistantCard
}

/** It is of an assistant that gives whole answers only, where there is one: then it shows how a stream is refused as well. */
export async function firstThread(stage: Stage): Promise<FirstThread | null> {
  const card = wholeCard(await stage.assistants(), stage.profile) ?? (await stage.assistant('plain'))
  const thread = card === null ? null : await stage.shared('three', 'primary', card)
  return card === null || thread === null ? null : { ...thread, card }
}
