/** The tenants, keys and assistants that the service starts with. */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Micros } from './clock.ts'
import { change } from './database.ts'

const primary = '6e1f0a52-9d2c-4b8e-8a41-0b7d3c5e9f01'
const secondary = '6e1f0a52-9d2c-4b8e-8a41-0b7d3c5e9f02'
/** The tenant with a small quota. */
export const throttledTenant = '6e1f0a52-9d2c-4b8e-8a41-0b7d3c5e9f03'
const closed = '6e1f0a52-9d2c-4b8e-8a41-0b7d3c5e9f04'

const tenants = [
  [primary, 'Fjord & Partners'],
  [secondary, 'Öresund Legal'],
  [throttledTenant, 'Trial'],
] as const

const keys = [
  [primary, 'jp-fjord-Qm7Zr2-main'],
  [primary, 'jp-fjord-Wb4Xk9-reporting'],
  [secondary, 'jp-oresund-Ht6Lc3-main'],
  [throttledTenant, 'jp-trial-Nv8Ds1-main'],
  [closed, 'jp-closed-Ye5Pa0-main'],
] as const

const schemas = {
  legal: {
    title: 'CounselMetaData',
    type: 'object',
    properties: {
      type: {
        type: 'string',
        const: '53aa66b7-b874-407f-967c-3a959c919d62',
        default: '53aa66b7-b874-407f-967c-3a959c919d62',
      },
      legal_advice: { type: 'boolean', description: 'Whether the user query is a request for legal advice' },
      intent: { type: 'string', description: 'Intent of the user query' },
    },
    required: ['legal_advice', 'intent'],
  },
  register: {
    title: 'RegisterMetaData',
    type: 'object',
    properties: { licence: { type: 'string' }, confidence: { type: 'number', minimum: 0, maximum: 1 } },
    required: ['licence', 'confidence'],
  },
  ledger: { title: 'LedgerMetaData', type: 'object', properties: { entries: { type: 'integer' } }, required: [] },
  clerk: {
    title: 'ClerkMetaData',
    type: 'object',
    properties: { open_calls: { type: 'integer', minimum: 0 } },
    required: ['open_calls'],
  },
  muse: {
    title: 'MuseMetaData',
    type: 'object',
    properties: { mood: { type: 'string', enum: ['calm', 'curious'] }, steps: { type: 'integer', minimum: 1 } },
    required: ['mood', 'steps'],
  },
} as const

/** What an assistant does; each kind has metadata of its own. */
export type Kind = keyof typeof schemas

interface Seed {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly kind: Kind
  readonly streaming: boolean
}

const seed = (last: number, tenant: string, name: string, kind: Kind, streaming = true): Seed => ({
  id: `b3c8d7e4-5a16-4f29-9c03-7e2a1d4b6f${String(last).padStart(2, '0')}`,
  tenant,
  name,
  kind,
  streaming,
})

const assistants = [
  seed(1, primary, 'Counsel', 'legal'),
  seed(2, primary, 'Register', 'register'),
  seed(3, primary, 'Ledger', 'ledger', false),
  seed(4, primary, 'Clerk', 'clerk'),
  seed(5, primary, 'Muse', 'muse'),
  seed(11, secondary, 'Counsel', 'legal'),
  seed(12, secondary, 'Muse', 'muse'),
  seed(21, throttledTenant, 'Counsel', 'legal'),
]

const requiredFields = (kind: Kind): Record<string, readonly string[]> =>
  kind === 'register' ? { __root__: ['user_data'], user_data: ['licence'] } : {}

/** Fills an empty database. */
export function seedDatabase(database: DatabaseSync, now: Micros): void {
  for (const [id, name] of tenants) change(database, 'INSERT INTO tenants VALUES (?, ?)', id, name)
  for (const [tenant, key] of keys) {
    change(database, 'INSERT INTO api_keys VALUES (?, ?, ?, ?, ?)', randomUUID(), tenant, key, now - 7_200_000_000, now)
  }
  for (const { id, tenant, name, kind, streaming } of assistants) {
    const texts = [JSON.stringify(schemas[kind]), JSON.stringify(requiredFields(kind))] as const
    change(
      database,
      'INSERT INTO assistants VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      tenant,
      name,
      kind,
      +streaming,
      ...texts,
    )
  }
}
