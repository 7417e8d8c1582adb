/**
 * Finds faults in the parameters and headers of the reading endpoints, from the bytes alone.
 */

import { booleanForm, integerForm, isUserIdText } from '../read/formats.ts'
import { headerValue, headerValues, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { addAmbiguity, addFault, addLeniency, type FaultList } from './request-fault.ts'

/** The contract's longest user-id. */
export const longestUserId = 255

/** Reads limit and cursor of a list request; whether a cursor is one of the thread is known to the histories. */
export function listFaults(parsed: ParsedExchange, list: FaultList): undefined {
  const limits = queryValues(parsed, 'limit')
  if (limits.length > 1 || queryValues(parsed, 'cursor').length > 1) addLeniency(list, 'a repeated query parameter')
  for (const limit of limits.slice(0, 1)) limitFaults(limit, list)
  unknownParameters(parsed, ['limit', 'cursor'], list)
}

function limitFaults(limit: string, list: FaultList): undefined {
  const form = integerForm(limit)
  if (form === 'wrong') addFault(list, 'limit-not-integer', 'query', 'limit')
  else if (form === 'lenient') addLeniency(list, 'another spelling of an integer')
  else if (Number(limit) < 1) addAmbiguity(list, 'a limit below one')
  else if (Number(limit) > 100) addAmbiguity(list, 'a limit above the default')
}

/** Reads the parameters of a grant request. */
export function grantFaults(parsed: ParsedExchange, list: FaultList): undefined {
  const names = queryValues(parsed, 'filename')
  const [name] = names
  if (name === undefined) addFault(list, 'filename-missing', 'query', 'filename')
  else if (!usualFilename.test(name)) addAmbiguity(list, 'an unusual filename')
  if (names.length > 1) addLeniency(list, 'a repeated query parameter')
  persistFaults(queryValues(parsed, 'persist'), list)
  // Some servers pass headers on as variables, whose names have underscores for hyphens.
  if (headerValue(parsed.exchange, 'user_id') !== undefined) addAmbiguity(list, 'a header name with an underscore')
  else userIdFaults(headerValues(parsed.exchange, 'user-id'), list)
  unknownParameters(parsed, ['filename', 'persist'], list)
}

/** Letters of any script and an extension of an allowed type; names longer than a file system allows are a separate case. */
const usualFilename = /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N} ()_.-]{1,60}\.(?:csv|txt|pdf|docx|xlsx)$/iu

function persistFaults(values: readonly string[], list: FaultList): undefined {
  const [value] = values
  if (values.length > 1) addLeniency(list, 'a repeated query parameter')
  if (value === undefined) return
  const form = booleanForm(value)
  if (form === 'wrong') addFault(list, 'persist-not-boolean', 'query', 'persist')
  if (form === 'lenient') addLeniency(list, 'another spelling of a boolean')
}

function userIdFaults(values: readonly string[], list: FaultList): undefined {
  const [value] = values
  const loc = ['header', 'user-id'] as const
  if (value === undefined) return addFault(list, 'user-id-missing', ...loc)
  if (values.length > 1) return addLeniency(list, 'a repeated header')
  if (value.trim() === '') return addFault(list, 'user-id-empty', ...loc)
  if (value.trim() !== value) addLeniency(list, 'blanks around a header value')
  if (!isUserIdText(value.trim())) addFault(list, 'user-id-characters', ...loc)
  if (value.trim().length > longestUserId) addFault(list, 'user-id-too-long', ...loc)
}

/** Parameters that the operation does not have are ignored by most servers and refused by some. */
export function unknownParameters(parsed: ParsedExchange, known: readonly string[], list: FaultList): undefined {
  if (parsed.query.some(([name]) => !known.includes(name))) addAmbiguity(list, 'an unknown query parameter')
}
