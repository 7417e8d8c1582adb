/** Rewrites sentences about answers and messages: completions, threads, pages, streams. */
import type { Phrase } from './phrase.ts'

/** What became of a text, or that it is another one. */
const changed = (change: string, other: string): string => (change === '' ? other : change)

const completions: readonly Phrase[] = [
  [
    /^E\d+ names thread \S+ of another tenant, and it is answered in that thread$/,
    'answers in a thread of another tenant',
  ],
  [/^E\d+ names thread .* answered in thread .*$/, 'answers in another thread than the one that was named'],
  [/^E\d+ and E\d+ name no thread, .*$/, 'two completions that name no thread are answered in the same one'],
  [
    /^E\d+ lacks assistant_id and has other faults, .*$/,
    'the error leaves out assistant_id, which is missing, and names other faults',
  ],
  [
    /^E\d+ lacks assistant_id; its error must have (.+), and it has (.+)$/,
    'without assistant_id, the error must have $1, and it has $2',
  ],
  [
    /^The only fault of E\d+ is at (.+), and its error does not say so$/,
    'the error does not point at $1, the only fault',
  ],
  [/^E\d+ has several wrong fields, and (an entry of) its error (.+)$/, 'of several wrong fields, $1 the error $2'],
  [
    /^E\d+ names an assistant that exists nowhere, and the error is (.+)$/,
    'answers with $1 for an assistant that exists nowhere',
  ],
  [/^E\d+ is answered with (.+) instead of one assistant message$/, 'answers with $1 instead of one assistant message'],
  [/^E\d+ was answered in thread .* cannot be listed$/, 'the thread of the answer cannot be listed'],
  [/^E\d+ was answered in thread .* lacks the answer$/, 'the thread of the answer lists no such message'],
  [
    /^E\d+ answered with message \S+, and E\d+ lists this answer as .*$/,
    'the thread lists the answer under another id',
  ],
  [
    /^E\d+ answered with message \S+, and E\d+ lists it with [\s\S]*$/,
    (change) => `the thread lists the answer ${changed(change, 'with other content')}`,
  ],
  [/^E\d+ answered with a message of .* created_at .*$/, 'the thread lists the answer with another created_at'],
  [
    /^E\d+ answered with message \S+; E\d+ should list the answer and nothing else, .*$/,
    'the thread lists another message beside the answer',
  ],
  [/^E\d+ answered with message \S+; E\d+ should list the answer, .*$/, 'the thread does not list the answer'],
  [
    /^E\d+ answered with message \S+; E\d+ should list (\S+) [\s\S]*$/,
    (change, field = '') => `the thread lists the answer ${changed(change, `with another ${field}`)}`,
  ],
]

const threads: readonly Phrase[] = [
  [
    /^E\d+ adds a message with (\w+) [\s\S]*$/,
    (change, field = '') =>
      change === ''
        ? `returns a new message with another ${field} than was sent`
        : `returns the ${field} of a new message ${change}`,
  ],
  [/^E\d+ adds a message to thread .*$/, 'the created message carries the thread_id of another thread'],
  [/^The body of E\d+ tried to set (\w+), .*$/, 'takes the $1 that a request sets'],
  [
    /^E\d+ returned message \S+ with (\w+) [\s\S]*$/,
    (change, field = '') =>
      change === ''
        ? `lists a message with another ${field} than its creation returned`
        : `lists the ${field} of a message ${change}`,
  ],
  [/^E\d+ returned the id .*$/, 'lists a message under another id than its creation returned'],
  [/^E\d+ created message .* does not list it$/, 'does not list a message that was created before'],
  [/^Message \S+ has (\S+) [\s\S]* in E\d+ and [\s\S]* in E\d+$/, 'lists a message with a $1 that changes'],
  [/^E\d+ lists a message under the id .*$/, 'lists one message under two ids'],
  [/^E\d+ lists thread \S+, and item (\d+) is thread_id .*$/, 'lists a message with the thread_id of another thread'],
  [/^E\d+ lists thread \S+, and item \d+ is (.+)$/, 'lists $1'],
  [/^E\d+ makes a new thread and gets the id .*$/, 'a new thread has the id of an earlier one, and its messages'],
  [/^E\d+ returned (\S+) in message .* without$/, 'lists a message without the $1 that its creation returned'],
  [/^E\d+ sent a message, and E\d+ lists it as message [^,]+, (.+)$/, 'lists a message of a completion $1'],
  [/^E\d+ lists message \S+, one more copy .*$/, 'lists a message of a completion more often than it was sent'],
  [/^E\d+ lists message \S+, (a second copy .*)$/, 'lists $1'],
  [/^E\d+ lists message \S+, which no request added .*$/, 'lists a message that nobody added'],
  [
    /^E\d+ lists message \S+ (?:a second time on the same page|twice on one page)$/,
    'lists a message twice on one page',
  ],
  [/^E\d+ was refused, and E\d+ lists message .*$/, 'a refused request leaves a message behind'],
  [
    /^E\d+ was sent at the same time as others, .* twice$/,
    'lists a message twice that was sent at the same time as others',
  ],
  [/^E\d+ was sent at the same time as others and .*$/, 'a message that was sent at the same time as others is lost'],
]

