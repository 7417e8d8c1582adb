/**
 * Finds exchanges that something between suite and service may have disturbed: gateway errors and broken connections.
 * A violation in a disturbed run that its replay does not show again is called flaky instead of failing the run.
 */
import { errorRowOf } from '../../spec/index.ts'
import { textOfPieces } from '../trace/bytes.ts'
import type { Exchange, Trace } from '../trace/exchange.ts'

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])
const brokenEndings: ReadonlySet<Exchange['ending']> = new Set(['cut', 'timed-out', 'unreachable'])

/** The ids of the exchanges that were disturbed, in the order of sending. */
export const disturbancesIn = ({ exchanges }: Trace): readonly string[] =>
  exchanges.filter((exchange) => isGatewayError(exchange) || isBroken(exchange)).map(({ id }) => id)

/** A gateway status whose body holds no error code of the contract, so that the service did not say it. */
function isGatewayError({ response }: Exchange): boolean {
  return response !== null && gatewayStatuses.has(response.status) && !holdsContractCode(textOfPieces(response.pieces))
}

/** A connection that broke although the request was correct; a wrong request may be dropped on purpose. */
function isBroken({ ending, intent }: Exchange): boolean {
  return brokenEndings.has(ending) && (intent === null || intent.expects === 'accepted')
}

function holdsContractCode(text: string): boolean {
  try {
    const code: unknown = (JSON.parse(text) as { readonly error_code?: unknown } | null)?.error_code
    return typeof code === 'string' && errorRowOf(code) !== undefined
  } catch {
    return false
  }
}
