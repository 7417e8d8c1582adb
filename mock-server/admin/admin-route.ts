/** Describes a path of the admin API as data: its purpose, its fields and its action. */
import type { Faults } from '../faults/fault-registry.ts'
import type { LiveExchanges } from '../live/live-exchanges.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { WorldOptions } from '../worlds/mock-options.ts'
import type { Snapshot } from '../worlds/world.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import { type AdminResponse, refuseMissing } from './admin-request.ts'
import type { FieldKinds, FieldValues } from './fields.ts'

/** The interface of a mock that the admin API needs. */
export interface AdministeredMock {
  readonly main: WorldHandle
  readonly scenario: ResolvedScenario
  readonly faults: Faults
  readonly live: LiveExchanges
  find(name: string): WorldHandle | undefined
  world(options?: WorldOptions): WorldHandle
  worlds(): readonly WorldHandle[]
  reload(scenario: Scenario): Promise<void>
  settled(): Promise<void>
}

/** The context of the routes. */
export interface AdminContext {
  readonly mock: AdministeredMock
  /** Snapshots by id; the library hands them out, here they are named. */
  readonly snapshots: Map<string, Snapshot>
}

interface AdminCall<Kinds extends FieldKinds> {
  readonly context: AdminContext
  /** Values of the `{…}` segments. */
  readonly path: Readonly<Record<string, string>>
  /** Fields of the body (POST) or the query (GET, DELETE). */
  readonly fields: FieldValues<Kinds>
  /** Aborts when the caller has disconnected. */
  readonly signal: AbortSignal | null
}

export interface AdminRoute<Kinds extends FieldKinds = FieldKinds> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly about: string
  readonly fields: Kinds
  /** Returns the JSON value of the answer, or a TextAnswer. */
  readonly act: (call: AdminCall<Kinds>) => unknown
}

/** An answer that is not JSON, or that is a stream. */
export class TextAnswer {
  readonly contentType: string
  readonly text: AdminResponse['body']
  readonly headers: AdminResponse['headers']

  constructor(contentType: string, text: AdminResponse['body'], headers: AdminResponse['headers'] = {}) {
    this.contentType = contentType
    this.text = text
    this.headers = headers
  }
}

/** A route whose act knows the types of its fields. */
export function adminRoute<const Kinds extends FieldKinds>(route: AdminRoute<Kinds>): AdminRoute {
  return route as unknown as AdminRoute
}

/** The world that a path names, created if needed: a name suffices. Throws a RangeError for an invalid name. */
export function openWorldOf({ context, path }: Pick<AdminCall<FieldKinds>, 'context' | 'path'>): WorldHandle {
  const name = path.world ?? ''
  return context.mock.find(name) ?? context.mock.world({ name })
}

/** The world that a path names; refuses when there is none. */
export function worldOf({ context, path }: Pick<AdminCall<FieldKinds>, 'context' | 'path'>): WorldHandle {
  const world = context.mock.find(path.world ?? '')
  if (world === undefined) throw refuseMissing('world', path.world ?? '', namesOf(context.mock.worlds()))
  return world
}

const namesOf = (worlds: readonly WorldHandle[]): readonly string[] => worlds.map(({ name }) => name)
