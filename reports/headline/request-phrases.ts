/** Rewrites sentences about what a request met: acceptance, errors, files, tenants. */
import type { Phrase } from './phrase.ts'

const acceptance: readonly Phrase[] = [
  [/^E\d+ is a request that meets every rule, and it was refused with (.+)$/, 'refuses a correct request: $1'],
  [
    /^E\d+ is a tool message that answers the call that E\d+ asked for, and it was refused with (.+)$/,
    'refuses a tool message that answers a tool call: $1',
  ],
  [/^E\d+ is a run of (a thread .+), and it was accepted$/, 'runs $1'],
  [/^E\d+ is (.+), and it was accepted$/, 'accepts $1'],
  [/^E\d+ is (.+), and it was refused with (.+)$/, 'refuses $1: $2'],
  [/^E\d+ is (.+), and the error is (.+)$/, 'answers $1 with $2'],
  [/^E\d+ is (.+), and it fails in each of (\d+) attempts.*$/, 'fails on $1, in each of $2 attempts'],
  [
    /^E\d+.* meet every rule, and each of (\d+) attempts failed.*$/,
    'fails on a correct request, in each of $1 attempts',
  ],
  [
    /^The caller of E\d+ disconnected, and none of (\d+) later requests .*$/,
    'does not answer in a thread after a caller left its stream, in any of $1 attempts',
  ],
  [/^E\d+ asks for \w+ at its path below \/v1, .*$/, 'the service knows no such route'],
  [/^E\d+ succeeds, and its (body .*)$/, 'the $1'],
  [
    /^E\d+ is a (?:legal spelling|valid representation) of the same JSON, .*$/,
    'reads another representation of the same JSON as different content',
  ],
  [/^E\d+ runs (an assistant that the tenant cannot use \(.+?\)), and it was accepted.*$/, 'accepts a run of $1'],
  [
    /^E\d+ runs an assistant of another tenant and gets (\w+); .*$/,
    'answers $1 to a run of an assistant of another tenant',
  ],
  [
    /^E\d+ runs an assistant of another tenant, .* is told (\w+).*$/,
    'the two forms of a run treat an assistant of another tenant differently; the other one says $1',
  ],
  [
    /^E\d+ shows that the thread is for an assistant of another tenant.*$/,
    'accepts a run of a thread that is for an assistant of another tenant',
  ],
  [
    /^The plain form answers E\d+ with (.+), and the streamed form answers the same .* with (.+)$/,
    'answers with $2 where the plain form answers with $1',
  ],
  [
    /^E\d+ streams (a run of an assistant) whose record says that it does not stream, and gets (.+)$/,
    'answers $1 that does not stream with $2',
  ],
]

const otherResources: readonly Phrase[] = [
  [/^E\d+ and E\d+ create two messages, .*$/, 'two messages get the same id'],
  [/^E\d+ and E\d+ ask for two grants, and both get the (\w+) [\s\S]*$/, 'two grants get the same $1'],
  [/^E\d+ attaches the file .* shows the message with (\w+), .*$/, 'the $1 of a message lack the file that it carries'],
  [
    /^E\d+ (carries .+?)(?: that E\d+ carried before)?, and it was refused with (.+?);.*$/,
    'refuses a message that $1: $2',
  ],
  [
    /^E\d+ sends (a .+?)(?: and)? of an allowed type to the URL of E\d+, and it is refused with (.+)$/,
    'refuses $1 of an allowed type: $2',
  ],
  [/^E\d+ sends a file to the signed URL .* refused with (.+)$/, 'refuses a file because it comes without a key: $1'],
  [
    /^E\d+ uploads the file .* each of (\d+) requests for its status, .* the last one with (.+)$/,
    'the status of an uploaded file is an error in each of $1 requests: $2',
  ],
  [
    /^E\d+ uploads the file .* still gets (.+?), the status of a file (before its upload|that is being processed) .*$/,
    'the status of an uploaded file stays $1',
  ],
  [
    /^E\d+ says that the file .* finds it no more before a day has passed.*$/,
    'a file that is not persisted is gone before a day has passed',
  ],
  [/^E\d+ asks with the key of another tenant for the status .*$/, 'another tenant can read the status of a file'],
  [/^E\d+ and E\d+ list the key record .* lacks it$/, 'the list lacks a key of the tenant that others show'],
  [/^Assistant \S+ is served in E\d+ .* lacks it$/, 'the list lacks an assistant that is served before and after it'],
  [/^Assistant \S+ has (a different \S+) in E\d+ than in the list$/, 'the assistant has $1 than in the list'],
]

const tenancy: readonly Phrase[] = [
  [/^E\d+ and E\d+ use two keys of the tenant .*$/, 'two keys of one tenant are not listed to each other'],
  [/^E\d+ and E\d+ use the keys of two tenants, .*$/, 'keys of two tenants read the same tenant record'],
  [
    /^E\d+ is answered with the number \S+, which only another (tenant|conversation) has mentioned, .*$/,
    'an answer quotes what only another $1 has said',
  ],
  [/^E\d+ and E\d+ are calls of two tenants, .*$/, 'two tenants are shown the same key record'],
  [
    /^E\d+ and E\d+ read one tenant record with two keys; .*$/,
    'a thread of one key does not exist for another key of the tenant',
  ],
  [/^E\d+ and E\d+ use the same key .*$/, 'one key reads different tenant records'],
  [
    /^E\d+ names a thread of another tenant, .*$/,
    'the answer tells a thread of another tenant from one that does not exist',
  ],
]

const errors: readonly Phrase[] = [
  [
    /^E\d+ asks for (\w+) as the profile says, and the error that came (.+)$/,
    'where the profile provokes $1, the error $2',
  ],
  [/^E\d+ gets (\w+), which the contract's table .*$/, 'answers with $1, which the contract does not list for it'],
  [/^E\d+ shows that the key is over its limit, .* refused with (.+)$/, 'answers a key that is over its limit with $1'],
  [/^E\d+ is one of many requests with a throttled key, .* refused with (.+)$/, 'answers a throttled key with $1'],
  [
    /^(\d+) requests with the throttled key were all served, .* says that (\d+) exceed .*$/,
    'serves all $1 requests of a key whose quota the profile says is used up by $2',
  ],
  [
    /^One by one, (\d+) requests with the throttled key .* pause, (\d+) at once .*$/,
    'serves $2 simultaneous requests of a key that is over its limit after $1 in a row',
  ],
  [/^Each of E\d+.* stands between two plain requests .*$/, 'serves a key that is over its limit'],
  [/^Each of E\d+.* over the limit, and each fails with (.+)$/, 'fails with $1 for a key that is over its limit'],
  [/^E\d+ is over the limit of one tenant, .*$/, 'refuses a tenant because another one is over its limit'],
  [/^E\d+ and E\d+ are the same wrong request, .*$/, 'rejects the same wrong request with different codes'],
]

export const requestPhrases: readonly Phrase[] = [...acceptance, ...otherResources, ...tenancy, ...errors]
