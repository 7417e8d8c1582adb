/**
 * Does the same for several things of one probe, as many at a time as the run has workers. For requests whose order says
 * nothing, as refusals do, which leave everything as it was. Each lane starts in a turn of its own, so that a rate limit spaces them.
 */

/** Works through all items; after a failure no further one is begun, and the failure is thrown when all lanes are over. */
export async function inLanes<Item>(
  { workers }: { readonly workers: number },
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items]
  const failures: unknown[] = []
  const failed = (cause: unknown): void => {
    failures.push(cause)
    waiting.length = 0
  }
  const lane = async (): Promise<void> => {
    for (const item of taking(waiting)) await work(item).catch(failed)
  }
  const lanes: Promise<void>[] = []
  while (lanes.length < workers && waiting.length > 0) {
    lanes.push(lane())
    if (workers > 1) await endOfTurn()
  }
  await Promise.all(lanes)
  if (failures.length > 0) throw failures[0]
}

/** Takes from the front until nothing is left, which an item that is undefined does not mean. */
function* taking<Item>(items: Item[]): Generator<Item> {
  while (items.length > 0) yield* items.splice(0, 1)
}

/** The same, but the last two come one after the other, so that it is known which they are. Gives the results as they come. */
export async function mostlyInLanes<Item, Result>(
  context: { readonly workers: number },
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const kept = async (item: Item) => results.push(await work(item))
  await inLanes(context, items.slice(0, -inTurn), kept)
  for (const item of items.slice(-inTurn)) await kept(item)
  return results
}

const inTurn = 2

const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
