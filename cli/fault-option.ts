/**
 * Reads a value of `acs mock --fault`: a fault expression with settings of its rule.
 * The rule limits the requests, `fault:operation=runThread,times=1`, and the fault itself has its own settings.
 */
import type { Faults } from '../mock-server/index.ts'
import { nearestName } from '../spec/index.ts'
import { usageFailure } from './failure.ts'

type FaultRuleDraft = Parameters<Faults['add']>[0]

const matchSettings = ['operation', 'tenant', 'assistant', 'thread', 'header', 'body', 'world'] as const
const limitSettings = ['times', 'probability'] as const
const ruleSettings: readonly string[] = [...matchSettings, ...limitSettings]

/** The rule of an expression. The mock checks it; a number that is none, or a repeated setting, is refused here. */
export const faultRuleOf = (expression: string): FaultRuleDraft => {
  const settings = new Map<string, string>()
  const faults = expression.split(';').map((part) => withoutRule(part, settings))
  const match = Object.fromEntries([...settings].filter(([name]) => matchSettings.some((known) => known === name)))
  const limits = limitSettings.flatMap((name) => {
    const written = settings.get(name)
    return written === undefined ? [] : [[name, numberOf(name, written)] as const]
  })
  return {
    fault: faults.join(';'),
    ...(Object.keys(match).length === 0 ? null : { match }),
    ...Object.fromEntries(limits),
  }
}

/** One fault with its own settings alone; those of the rule are collected. */
const withoutRule = (fault: string, settings: Map<string, string>): string => {
  const colon = fault.indexOf(':')
  if (colon < 0) return fault
  const own = fault
    .slice(colon + 1)
    .split(',')
    .filter((setting) => {
      const equals = setting.indexOf('=')
      const name = setting.slice(0, Math.max(equals, 0)).trim()
      if (!ruleSettings.includes(name)) {
        refuseMistyped(name)
        return true
      }
      if (settings.has(name)) throw usageFailure(`--fault: ${name} is given twice; give it once for all faults`)
      settings.set(name, setting.slice(equals + 1).trim())
      return false
    })
  return own.length === 0 ? fault.slice(0, colon) : `${fault.slice(0, colon)}:${own.join(',')}`
}

const refuseMistyped = (name: string): void => {
  const near = nearestName(name, ruleSettings)
  if (near !== null) throw usageFailure(`--fault: no setting is called "${name}"; did you mean "${near}"?`)
}

const numberOf = (name: string, written: string): number => {
  if (/^\d+(?:\.\d+)?$/.test(written)) return Number(written)
  throw usageFailure(`--fault: ${name} takes a number, such as ${name}=1, not "${written}"`)
}
