/** The answers of the admin API, as far as the page reads them. */
import type { ClientOutcome } from '../../exchange/in-flight-request.ts'
import type { InjectedFault } from '../../fault-catalogue/injection-record.ts'
import type { FaultEntry } from '../../faults/fault-registry.ts'
import type { FaultRule } from '../../faults/fault-rule.ts'
import type { EntryView } from '../../journal/journal.ts'
import type { LiveEvent, RunningExchange, SentChunk } from '../../live/live-event.ts'

export type { ClientOutcome, EntryView, FaultEntry, FaultRule, InjectedFault, LiveEvent, RunningExchange, SentChunk }

export interface WorldView {
  readonly name: string
  readonly clock: { readonly mode: string; readonly now: string }
  readonly threads: number
  readonly files: number
  readonly exchanges: number
}

/** An exchange with the reason for its answer. */
export interface ExplainedEntry extends EntryView {
  readonly why: {
    readonly refusal: {
      readonly reason: string
      readonly code: string
      readonly rule: string
      readonly section: string
      readonly fix: string
    } | null
    readonly near: string | null
    readonly script: { readonly assistant: string; readonly turn: number | null; readonly when: object | null } | null
    readonly faults: readonly (InjectedFault & { readonly rule: FaultRule | null })[]
  }
}

export interface AssistantView {
  readonly id: string
  readonly name: string
  readonly streaming: boolean
  readonly required_fields: Readonly<Record<string, readonly string[]>>
}

export interface TenantView {
  readonly name: string
  readonly keys: readonly { readonly key: string }[]
  readonly assistants: readonly AssistantView[]
}

export interface ScenarioView {
  readonly name: string
  readonly yaml: string
  readonly tenants: readonly TenantView[]
}

export interface ScenarioTrial {
  readonly applied: boolean
  readonly problems: readonly string[]
  readonly tenants?: readonly TenantView[]
  readonly answer?: {
    readonly assistant: string
    readonly turn: number | null
    readonly when: object | null
    readonly content: string
    readonly tool_calls: readonly ToolCallView[]
  } | null
}

export interface ToolCallView {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface MessageView {
  readonly id: string
  readonly role: string
  readonly content: string
  readonly created_at: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly ToolCallView[]
  readonly file_ids?: readonly string[]
  readonly sources?: readonly unknown[]
  readonly meta_data?: object
}

export interface ThreadView {
  readonly id: string
  readonly tenant: string
  readonly assistant: string
  readonly origin: string
  readonly last_at: string
  readonly messages_total: number
  readonly open_tool_calls: number
  readonly last_message: MessageView | null
}

export interface WholeThread extends ThreadView {
  readonly messages: readonly MessageView[]
}

export interface StateView {
  readonly threads: readonly ThreadView[]
  readonly files: readonly {
    readonly id: string
    readonly tenant: string
    readonly filename: string
    readonly status: string
    readonly persist: boolean
    readonly upload: { readonly media_type: string; readonly size: number } | null
  }[]
}