const pagination: readonly Phrase[] = [
  [/^The pages up to E\d+ never show .*$/, 'paging by cursor skips a message'],
  [/^E\d+ follows the cursor of the page before it and shows .*$/, 'paging by cursor shows a message twice'],
  [
    /^E\d+ follows a cursor, shows nothing but .*$/,
    'paging never ends: a page without new messages has another cursor',
  ],
  [
    /^E\d+ follows a cursor, and shows the message that .*$/,
    'a page after a cursor shows a message that was added later',
  ],
  [
    /^E\d+ follows a cursor with (.+) remaining and without a limit, and the page has (\d+)$/,
    'without a limit, a page has $2 of the remaining $1',
  ],
  [/^E\d+ names no limit, the thread holds (.+), and the page has (\d+)$/, 'without a limit, the page has $2 of $1'],
  [
    /^E\d+ shows (\d+) of (.+) and gives no cursor for the rest$/,
    'a page shows $1 of $2 and gives no cursor for the rest',
  ],
  [/^E\d+ asks for (.+) and gets (\d+)$/, 'a request for $1 gets $2'],
  [/^E\d+ lists a message of .* so the newest is not first$/, 'the newest message is not first'],
  [/^E\d+ was sent after E\d+ was answered, .*$/, 'lists a message below one that was sent before it'],
  [/^E\d+ lists a thread to which nothing was added yet, and gets (.+)$/, 'a thread without messages gets $1'],
  [
    /^E\d+ and E\d+ ask for the same cursor .* the second one gets (.+)$/,
    'the same cursor gets $1 when it is used again',
  ],
  [
    /^E\d+ and E\d+ ask for (.+) while nothing is added, and get different messages$/,
    'gives different messages for $1, though nothing was added',
  ],
]

const streams: readonly Phrase[] = [
  [
    /^The chunks (?:in|of) E\d+ were made over (.+) and arrived within (.+)$/,
    'chunks that were made over $1 arrive within $2',
  ],
  [
    /^The fragments streamed .*$/,
    (change) =>
      change === ''
        ? 'the stored answer is not the text that was streamed'
        : `the stored answer is the streamed text ${change}`,
  ],
  [
    /^In the stream of E\d+, line (\d+) has created_at .*$/,
    'line $1 of the stream is stamped earlier than the line before it',
  ],
  [/^In the stream of E\d+, line (\d+) has (\w+) .*$/, 'line $1 of the stream has another $2 than the first line'],
  [/^E\d+ runs thread .* the answer carries thread_id .*$/, 'the answer carries the thread_id of another thread'],
  [/^E\d+ is accepted, and its stream ends .*$/, 'the stream ends without a chunk'],
  [/^The stream of E\d+ shows a source that .*$/, 'the stored answer lacks a source that was streamed'],
  [/^(Line \d+ of the stream) in E\d+ has U\+FFFD, .*$/, '$1 has U+FFFD where the stored answer has a character'],
  [/^The chunks of E\d+ are stamped .*$/, 'chunks are stamped in another time zone than their stored message'],
  [/^Each of \d+ new messages is stamped (.+) of its answer: the time of another zone$/, 'new messages are stamped $1'],
]

export const threadPhrases: readonly Phrase[] = [...completions, ...threads, ...pagination, ...streams]
