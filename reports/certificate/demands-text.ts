/** The demands as written on a command line: `conformant,strict,max-age=30d,levels=core+streaming`. */
import { conformanceLevels } from '../../spec/index.ts'
import { type Demands, type Tier, tiers } from './demands.ts'

/** Thrown for a text that is not a list of demands, or a file that is not a policy. */
export class DemandError extends Error {
  override readonly name = 'DemandError'
  readonly code = 'invalid-demands'
  /** All problems, a line each. */
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const all = [problems].flat()
    super(all.join('; '), options)
    this.problems = all
  }
}

/** Reads the demands; throws DemandError with the known names. */
export function parseDemands(text: string): Demands {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.includes('genuine') && parts.length > 1)
    throw new DemandError('genuine stands alone: it demands nothing else')
  return Object.assign({ outcome: 'conformant' }, ...parts.map(demandOf)) as Demands
}

const words = 'genuine, conformant, strict, nonce, tier=gate, max-age=30d, levels=core+streaming'

function demandOf(part: string): Partial<Demands> {
  const [name = '', value, ...rest] = part.split('=')
  if (rest.length > 0) throw new DemandError(`${part}: more than one "="`)
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (read === undefined) throw new DemandError(`${part}: unknown; use ${words}`)
  return read(value, part)
}

const readers: Readonly<Record<string, (value: string | undefined, part: string) => Partial<Demands>>> = {
  genuine: (value, part) => bare(value, part, { outcome: 'any' }),
  conformant: (value, part) => bare(value, part, { outcome: 'conformant' }),
  strict: (value, part) => bare(value, part, { strict: true }),
  nonce: (value, part) => bare(value, part, { nonce: true }),
  tier: (value, part) => ({ tier: known(tiers, value, part) satisfies Tier }),
  'max-age': (value, part) => {
    const [, days] = /^(\d{1,5})d$/.exec(value ?? '') ?? []
    if (days === undefined) throw new DemandError(`${part}: give days, for example max-age=30d`)
    return { maxAgeDays: Number(days) }
  },
  levels: (value, part) => ({
    levels: (value ?? '').split('+').map((level) => known(conformanceLevels, level, part)),
  }),
}

function bare(value: string | undefined, part: string, demands: Partial<Demands>): Partial<Demands> {
  if (value !== undefined) throw new DemandError(`${part}: give no value`)
  return demands
}

function known<T extends string>(all: readonly T[], value: string | undefined, part: string): T {
  const found = all.find((one) => one === value)
  if (found === undefined) throw new DemandError(`${part}: use ${all.join(', ')}`)
  return found
}
