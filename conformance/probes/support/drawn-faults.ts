/**
 * Requests with one fault, drawn from the generators' mutants: which value stands where is the seed's choice.
 * The probe says what every run has to cover, a field and the ways to break it.
 */
import { type Mutant, type RequestParts, requestMutants } from '../../../generators/index.ts'
import { isRoleSpelledOtherwise } from '../../judge/read/formats.ts'
import { valuesAt } from '../../judge/read/json.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { InvalidRequest } from './send-invalid.ts'

/** One field and the operators that break it; `*` in the pointer is any place of a list but the first. */
export interface FaultWish {
  readonly pointer: string
  readonly operators: readonly Operator[]
}

const purposes = {
  'N-DROP': 'drop',
  'N-PMISS': 'drop',
  'N-NULL': 'null',
  'N-TYPE': 'type',
  'N-ARR1': 'type',
  'N-UUID': 'format',
  'N-ENUM': 'enum',
  'N-INT': 'type',
  'N-BOOL': 'type',
  'N-UID': 'pattern',
} as const
type Operator = keyof typeof purposes

/** Gives the request for a wish; another `turn` is another draw as long as there are some. */
type DrawFault = (wish: FaultWish, turn?: number) => DrawnFault

interface DrawnFault extends InvalidRequest {
  readonly mutant: Mutant
}

/** Draws single-fault mutants of a valid request under the probe's chance. */
export function faultDrawer(context: ProbeContext, valid: RequestParts): DrawFault {
  const mutants = requestMutants(valid).filter(({ strength, request }) => strength !== 'GREY' && request.raw !== true)
  const decks = new Map<string, readonly Mutant[]>()
  return (wish, turn = 0) => {
    const key = `${wish.pointer} ${wish.operators.join(' ')}`
    const deck = decks.get(key) ?? deckOf(context, mutants, wish)
    decks.set(key, deck)
    const mutant = deck[turn % deck.length]
    if (mutant === undefined) throw new RangeError(`no mutant breaks ${key}`)
    return requestOf(mutant)
  }
}

/** All values that break the field in the seed's order, one of each kind first: careless code has a way with each. */
function deckOf(
  { random }: ProbeContext,
  mutants: readonly Mutant[],
  { pointer, operators }: FaultWish,
): readonly Mutant[] {
  const matches = placeMatcher(pointer)
  const wanted: readonly string[] = operators
  const all = random.shuffled(
    mutants.filter((one) => wanted.includes(one.operator) && matches(one.pointer) && !isLenient(one)),
  )
  const firstOfKind = new Map<string, Mutant>()
  for (const one of all) {
    const kind = kindOf(one)
    if (!firstOfKind.has(kind)) firstOfKind.set(kind, one)
  }
  const kinds = [...firstOfKind].sort(([one], [other]) => Number(isConvertible(other)) - Number(isConvertible(one)))
  const leading = kinds.map(([, one]) => one)
  return [...leading, ...all.filter((one) => !leading.includes(one))]
}

function placeMatcher(pointer: string): (found: string) => boolean {
  const pattern = new RegExp(`^${pointer.replaceAll('*', '[1-9]\\d*')}$`)
  return (found) => pattern.test(found)
}

/** A blank around an id, and a role in other letters: whether a server reads them as what they stand for is open. */
function isLenient(mutant: Mutant): boolean {
  const value = valueAt(mutant)
  if (typeof value !== 'string') return false
  if (mutant.operator === 'N-ENUM') return isRoleSpelledOtherwise(value)
  return mutant.operator === 'N-UUID' && value !== value.trim()
}

/** A number in the place of a text, which careless code converts. */
const isConvertible = (kind: string): boolean => kind === 'N-TYPE number'

/** Values of one kind are treated alike by most code. */
function kindOf(mutant: Mutant): string {
  const value = valueAt(mutant)
  if (mutant.operator !== 'N-ENUM' && mutant.operator !== 'N-UUID')
    return `${mutant.operator} ${Array.isArray(value) ? 'array' : typeof value}`
  const text = String(value)
  if (mutant.operator === 'N-ENUM') return 'another word'
  return text.length === 36 ? 'another letter' : text.length > 36 ? 'too long' : 'too short'
}

function valueAt({ pointer, request: { body } }: Mutant): unknown {
  if (typeof body !== 'string') return undefined
  return valuesAt(JSON.parse(body), pointer)[0]
}

function requestOf(mutant: Mutant): DrawnFault {
  const { operator, location, pointer, request } = mutant
  const purpose = `${purposes[operator as Operator]}:/${location}${pointer}`
  const body = request.body === null ? {} : { body: request.body }
  return { purpose, ...body, mutant }
}
