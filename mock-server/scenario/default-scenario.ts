/**
 * The built-in scenario: three tenants and the assistants for first experiments. Everything answers at once except the
 * slow assistant, so that a test suite against it runs fast.
 */
import type { AssistantScript, JsonObject, Scenario, SourceScript } from './scenario.ts'

const openMetaData: JsonObject = {
  title: 'EchoMetaData',
  type: 'object',
  properties: {
    turn_kind: { type: 'string', enum: ['answer', 'clarification'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['turn_kind'],
}

/** The schema that the contract describes (contract: Assistant message). */
const legalMetaData: JsonObject = {
  title: 'LegalAssistantMetaData',
  type: 'object',
  properties: {
    type: {
      type: 'string',
      const: '53aa66b7-b874-407f-967c-3a959c919d62',
      default: '53aa66b7-b874-407f-967c-3a959c919d62',
    },
    legal_advice: { type: 'boolean', description: 'Whether the user asks for legal advice.' },
    intent: { type: 'string', description: 'What the user wants.' },
  },
  required: ['legal_advice', 'intent'],
}

const handbook: SourceScript = {
  content: 'An assistant repeats what it was told, so that a client can check every character of it.',
  meta_data: { document_title: 'Handbook of the echo', section: '1.1' },
}

const civilCode: SourceScript = {
  content: 'A contract is concluded when offer and acceptance correspond.',
  meta_data: { document_title: 'Civil code, annotated', section: 'Section 145' },
}

const weatherReport: SourceScript = {
  content: 'Clear, light wind from the west, no rain before the evening.',
  meta_data: { document_title: 'Weather report of the day', section: 'Vienna' },
}

const echo: AssistantScript = {
  name: 'Echo',
  streaming: true,
  meta_data_response_schema: openMetaData,
  request_required_fields: {},
  turns: [{ answer: 'You said: {{user}}', reasoning: 'The user wants to hear it again.', sources: [handbook] }],
}

const legal: AssistantScript = {
  name: 'Legal assistant',
  streaming: true,
  meta_data_response_schema: legalMetaData,
  request_required_fields: { __root__: ['user_data'], user_data: ['licence'] },
  turns: [
    {
      when: { user_matches: 'sue|lawyer|court|claim|advice' },
      answer: 'That is a request for legal advice, which a lawyer must give. In general: {{user}}',
      reasoning: 'The wording asks what to do, so it is advice. The annotated code has a passage on it.',
      sources: [civilCode],
      meta_data: { type: '53aa66b7-b874-407f-967c-3a959c919d62', legal_advice: true, intent: 'legal_advice' },
    },
    {
      answer: 'Here is what the code says about it: {{user}}',
      reasoning: 'A question about a rule. The annotated code has a passage on it.',
      sources: [civilCode],
      meta_data: { type: '53aa66b7-b874-407f-967c-3a959c919d62', legal_advice: false, intent: 'information' },
    },
  ],
}

/** What it says of itself has no sources. */
const toolUser: AssistantScript = {
  name: 'Weather desk',
  streaming: true,
  meta_data_response_schema: openMetaData,
  request_required_fields: {},
  turns: [
    {
      when: { last_role: 'tool' },
      answer: 'The tool says: {{tool}}',
      reasoning: 'The result is in.',
      sources: [weatherReport],
    },
    {
      when: { last_role: 'user', user_matches: 'weather' },
      answer: 'Let me look that up.',
      reasoning: 'A tool knows this.',
      tool_calls: [{ name: 'get_weather', arguments: { place: 'Vienna' } }],
    },
    { answer: 'Ask me about the weather. You said: {{user}}' },
  ],
}

const slow: AssistantScript = {
  ...echo,
  name: 'Slow echo',
  latency: { first_chunk_ms: 300, chunks_per_second: 20, jitter: 0.3 },
}

const whole: AssistantScript = {
  ...echo,
  name: 'Whole answers only',
  streaming: false,
  turns: [{ answer: 'You said: {{user}}', sources: [handbook] }],
}

/** It does not tell what it thinks, and has read nothing that it could cite. */
const neighbour: AssistantScript = {
  ...echo,
  name: 'Echo next door',
  turns: [{ answer: 'You said: {{user}}' }],
}

/** Three tenants (primary, secondary, throttled) with their demo keys and assistants. */
export const defaultScenario: Scenario = {
  name: 'default',
  tenants: [
    {
      name: 'primary',
      keys: [{ key: 'acs-demo-primary' }],
      assistants: [echo.name, legal.name, toolUser.name, slow.name, whole.name],
    },
    { name: 'secondary', keys: [{ key: 'acs-demo-secondary' }], assistants: [neighbour.name] },
    {
      name: 'throttled',
      keys: [{ key: 'acs-demo-throttled', quota: { requests: 5, window_seconds: 60 } }],
      assistants: [echo.name],
    },
  ],
  assistants: [echo, legal, toolUser, slow, whole, neighbour],
}
