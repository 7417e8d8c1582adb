/**
 * Defines the assistants of Atrium, each with the schema of its own response metadata.
 * One streams, one does not, one asks for a licence and one calls a tool.
 */
import { randomUUID } from 'node:crypto'
import type { Assistant, AssistantEntry } from './records.ts'

const counselType = '53aa66b7-b874-407f-967c-3a959c919d62'

const topicSchema = {
  title: 'TopicMetaData',
  type: 'object',
  properties: {
    topic: { title: 'Topic', type: 'string' },
    confidence: { title: 'Confidence', type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['topic'],
}

const counselSchema = {
  title: 'CounselMetaData',
  type: 'object',
  properties: {
    type: { title: 'Type', type: 'string', const: counselType, default: counselType },
    legal_advice: { title: 'Legal Advice', type: 'boolean', description: 'The query asks for legal advice.' },
    intent: { title: 'Intent', type: 'string', description: 'What the user wants.' },
  },
  required: ['legal_advice', 'intent'],
}

function describeTopic(question: string): Record<string, unknown> {
  return { topic: question.split(/\s+/).slice(0, 3).join(' ') || 'general', confidence: 0.5 }
}

function describeCounsel(question: string): Record<string, unknown> {
  return {
    type: counselType,
    legal_advice: /\b(law|legal|contract|liable|court)\b/i.test(question),
    intent: question.trim().endsWith('?') ? 'question' : 'statement',
  }
}

function entry(name: string, fields: Partial<Assistant> = {}, callsTools = false): AssistantEntry {
  const record = {
    id: randomUUID(),
    name,
    streaming: true,
    meta_data_response_schema: topicSchema,
    request_required_fields: {},
    ...fields,
  }
  return {
    record,
    callsTools,
    describe: record.meta_data_response_schema === counselSchema ? describeCounsel : describeTopic,
  }
}

/** A general assistant that streams. */
export function concierge(name = 'Concierge'): AssistantEntry {
  return entry(name)
}

/** An assistant that answers only whole. */
export function archivist(name = 'Archivist'): AssistantEntry {
  return entry(name, { streaming: false })
}

/** An assistant that wants the licence of the user. */
export function counsel(): AssistantEntry {
  return entry('Counsel', {
    meta_data_response_schema: counselSchema,
    request_required_fields: { __root__: ['user_data'], user_data: ['licence'] },
  })
}

/** An assistant that asks for a tool when somebody asks for the weather. */
export function scout(): AssistantEntry {
  return entry('Scout', {}, true)
}

/** What a user says to make `scout` ask for its tool. */
export const toolPrompt = 'What is the weather in Bern today?'
