/** Readers for option values; the error for a wrong value names the valid ones. */
import { InvalidArgumentError, Option } from 'commander'
import { usageFailure } from './failure.ts'

/** An integer within bounds, inclusive. */
export const parseInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < min || value > max) {
      const range = max === Number.MAX_SAFE_INTEGER && !(value > max) ? `of at least ${min}` : `from ${min} to ${max}`
      throw new InvalidArgumentError(`Use a whole number ${range}.`)
    }
    return value
  }

/** A choice of formats; `md` is taken as `markdown`. */
export const formatOption = <T extends string>(formats: readonly T[], fallback: T): Option => {
  const option = new Option('-f, --format <format>', 'format to print').choices(formats).default(fallback)
  const choose = option.parseArg
  return option.argParser((text: string, previous: T) => choose?.(text === 'md' ? 'markdown' : text, previous) as T)
}

/** A host of this machine without a scheme. */
const localHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:\/|$)/i

/** An absolute http or https URL, without a trailing slash; `localhost:4010` is taken as http. */
export const parseHttpUrl = (given: string): string => {
  const text = localHost.test(given) ? `http://${given}` : given
  if (!URL.canParse(text) || !/^https?:\/\/[^/\\]/i.test(text)) {
    throw new InvalidArgumentError('Use a URL such as http://127.0.0.1:4010.')
  }
  const { username, password, search, hash } = new URL(text)
  if (search !== '' || hash !== '') throw new InvalidArgumentError('Use a URL without a query or a fragment.')
  // Not an InvalidArgumentError, whose message would repeat the password.
  if (username !== '' || password !== '')
    throw usageFailure('the URL contains a user name or a password; remove them, and pass the key as ACS_API_KEY')
  return text.replace(/\/+$/, '')
}
