/**
 * Translates the options of `acs mock` to those of the mock server. It reads clock words and scenario files, and
 * reports failures as one line each.
 */
import { InvalidArgumentError } from 'commander'
import type { ClockOptions, MockOptions, Scenario } from '../mock-server/index.ts'
import { CommandFailure, exitCodes, problemsFailure, problemsOf, usageFailure } from './failure.ts'
import { faultRuleOf } from './fault-option.ts'
import { readText } from './read-file.ts'

/** `real`, `frozen`, `stepped`, or `x10` for ten times as fast. */
export const clockWord = (text: string): ClockOptions => {
  if (text === 'real' || text === 'frozen' || text === 'stepped') return { mode: text }
  const factor = Number(/^x(\d+(?:\.\d+)?)$/.exec(text)?.[1])
  if (!(factor >= 0.001 && factor <= 1_000_000)) {
    throw new InvalidArgumentError('Use real, frozen, stepped, or x10 for ten times as fast (from x0.001 to x1000000).')
  }
  return { mode: 'scaled', factor }
}

/** The scenario of a file, or the built-in one. */
export const scenarioOf = async (file: string | undefined): Promise<Scenario> => {
  const { defaultScenario, loadScenario } = await import('../mock-server/index.ts')
  if (file === undefined) return defaultScenario
  const text = readText(file)
  return loadScenario(text, { file }).catch((cause: unknown) => {
    throw problemsFailure(problemsOf(cause), cause)
  })
}

/** Certificate and key; `null` for plain HTTP. The listener validates them. */
export const tlsOf = ({
  tlsCert,
  tlsKey,
}: {
  readonly tlsCert?: string
  readonly tlsKey?: string
}): { readonly cert: string; readonly key: string } | null => {
  if (tlsCert === undefined && tlsKey === undefined) return null
  if (tlsCert === undefined || tlsKey === undefined)
    throw usageFailure('--tls-cert and --tls-key must be given together')
  return { cert: readText(tlsCert), key: readText(tlsKey) }
}

const stateExitCodes = {
  'state-locked': exitCodes.unavailable,
  'state-unusable': exitCodes.cannotCreate,
  'state-damaged': exitCodes.data,
} as const

/** A mock, with its failures reported as those of the command line. */
export const openMock = async (options: MockOptions, faults: readonly string[]) => {
  const { createMock, FaultError, StateError } = await import('../mock-server/index.ts')
  const mock = await createMock(options).catch((cause: unknown) => {
    if (!(cause instanceof StateError)) throw cause
    const exitCode = stateExitCodes[cause.code]
    throw new CommandFailure(`${cause.message}; choose another directory with --state`, { exitCode, cause })
  })
  try {
    for (const fault of faults) mock.faults.add(faultRuleOf(fault))
    return mock
  } catch (cause) {
    await mock.close()
    throw cause instanceof FaultError ? usageFailure(`--fault: ${cause.problem}`) : cause
  }
}
