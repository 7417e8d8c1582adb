/**
 * Describes a target: its address, keys, claims and transport. The contract leaves open how to create threads, write run
 * bodies and call tools. A profile is written by hand or by `acs init`. The file form is acs.target.yaml; it holds secrets
 * only as `${ENV}` references, which are resolved on loading.
 */
import type { ConformanceLevel } from '../../spec/index.ts'

/** The names of the tenant keys; `spare` is another key of the primary tenant, `throttled` a key of any tenant. */
export const tenantNames = ['primary', 'secondary', 'throttled', 'spare'] as const
export type TenantName = (typeof tenantNames)[number]

/** A JSON value in which `{{assistant_id}}`, `{{user_id}}`, `{{thread_id}}`, `{{tool_call_id}}` are filled in before sending. */
type Template = unknown

interface TenantProfile {
  /** The API key itself after loading; never written anywhere. */
  readonly key: string
}

/** The source of threads, because the contract has no operation that creates one. */
export type ThreadSource =
  | { readonly kind: 'static'; readonly threads: readonly StaticThread[] }
  | {
      readonly kind: 'http'
      readonly method: string
      /** Path below the base URL, or an absolute URL. */
      readonly path: string
      readonly body?: Template
      readonly headers?: Readonly<Record<string, string>>
      /** JSON pointer to the thread's id in the answer. */
      readonly pointer: string
    }
  | { readonly kind: 'command'; readonly command: readonly string[] }

export interface StaticThread {
  readonly id: string
  readonly tenant: TenantName
  /** Its assistant, if threads are bound to one. */
  readonly assistant_id?: string
  /** Its contents at the start; with `unknown` less can be judged. */
  readonly holds: 'empty' | 'unknown'
}

/** The form of tool calls and of tool messages; the contract specifies neither. */
export interface ToolMapping {
  /** Id or name of the assistant that asks for a tool when it gets `prompt`. */
  readonly assistant_id?: string
  readonly prompt?: string
  /** JSON pointer to the call ids in an assistant message; a segment `*` means every element (tool_calls, every one, id). */
  readonly callIds: string
  /** Field of a tool message that carries the id of the call that it answers. */
  readonly resultField: string
  /** Extra fields of a create-message body that make an assistant message with the call `{{tool_call_id}}`; spends no model call. */
  readonly assistantMessage?: Template
}

/** The place of a file's status, and the form of an attachment; the contract names both steps and shows neither. */
interface FileMapping {
  readonly status?: FileStatusMapping
  /** Fields of a create-message body that attach the file `{{file_id}}`. */
  readonly attachment?: Template
  /** Whether nothing shows that a file is attached: any id is taken, and no message shows its files. */
  readonly attachmentUnseen?: boolean
}

export interface FileStatusMapping {
  /** Path below the base URL, with `{file_id}` as one of its segments. */
  readonly path: string
  /** JSON pointer to the status in the answer. */
  readonly pointer: string
  /** The values that mean that processing is complete. */
  readonly complete: readonly (string | boolean)[]
  /** The values that say that it ended otherwise: the suite then stops waiting. */
  readonly failed?: readonly (string | boolean)[]
  /** Longest wait until a small file is complete, milliseconds; default {@link defaultFileWaitMs}. */
  readonly waitMs?: number
}

export const defaultFileWaitMs = 10_000

export interface AssistantProfile {
  /** Extra top-level body fields for completions with this assistant, e.g. `{ user_data: { licence: "A-1" } }`. */
  readonly body?: Template
  /** The user message for this assistant, for narrow assistants that cannot answer a neutral question. */
  readonly prompt?: string
  /** Longest silence of this assistant, milliseconds; default from `timeouts.modelMs`. */
  readonly timeoutMs?: number
  /** The assistant asks for tools, so plain questions go to others. */
  readonly asksForTools?: boolean
  /** The assistant always times out: it is used only to provoke api_timeout_error. */
  readonly timesOut?: boolean
  /** The assistant is always unavailable: it is used only to provoke internal_service_error. */
  readonly unavailable?: boolean
}

/** Profiles of assistants by id or name, `*` for all; `use` and `avoid` choose which of them are asked. */
interface AssistantProfiles {
  readonly use?: readonly string[]
  readonly avoid?: readonly string[]
  readonly [assistant: string]: AssistantProfile | readonly string[] | undefined
}

/** The way to provoke an error; all given values go into one request. */
export interface Provocation {
  readonly headers?: Readonly<Record<string, string>>
  /** Id of the assistant that a completion asks. */
  readonly assistant?: string
  /** Id of the thread that is listed. */
  readonly thread?: string
  /** What the newest message of a user says: a run or a completion answers it. */
  readonly prompt?: string
  /** Top-level fields of a completion's body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** API key that the request carries. */
  readonly key?: string
}

/** The transport to the target; file names are relative to the working directory. */
export interface TransportProfile {
  /** PEM file with further authorities. */
  readonly ca?: string
  /** PEM files with the certificate that the suite shows to the origin of the base URL, and its key. */
  readonly clientCert?: string
  readonly clientKey?: string
  readonly clientKeyPassphrase?: string
  /** URL of a proxy, or `direct`; default from the environment. */
  readonly proxy?: string
  /** Carried by every request to the origin of the base URL. */
  readonly headers?: Readonly<Record<string, string>>
  readonly userAgent?: string
  /** Whether HTTP/2 is spoken when the target chooses it; default true. */
  readonly http2?: boolean
  /** Whether requests carry a `traceparent`; default true, except in a run that is certified. */
  readonly traceparent?: boolean
}

/** The time limits of the target, milliseconds. */
interface Timeouts {
  /** Longest silence of a request that may reach the model; without it the first answers set the scale. */
  readonly modelMs?: number
  /** Longest silence of any other request; default `budget.timeoutMs`. */
  readonly freeMs?: number
  /** The longest duration of the run; default `budget.totalMs`. */
  readonly totalMs?: number
}

export interface Budget {
  readonly maxExchanges?: number
  readonly maxModelCalls?: number
  readonly ratePerMinute?: number
  readonly timeoutMs: number
  /** Largest body to keep, in bytes. */
  readonly maxBodyBytes: number
  /** The total memory for the bodies of one run, bytes; default 128 MiB. */
  readonly maxRunBytes?: number
  /** The longest duration of a run, milliseconds; default 30 minutes, or twice what the rate makes necessary. */
  readonly totalMs?: number
}

export interface TargetProfile {
  readonly baseUrl: string
  readonly tenants: { readonly primary: TenantProfile } & Readonly<
    Partial<Record<Exclude<TenantName, 'primary'>, TenantProfile>>
  >
  readonly claims: readonly ConformanceLevel[]
  readonly threads: ThreadSource | null
  /** Body of run requests; default `{}`. */
  readonly runBody: Template
  readonly assistants: AssistantProfiles
  readonly tools: ToolMapping | null
  readonly files?: FileMapping
  /** A rate-limited key's quota, when known: requests that surely exceed it. */
  readonly throttle: { readonly requests: number } | null
  /** The ways to provoke errors that a black box cannot, by error code. */
  readonly provoke: Readonly<Record<string, Provocation>>
  /** The vendor's answers to gaps, verified as obligations. */
  readonly declares: Readonly<Record<string, string>>
  readonly budget: Budget
  readonly timeouts?: Timeouts
  readonly transport?: TransportProfile
  /** Hosts with private addresses that upload URLs may name; public ones and the target's own need no mention. */
  readonly uploadHosts?: readonly string[]
  /** The values from the environment on loading; they are redacted in all evidence and never written. */
  readonly secrets?: readonly string[]
}
