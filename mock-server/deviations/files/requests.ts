/** Deviations of chapter files in the accepted requests for a grant. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { RequestInput } from '../../exchange/request-input.ts'
import { acceptRequests, rejectRequests } from '../../overrides/rules.ts'
import type { Rejection } from '../../reasons/reasons.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const grant = 'createUploadGrant'
const userOf = ({ header }: RequestInput): string | undefined => header('user-id')
const badUser: Rejection = {
  reason: 'invalid-fields',
  faults: [{ loc: ['header', 'user-id'], message: 'does not match', type: 'string_pattern_mismatch' }],
}
const badPersist: Rejection = {
  reason: 'invalid-fields',
  faults: [{ loc: ['query', 'persist'], message: 'is required', type: 'missing' }],
}

/** Takes user-ids that must be refused. */
const takesUser = (when: (userId: string) => boolean): HookOverride =>
  acceptRequests(grant, (input) => {
    const userId = userOf(input)
    if (userId === undefined || !when(userId)) return input
    return { ...input, header: (name) => (name === 'user-id' ? 'someone' : input.header(name)) }
  })

/** Refuses user-ids that must be taken. */
const refusesUser = (when: (userId: string) => boolean): HookOverride =>
  rejectRequests(grant, (input) => when(userOf(input) ?? ''), badUser)

const withQuery = (input: RequestInput, edit: (query: URLSearchParams) => void): RequestInput => {
  const query = new URLSearchParams(input.query ?? undefined)
  edit(query)
  return { ...input, query }
}

const persistOf = ({ query }: RequestInput): string | null => query?.get('persist') ?? null
const onlyOf = (userId: string, extra: RegExp): boolean =>
  userId.replace(extra, '').length < userId.length && /^[A-Za-z0-9._\-@:]*$/.test(userId.replace(extra, ''))

