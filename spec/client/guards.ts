/** Tells errors from everything else that a response or a line of a stream can hold. */
import { errorCodes } from './error-codes.ts'
import type { ErrorBody, ErrorCode, ValidationError } from './wire.ts'

/** Whether a text is an error code that the reference profile knows. */
export const isErrorCode = (value: unknown): value is ErrorCode => (errorCodes as readonly unknown[]).includes(value)

/**
 * Whether a value is the body of an error, also of one whose code the reference profile does not know: a service may have codes of
 * its own, and none of them is a chunk. `isErrorCode` tells them apart.
 */
export const isErrorBody = (value: unknown): value is ErrorBody => {
  if (typeof value !== 'object' || value === null) return false
  const { error_code, detail } = value as Readonly<Record<string, unknown>>
  if (error_code === 'validation_error') return Array.isArray(detail) && detail.every(isFieldError)
  return typeof error_code === 'string' && typeof detail === 'string'
}

/** Whether a value is the error that lists every invalid field. */
export const isValidationError = (value: unknown): value is ValidationError =>
  isErrorBody(value) && value.error_code === 'validation_error'

const isFieldError = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { loc, message, type } = value as Readonly<Record<string, unknown>>
  return Array.isArray(loc) && typeof message === 'string' && typeof type === 'string'
}
