/** What every part of the server works with: the database, the clock, the switches and the memory of the process. */
import type { DatabaseSync } from 'node:sqlite'
import type { Micros } from './clock.ts'

/** How often a tenant may call. */
export interface Quota {
  readonly requests: number
  readonly windowMs: number
}

/** What the process keeps between requests; the database keeps the rest. */
interface Memory {
  readonly calls: Map<string, number[]>
  readonly cache: Map<string, unknown>
  readonly abandonedThreads: Set<string>
  readonly busyAssistants: Set<string>
  readonly activeThreads: Set<string>
  readonly leftovers: Map<string, string>
  latest: string
}

/** A running service. */
export interface Service {
  readonly database: DatabaseSync
  readonly now: () => Micros
  readonly fault: string
  readonly legal: ReadonlySet<string>
  readonly signingKey: string
  readonly throttledQuota: Quota
  readonly memory: Memory
}

/** The tenant that a request's key identifies. */
export interface Tenant {
  readonly id: string
  readonly name: string
  readonly key: string
}

/** A memory with nothing in it. */
export function emptyMemory(): Memory {
  return {
    calls: new Map(),
    cache: new Map(),
    abandonedThreads: new Set(),
    busyAssistants: new Set(),
    activeThreads: new Set(),
    leftovers: new Map(),
    latest: '',
  }
}

/** The value kept under a name; computed when it is met for the first time. */
export function kept<Value>(service: Service, name: string, compute: () => Value): Value {
  const { cache } = service.memory
  if (!cache.has(name)) cache.set(name, compute())
  return cache.get(name) as Value
}
