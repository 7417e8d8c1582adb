/** Defines what a controller receives and returns, and the platform that controllers work on. */
import type { IncomingHttpHeaders } from 'node:http'
import type { CursorCodec } from './cursor-codec.ts'
import type { FileVault } from './file-vault.ts'
import type { Engine, Tenant } from './model.ts'
import { failure, type Outcome, success } from './outcome.ts'
import type { ThreadRepository } from './thread-repository.ts'

/** The parts that live as long as the server. */
export interface Platform {
  readonly threads: ThreadRepository
  readonly cursors: CursorCodec
  readonly files: FileVault
}

/** One authenticated request. */
export interface Exchange {
  readonly platform: Platform
  readonly tenant: Tenant
  /** The variable segments of the path, in order. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The body as text, empty when there is none. */
  readonly body: string
}

/** A document or a series of chunks, with the status of this operation. */
export type Answer =
  | { readonly status: number; readonly document: unknown }
  | { readonly status: number; readonly chunks: readonly object[] }

/** Serves one operation. */
export type Controller = (exchange: Exchange) => Outcome<Answer>

/** The tenant's engine behind an assistant id. */
export function engineOf(tenant: Tenant, assistantId: string | null): Outcome<Engine> {
  const engine = tenant.engines.find((candidate) => candidate.assistant.id === assistantId)
  return engine === undefined ? failure('assistant_not_available') : success(engine)
}