export const fileRequests = {
  'files.filename-required': [
    deviation(
      'files.filename-defaults',
      'Names a file without filename unnamed.',
      acceptRequests(grant, (input) =>
        input.query?.has('filename') === true ? input : withQuery(input, (query) => query.set('filename', 'unnamed')),
      ),
    ),
    deviation(
      'files.filename-optional-with-persist',
      'Checks the filename of files that are kept only.',
      acceptRequests(grant, (input) =>
        persistOf(input) === 'false' ? withQuery(input, (query) => query.set('filename', 'temporary')) : input,
      ),
      { trigger: 'persist=false without filename' },
    ),
  ],
  'files.user-id-required': [
    deviation(
      'files.user-id-defaults',
      'Files a request without user-id under anonymous.',
      acceptRequests(grant, (input) =>
        userOf(input) === undefined
          ? { ...input, header: (name) => (name === 'user-id' ? 'anonymous' : input.header(name)) }
          : input,
      ),
    ),
    deviation(
      'files.user-id-in-query',
      'Takes the tenant for the user when user-id is missing and persist is given.',
      acceptRequests(grant, (input) =>
        userOf(input) === undefined && persistOf(input) !== null
          ? { ...input, header: (name) => (name === 'user-id' ? 'tenant' : input.header(name)) }
          : input,
      ),
      { trigger: 'a request without user-id and with persist' },
    ),
  ],
  'files.user-id-accepted': [
    deviation(
      'files.user-id-without-at',
      'Refuses user-ids with an @.',
      refusesUser((id) => id.includes('@')),
    ),
    deviation(
      'files.user-id-without-colon',
      'Refuses user-ids with a colon.',
      refusesUser((id) => id.includes(':')),
    ),
    deviation(
      'files.user-id-of-two-or-more',
      'Refuses user-ids of one character.',
      refusesUser((id) => id.length < 2),
      { trigger: 'a user-id of one character' },
    ),
    deviation(
      'files.user-id-not-of-digits',
      'Refuses user-ids of digits alone.',
      refusesUser((id) => /^\d+$/.test(id)),
      { trigger: 'a user-id of digits' },
    ),
    deviation(
      'files.user-id-lower-case',
      'Refuses capital letters.',
      refusesUser((id) => /[A-Z]/.test(id)),
      { trigger: 'a user-id with a capital letter' },
    ),
    deviation(
      'files.user-id-starts-with-letter',
      'Demands a letter or a digit at the start.',
      refusesUser((id) => /^[^A-Za-z0-9]/.test(id)),
      { trigger: 'a user-id that starts with punctuation' },
    ),
    deviation(
      'files.user-id-ends-with-letter',
      'Demands a letter or a digit at the end.',
      refusesUser((id) => /[^A-Za-z0-9]$/.test(id)),
      { trigger: 'a user-id that ends on punctuation' },
    ),
    deviation(
      'files.user-id-not-of-letters',
      'Demands a digit.',
      refusesUser((id) => /^[A-Za-z]+$/.test(id)),
      { trigger: 'a user-id of letters' },
    ),
  ],
  'files.user-id-refused': [
    deviation(
      'files.user-id-with-blank',
      'Takes user-ids with a blank inside.',
      takesUser((id) => onlyOf(id, / /g)),
    ),
    deviation(
      'files.user-id-range',
      'Forgets to escape the hyphen, so that the pattern holds a range.',
      takesUser((id) => onlyOf(id, /[/;<=>?]/g)),
      { trigger: 'a character between . and @' },
    ),
    deviation(
      'files.user-id-between-cases',
      'Writes one range for capital and small letters, and takes what stands between them.',
      takesUser((id) => onlyOf(id, /[[\\\]^`]/g)),
      { trigger: 'a character between Z and a' },
    ),
    deviation(
      'files.user-id-with-comma',
      'Takes a list of user-ids.',
      takesUser((id) => onlyOf(id, /,/g)),
    ),
    deviation(
      'files.user-id-with-plus',
      'Takes user-ids with a plus.',
      takesUser((id) => onlyOf(id, /\+/g)),
    ),
    deviation(
      'files.user-id-of-any-letter',
      'Takes letters beyond ASCII.',
      takesUser((id) => onlyOf(id, /[^\0-\x7f]/g)),
    ),
    deviation(
      'files.user-id-empty',
      'Takes an empty user-id.',
      takesUser((id) => id === ''),
    ),
    deviation(
      'files.user-id-start-only',
      'Does not anchor the pattern at its end.',
      takesUser((id) => /^[A-Za-z0-9._\-@:]/.test(id)),
      { trigger: 'a user-id with a wrong character after a right one' },
    ),
    deviation(
      'files.user-id-end-only',
      'Does not anchor the pattern at its start.',
      takesUser((id) => /[A-Za-z0-9._\-@:]$/.test(id)),
      { trigger: 'a user-id with a wrong character before a right one' },
    ),
  ],
  'files.user-id-length': [
    deviation(
      'files.user-id-below-255',
      'Refuses a user-id of 255 characters.',
      refusesUser((id) => id.length === 255),
      { trigger: 'a user-id of 255 characters' },
    ),
    deviation(
      'files.user-id-up-to-256',
      'Takes a user-id of 256 characters.',
      takesUser((id) => id.length === 256 && /^[A-Za-z0-9._\-@:]+$/.test(id)),
      { trigger: 'a user-id of 256 characters' },
    ),
    deviation(
      'files.user-id-up-to-128',
      'Refuses user-ids above 128 characters.',
      refusesUser((id) => id.length > 128),
      { trigger: 'a user-id above 128 characters' },
    ),
    deviation(
      'files.user-id-of-any-length',
      'Does not limit the user-id.',
      takesUser((id) => /^[A-Za-z0-9._\-@:]{256,}$/.test(id)),
      { trigger: 'a user-id above 255 characters' },
    ),
  ],
  'files.persist-accepted': [
    deviation(
      'files.persist-demanded',
      'Refuses requests without persist.',
      rejectRequests(grant, (input) => persistOf(input) === null, badPersist),
    ),
    deviation(
      'files.persist-false-refused',
      'Takes a persist of false for none and refuses it.',
      rejectRequests(grant, (input) => persistOf(input) === 'false', badPersist),
      { trigger: 'persist=false' },
    ),
    deviation(
      'files.persist-true-refused',
      'Takes persist as a flag without a value.',
      rejectRequests(grant, (input) => persistOf(input) === 'true', badPersist),
      { trigger: 'persist=true' },
    ),
  ],
  'files.persist-is-boolean': [
    deviation(
      'files.persist-of-any-text',
      'Takes every text but false for true.',
      acceptRequests(grant, (input) => withQuery(input, (query) => query.set('persist', 'true'))),
    ),
    deviation(
      'files.persist-word-ignored',
      'Ignores a persist that is a word it does not know.',
      acceptRequests(grant, (input) =>
        /^[a-z]{3,}$/i.test(persistOf(input) ?? '') ? withQuery(input, (query) => query.delete('persist')) : input,
      ),
      { trigger: 'a persist of letters' },
    ),
    deviation(
      'files.persist-number',
      'Takes every number for a boolean.',
      acceptRequests(grant, (input) =>
        /^-?\d+(?:\.\d+)?$/.test(persistOf(input) ?? '')
          ? withQuery(input, (query) => query.set('persist', 'true'))
          : input,
      ),
      { trigger: 'a persist of digits' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'files'>>
