/** The events of a run: progress views only listen, and the last event carries the trace. */
import type { Chapter } from '../../spec/index.ts'
import type { Cost } from '../client/meter-accounts.ts'
import type { Plan } from '../planning/plan.ts'
import type { Exchange, ProbeNote, Trace, TraceHeader } from '../trace/exchange.ts'

export type RunEvent =
  | { readonly type: 'planned'; readonly plan: Plan; readonly header: TraceHeader }
  | { readonly type: 'chapter'; readonly chapter: Chapter; readonly state: 'started' | 'finished' }
  | { readonly type: 'exchanged'; readonly exchange: Exchange; readonly cost: Cost }
  | { readonly type: 'noted'; readonly note: ProbeNote }
  | { readonly type: 'finished'; readonly trace: Trace }
