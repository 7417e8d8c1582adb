/** Proof that files which are processed no longer are a violation, where the profile maps their status. */
import { complete, files, mapped, poll, uploaded } from '../../../../test/trace-builder/file-exchanges.ts'
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { statusPolled } from './status.ts'

const pdf = { headers: [['content-type', 'application/pdf']] } as const

interface Stopped {
  /** The media types of the later files, as changes of their uploads. */
  readonly types?: readonly object[]
  /** How long each is waited for, milliseconds. */
  readonly waitedMs?: number
  /** The time between two uploads, milliseconds. */
  readonly apartMs?: number
  readonly state?: unknown
  readonly firstIs?: unknown
  /** Happens at last. */
  readonly atLast?: (s: TraceBuilder) => void
}

/** A file that is complete, and later ones that stay as they are. */
const stopped =
  ({
    types = [pdf, {}, {}],
    waitedMs = 11_000,
    apartMs = 12_000,
    state = 'WORK',
    firstIs = 'DONE',
    atLast,
  }: Stopped = {}) =>
  (s: TraceBuilder): void => {
    poll(s, uploaded(s, undefined, { at: [100, 110] }), firstIs, { at: [300, 301] })
    for (const [index, type] of types.entries()) {
      const sentMs = 1000 + index * apartMs
      const id = uploaded(s, undefined, { ...type, at: [sentMs, sentMs + 10] })
      for (const atMs of [sentMs + 100, sentMs + 10 + waitedMs]) poll(s, id, state, { at: [atMs, atMs + 1] })
    }
    atLast?.(s)
  }

proveOracles({ 'files.status-polled': statusPolled }, [
  upholds('files.status-polled', 'getFileStatus', 'later files are complete', stopped({ state: 'DONE' }), mapped),
  violates(
    'files.status-polled',
    'getFileStatus',
    'one file is complete, and no later one any more',
    stopped(),
    mapped,
  ),
  ...(
    [
      ['two files may be slow by accident', { types: [{}, {}] }],
      ['each type may be slow by itself', { types: [pdf, pdf, pdf] }],
      ['one of the type may be unreadable', { types: [pdf, pdf, {}] }],
      ['they may be slow as long as the profile waits', { waitedMs: 9000 }],
      ['all are delayed by one outage', { apartMs: 20 }],
      ['they failed', { state: 'BROKEN' }],
      ['where no file is complete, its values may be other ones', { firstIs: 'WORK' }],
      ['a file that comes later is complete', { atLast: (s: TraceBuilder) => void complete(s) }],
    ] satisfies readonly (readonly [string, Stopped])[]
  ).map(([what, parts]) => noViolation('files.status-polled', '', what, stopped(parts), mapped)),
  noViolation('files.status-polled', '', 'the profile may say that it takes longer', stopped(), {
    profile: { files: { ...files, status: { ...files.status, waitMs: 60_000 } } },
  }),
])
