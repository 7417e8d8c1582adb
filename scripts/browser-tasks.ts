/** Records the tasks of a browser, in processor time, which other work on the machine does not lengthen. */
import type { Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  /** Microseconds of the processor. */
  readonly tdur?: number
}

/** Milliseconds of each task of the browser during an action. */
export const tasksDuring = async (page: Page, action: () => Promise<unknown>): Promise<readonly number[]> => {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await action()
  const trace = JSON.parse(String(await browser?.stopTracing())) as { readonly traceEvents: readonly TraceEvent[] }
  return trace.traceEvents.filter(({ name }) => name.endsWith('RunTask')).map(({ tdur = 0 }) => tdur / 1000)
}
