/** Deviations of chapter resources: timestamps in the forms that other libraries write by default. */

import { originOf, stamps } from './bend-record.ts'
import { concerns, reply, shown, type Where } from './bend-reply.ts'
import { chunk, last, streamed } from './bend-stream.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { atText } from './json-edit.ts'

const millis = (stamp: string): string => `${stamp.slice(0, 23)}Z`
const seconds = (stamp: string): string => `${stamp.slice(0, 19)}Z`
const naive = (stamp: string): string => stamp.slice(0, -1)
const offset = (stamp: string): string => `${naive(stamp)}+00:00`

const stampsOf = (where: Where, form: (stamp: string) => string) =>
  stamps((stamp, occasion) => (concerns(where, originOf(occasion)) ? form(stamp) : stamp))

/** One hour east, with its offset. */
const local = (stamp: string): string => {
  const moved = new Date(Date.parse(seconds(stamp)) + 3_600_000).toISOString().slice(0, 19)
  return `${moved}${stamp.slice(19, 26)}+01:00`
}

const secondPage = (cursor: string | null): boolean => cursor !== null

export const timestampForms = {
  'resources.timestamp-format': [
    deviation(
      'resources.created-stamp-milliseconds',
      'Stamps created messages to the millisecond.',
      stampsOf('createMessage', millis),
    ),
    deviation(
      'resources.completion-stamp-offset',
      'Writes the zone of a completion as +00:00.',
      stampsOf('createChatCompletion', offset),
    ),
    deviation(
      'resources.run-stamp-local',
      'Writes the time of a run in local time with its offset.',
      stampsOf('runThread', local),
    ),
    deviation(
      'resources.stream-stamp-unix',
      'Writes the time of a streamed completion as Unix seconds.',
      stampsOf('streamChatCompletion', (stamp) => `${Date.parse(seconds(stamp)) / 1000}${stamp.slice(19, 26)}`),
    ),
    deviation(
      'resources.events-stamp-nanoseconds',
      'Stamps the chunks of events to the nanosecond.',
      stampsOf('streamChatCompletionEvents', (stamp) => `${naive(stamp)}000Z`),
    ),
    deviation(
      'resources.run-stream-stamp-ticks',
      'Stamps the chunks of a streamed run with seven digits.',
      stampsOf('streamThreadRun', (stamp) => `${naive(stamp)}0Z`),
    ),
    deviation(
      'resources.stamp-zeros-trimmed',
      'Leaves out the trailing zeros of the fraction.',
      stampsOf('createMessage', (stamp) => `${naive(stamp).replace(/\.?0+$/, '')}Z`),
      {
        trigger: 'a microsecond count that ends on zero',
      },
    ),
    deviation(
      'resources.stamp-offset-and-z',
      'Writes both +00:00 and Z.',
      stampsOf('createChatCompletion', (stamp) => `${offset(stamp)}Z`),
    ),
    deviation(
      'resources.stamp-with-blank',
      'Writes a blank between date and time of an answer.',
      shown(
        'runThread',
        atText('created_at', (stamp) => stamp.replace('T', ' ')),
      ),
      {
        alsoViolates: ['threads.run-appends-answer'],
      },
    ),
    deviation(
      'resources.listed-stamp-naive',
      'Lists timestamps without a zone.',
      shown('listMessages', atText('created_at', naive)),
      {
        alsoViolates: ['threads.listed-as-created', 'threads.run-appends-answer'],
      },
    ),
    deviation(
      'resources.second-page-stamp-milliseconds',
      'Stamps the messages of all pages but the first to the millisecond.',
      reply('listMessages', (json, { command }) =>
        command?.operation === 'listMessages' && secondPage(command.cursor)
          ? atText('items.*.created_at', millis)(json)
          : json,
      ),
      {
        trigger: 'the second page',
        alsoViolates: ['threads.listed-as-created', 'threads.message-never-changes', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'resources.system-stamp-seconds',
      'Stamps system messages to the second.',
      stamps((stamp, { command }) =>
        command.operation === 'createMessage' && command.message.role === 'system' ? seconds(stamp) : stamp,
      ),
      {
        trigger: 'a system message',
      },
    ),
    deviation(
      'resources.last-chunk-stamp-milliseconds',
      'Stamps the last chunk to the millisecond.',
      chunk(streamed, last, atText('created_at', millis)),
      {
        trigger: 'the last chunk',
      },
    ),
    deviation(
      'resources.stored-stream-answer-stamp',
      'Stamps the stored answers of streamed runs to the second.',
      stamps((stamp, occasion) =>
        occasion.command.operation === 'finishRun' &&
        occasion.thread !== null &&
        occasion.command.run.operation === 'streamThreadRun'
          ? seconds(stamp)
          : stamp,
      ),
      {
        trigger: 'a streamed answer in the list',
      },
    ),
    deviation(
      'resources.key-created-at-whole-second',
      'Leaves out the fraction of the created_at of a key when it is zero.',
      reply(
        'listMyApiKeys',
        atText('api_keys.*.created_at', (stamp) => stamp.replace('.000000', '')),
      ),
    ),
    deviation(
      'resources.key-last-updated-at-date',
      'Sends the last_updated_at of a key as an HTTP date.',
      reply(
        'listMyApiKeys',
        atText('api_keys.*.last_updated_at', (stamp) => new Date(seconds(stamp)).toUTCString()),
      ),
    ),
    deviation(
      'resources.key-stamps-date-only',
      'Sends the timestamps of keys without their time.',
      reply(
        'listMyApiKeys',
        atText('api_keys.*.last_updated_at', (stamp) => stamp.slice(0, 10)),
      ),
    ),
  ],
} as const satisfies Pick<DeviationTable<'resources'>, 'resources.timestamp-format'>
