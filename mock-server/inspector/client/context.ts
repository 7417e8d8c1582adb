/** The context of every view of the page. */
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
  /** Shows a message to the user; with an action, a button for it. */
  tell(message: string, action?: { readonly label: string; readonly act: () => unknown }): void
}

export interface View {
  readonly root: HTMLElement
  /** Shows the current state; called when the view becomes visible, and when its world or item changes. */
  show(item: string): unknown
  /** The state may have changed. Called while the view is visible, at most ten times a second. */
  frame?(): unknown
  /** The same, at most twice a second: for a view that must query the mock. */
  update?(): unknown
}
