/** Gaps of chapter tools: open questions about the structure of tool calls and results. */
import type { GapRow } from '../gap.ts'
import { bothRuns } from '../operation-groups.ts'

const create = 'Endpoints / POST /v1/threads/{thread_id}/messages'
const run = 'Endpoints / POST /v1/threads/{thread_id}/run'

export const toolsGaps = [
  {
    id: 'tools.call-structure',
    question: 'How does an assistant message represent its tool calls?',
    section: 'Resources and their fields / Gaps in resources',
    mark: 'not shown',
    answers: ['<a pointer to the call ids>'],
    consistency: 'Every assistant message that asks for tools has the same structure.',
    mockAnswer: 'tool_calls: an array of {id, type, function: {name, arguments}}',
    operations: ['runThread', 'listMessages'],
  },
  {
    id: 'tools.result-field',
    question: 'Which field of a tool message contains the call id?',
    section: create,
    mark: 'not shown',
    answers: ['tool_call_id', '<another>'],
    mockAnswer: 'tool_call_id',
    operations: ['createMessage'],
  },
  {
    id: 'tools.call-id-case',
    question: 'Does a call id in another case match?',
    section: create,
    answers: ['rejected', 'accepted'],
    mockAnswer: 'rejected',
    operations: ['createMessage'],
  },
  {
    id: 'tools.run-configuration',
    question: 'How does the body of a run configure tools?',
    section: run,
    mark: 'not shown',
    answers: ['<fields>'],
    consistency: 'The plain and the streamed form agree.',
    mockAnswer: 'tools and tool_choice',
    operations: bothRuns,
  },
  {
    id: 'tools.answered-twice',
    question: 'Is a second tool message for the same call accepted?',
    section: create,
    answers: ['accepted', 'rejected'],
    mockAnswer: 'accepted',
    operations: ['createMessage'],
  },
  {
    id: 'tools.call-id-again',
    question: 'May a client add an assistant message with a call id that an earlier message already used?',
    section: create,
    answers: ['accepted', 'rejected'],
    consistency: 'Where it is accepted, whether the tool message of the earlier one answers it is open as well.',
    mockAnswer: 'accepted',
    operations: ['createMessage'],
  },
  {
    id: 'tools.posted-calls',
    question: 'Can a client add an assistant message that asks for tools?',
    section: create,
    answers: ['yes', 'no'],
    mockAnswer: 'yes',
    operations: ['createMessage'],
  },
  {
    id: 'tools.calls-in-stream',
    question: 'How does a stream show that the assistant asks for tools?',
    section: 'Resources and their fields / Stream chunk (text variant)',
    answers: ['a field of the last delta', '<another>', 'not at all'],
    mockAnswer: 'a field of the last delta',
    operations: ['streamThreadRun'],
  },
  {
    id: 'tools.match-distance',
    question: 'Does a tool message still match when messages of users come between it and its call?',
    section: create,
    mark: 'not stated',
    answers: ['accepted', 'rejected'],
    mockAnswer: 'accepted',
    operations: ['createMessage'],
  },
  {
    id: 'tools.call-id-form',
    question: 'Is the id of a tool call a UUID, as Resources says of all ids?',
    section: 'Resources and their fields / Gaps in resources',
    mark: 'not shown',
    answers: ['a UUID', 'another string'],
    consistency: 'All calls have ids of one form.',
    mockAnswer: 'another string',
    operations: ['runThread', 'listMessages'],
  },
] as const satisfies readonly GapRow[]
