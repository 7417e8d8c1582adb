/** Deviations of chapter resources: timestamps in the forms that other libraries write by default. */

import { editTextAt } from '../../overrides/json-edit.ts'
import { originOf, overrideTimestamps } from '../../overrides/records.ts'
import { appliesTo, overrideAccepted, overrideReply, type Where } from '../../overrides/replies.ts'
import { everyChunk, lastChunk, overrideChunk, streamedOperations } from '../../overrides/streams.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const millis = (timestamp: string): string => `${timestamp.slice(0, 23)}Z`
const seconds = (timestamp: string): string => `${timestamp.slice(0, 19)}Z`
const naive = (timestamp: string): string => timestamp.slice(0, -1)
const offset = (timestamp: string): string => `${naive(timestamp)}+00:00`

const stampsOf = (where: Where, form: (timestamp: string) => string) =>
  overrideTimestamps((timestamp, context) => (appliesTo(where, originOf(context)) ? form(timestamp) : timestamp))

/** The same with so many hours more. */
const moved = (timestamp: string, hours: number): string =>
  new Date(Date.parse(seconds(timestamp)) + hours * 3_600_000).toISOString().slice(0, 19) + timestamp.slice(19)
/** One hour east, with its offset. */
const local = (timestamp: string): string => `${naive(moved(timestamp, 1))}+01:00`

const secondPage = (cursor: string | null): boolean => cursor !== null

export const timestampForms = {
  'resources.created-in-utc': [
    deviation(
      'resources.stamps-in-local-time',
      'Stamps everything in the local time of a zone two hours east, and writes a Z behind it.',
      overrideTimestamps((timestamp) => moved(timestamp, 2)),
    ),
  ],
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
      stampsOf(
        'streamChatCompletion',
        (timestamp) => `${Date.parse(seconds(timestamp)) / 1000}${timestamp.slice(19, 26)}`,
      ),
    ),
    deviation(
      'resources.events-stamp-nanoseconds',
      'Stamps the chunks of events to the nanosecond.',
      stampsOf('streamChatCompletionEvents', (timestamp) => `${naive(timestamp)}000Z`),
    ),
    deviation(
      'resources.run-stream-stamp-ticks',
      'Stamps the chunks of a streamed run with seven digits.',
      stampsOf('streamThreadRun', (timestamp) => `${naive(timestamp)}0Z`),
    ),
    deviation(
      'resources.stamp-zeros-trimmed',
      'Leaves out the trailing zeros of the fraction.',
      stampsOf('createMessage', (timestamp) => `${naive(timestamp).replace(/\.?0+$/, '')}Z`),
      { trigger: 'a microsecond count that ends on zero' },
    ),
    deviation(
      'resources.stamp-offset-and-z',
      'Writes both +00:00 and Z.',
      stampsOf('createChatCompletion', (timestamp) => `${offset(timestamp)}Z`),
    ),
    deviation(
      'resources.stamp-with-blank',
      'Writes a blank between date and time of an answer.',
      overrideAccepted(
        'runThread',
        editTextAt('created_at', (timestamp) => timestamp.replace('T', ' ')),
      ),
    ),
    deviation(
      'resources.chunk-stamp-of-other-zone',
      'Stamps the chunks of a streamed run in local time, with a Z.',
      overrideChunk(
        'streamThreadRun',
        everyChunk,
        editTextAt('created_at', (timestamp) => `${local(timestamp).slice(0, 26)}Z`),
      ),
    ),
    deviation(
      'resources.listed-stamp-naive',
      'Lists timestamps without a zone.',
      overrideAccepted('listMessages', editTextAt('created_at', naive)),
    ),
    deviation(
      'resources.second-page-stamp-milliseconds',
      'Stamps the messages of all pages but the first to the millisecond.',
      overrideReply('listMessages', (json, { command }) =>
        command?.operation === 'listMessages' && secondPage(command.cursor)
          ? editTextAt('items.*.created_at', millis)(json)
          : json,
      ),
      { trigger: 'the second page' },
    ),
    deviation(
      'resources.system-stamp-seconds',
      'Stamps system messages to the second.',
      overrideTimestamps((timestamp, { command }) =>
        command.operation === 'createMessage' && command.message.role === 'system' ? seconds(timestamp) : timestamp,
      ),
      { trigger: 'a system message' },
    ),
    deviation(
      'resources.last-chunk-stamp-milliseconds',
      'Stamps the last chunk to the millisecond.',
      overrideChunk(streamedOperations, lastChunk, editTextAt('created_at', millis)),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'resources.stored-stream-answer-stamp',
      'Stamps the stored answers of streamed runs to the second.',
      overrideTimestamps((timestamp, context) =>
        context.command.operation === 'finishRun' &&
        context.thread !== null &&
        context.command.run.operation === 'streamThreadRun'
          ? seconds(timestamp)
          : timestamp,
      ),
      { trigger: 'a streamed answer in the list' },
    ),
    deviation(
      'resources.key-created-at-whole-second',
      'Leaves out the fraction of the created_at of a key when it is zero.',
      overrideReply(
        'listMyApiKeys',
        editTextAt('api_keys.*.created_at', (timestamp) => timestamp.replace('.000000', '')),
      ),
    ),
    deviation(
      'resources.key-last-updated-at-date',
      'Sends the last_updated_at of a key as an HTTP date.',
      overrideReply(
        'listMyApiKeys',
        editTextAt('api_keys.*.last_updated_at', (timestamp) => new Date(seconds(timestamp)).toUTCString()),
      ),
    ),
    deviation(
      'resources.key-stamps-date-only',
      'Sends the timestamps of keys without their time.',
      overrideReply(
        'listMyApiKeys',
        editTextAt('api_keys.*.last_updated_at', (timestamp) => timestamp.slice(0, 10)),
      ),
    ),
  ],
} as const satisfies Pick<DeviationTable<'resources'>, 'resources.created-in-utc' | 'resources.timestamp-format'>
