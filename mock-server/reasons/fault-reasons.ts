/** Rows of the reason table that belong to deliberate faults. */
import type { Reason } from './reason.ts'

export const faultReasons = {
  'injected-fault': {
    code: 'internal_service_error',
    rule: 'The error was asked for: by the header x-acs-fault, a fault rule or the scenario.',
    section: 'Errors',
    fix: 'Nothing is wrong with the request; the journal entry names what chose the fault.',
  },
  'unknown-fault': {
    code: 'validation_error',
    rule: 'The header x-acs-fault must contain names of known faults with valid settings.',
    section: 'Errors',
    fix: 'Take a name and its settings from GET /_acs/faults.',
  },
} as const satisfies Readonly<Record<string, Reason>>
