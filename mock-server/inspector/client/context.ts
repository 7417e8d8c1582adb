/** What every view of the page works with. */
import type { AdminClient } from './admin-client.ts'
import type { ExchangeStore } from './exchange-store.ts'
import type { ScenarioView } from './wire.ts'

export interface Context {
  readonly admin: AdminClient
  readonly exchanges: ExchangeStore
  /** Name of the world that is shown. */
  world(): string
  /** Path of an admin request about that world. */
  path(rest: string): string
  /** The scenario, asked for once until it changes. */
  scenario(): Promise<ScenarioView>
  /** Tells the person something; with an action, a button for it. */
  tell(message: string, action?: { readonly label: string; readonly act: () => unknown }): void
}

export interface View {
  readonly root: HTMLElement
  /** Shows what there is now; called when it comes into sight, and when its world or item changes. */
  show(item: string): unknown
  /** Something may have happened. Called while it is in sight, at most ten times a second. */
  frame?(): unknown
  /** The same, at most twice a second: for a view that has to ask the mock. */
  update?(): unknown
}
