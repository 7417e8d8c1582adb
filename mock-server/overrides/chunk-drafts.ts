/** Merges the chunks of an answer before they get timestamps. */

import type { ChunkDraft } from '../machine/chunk.ts'
import type { Json } from '../scenario/scenario.ts'

/** The field in which a chunk carries its part of the answer. */
export const fieldOf = ({ delta }: ChunkDraft): 'content' | 'content_blocks' =>
  'content' in delta ? 'content' : 'content_blocks'

/** All of these drafts in one. */
export const mergedDrafts = (drafts: readonly ChunkDraft[]): readonly ChunkDraft[] => {
  const last = drafts.at(-1)
  if (last === undefined) return drafts
  const field = fieldOf(last)
  const values = drafts.map(({ delta }) => delta[field] ?? '')
  const joined: Json = field === 'content' ? values.join('') : (values.flat() as readonly Json[])
  return [{ ...last, delta: { ...last.delta, [field]: joined } }]
}

/** Always so many drafts in one. */
export const mergeDraftsBy =
  (count: number) =>
  (drafts: readonly ChunkDraft[]): readonly ChunkDraft[] =>
    Array.from({ length: Math.ceil(drafts.length / count) }, (_, index) =>
      mergedDrafts(drafts.slice(index * count, (index + 1) * count)),
    ).flat()
