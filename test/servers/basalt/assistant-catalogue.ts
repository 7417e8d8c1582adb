/**
 * Defines the assistants of Basalt: one licensed, one that cannot stream, one that asks for two tools at once.
 * The schemas use the wider vocabulary of JSON Schema, and a keyword of their own.
 */
import { newId } from './identity.ts'
import type { Assistant, Engine } from './model.ts'

const advisorType = '53aa66b7-b874-407f-967c-3a959c919d62'

const advisorSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Advisor response metadata',
  type: 'object',
  properties: {
    type: { type: 'string', const: advisorType, default: advisorType },
    legal_advice: { type: 'boolean' },
    intent: { type: 'string', minLength: 1 },
  },
  required: ['legal_advice', 'intent'],
}

const deskSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Desk response metadata',
  type: 'object',
  'x-basalt-owner': 'front-office',
  $defs: { desk: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] } },
  properties: { desk: { $ref: '#/$defs/desk' }, handover: { type: ['string', 'null'] } },
  required: ['desk'],
  additionalProperties: false,
}

const plainSchema = { title: 'No metadata', type: 'object', properties: {}, required: [] }

const usualFields = ['assistant_id', 'messages']

function describe(name: string, fields: Partial<Assistant> = {}): Assistant {
  return {
    id: newId(),
    name,
    streaming: true,
    meta_data_response_schema: deskSchema,
    request_required_fields: { __root__: usualFields, user_data: [] },
    lifecycle: 'general_availability',
    ...fields,
  }
}

function deskMetaData(question: string): Record<string, unknown> {
  return { desk: { code: `D-${question.length % 97}` }, handover: null }
}

/** The assistant with a licence; its metadata are those that the contract shows. */
export function licensedEngine(): Engine {
  const assistant = describe('Advisor', {
    meta_data_response_schema: advisorSchema,
    request_required_fields: { __root__: [...usualFields, 'user_data'], user_data: ['licence'] },
  })
  const metaData = (question: string) => ({
    type: advisorType,
    legal_advice: /\b(law|legal|contract|liable|court)\b/i.test(question),
    intent: question.includes('?') ? 'enquiry' : 'notice',
  })
  return { assistant, asksForTools: false, metaData }
}

/** The assistant that cannot stream. */
export function batchEngine(): Engine {
  const assistant = describe('Ledger', { streaming: false, meta_data_response_schema: plainSchema })
  return { assistant, asksForTools: false, metaData: () => ({}) }
}

/** The general assistant, which streams. */
export function streamingEngine(name: string): Engine {
  return { assistant: describe(name), asksForTools: false, metaData: deskMetaData }
}

/** The assistant that asks for two rates when asked to compare. */
export function comparingEngine(): Engine {
  return { assistant: describe('Comparer'), asksForTools: true, metaData: deskMetaData }
}

/** What makes the comparing assistant ask for its tools. */
export const comparePrompt = 'Compare the exchange rates of CHF and NOK, please.'
