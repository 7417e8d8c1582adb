/** What counts as a kill, what as silence, and what makes a card complete. The texts of the proof are checked, too. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { loadDeviations, loadVariants } from '../../mock-server/index.ts'
import { obligationResults, unprovenObligations } from './obligation-results.ts'
import schema from './proof.schema.json' with { type: 'json' }
import { type Evidence, type Proof, prove } from './proof.ts'
import { figuresOf, wrongsOf } from './proof-figures.ts'
import { renderProofHtml } from './proof-html.ts'
import { renderProofText } from './proof-text.ts'
import type { Breach, Trial } from './trial.ts'

const { deviations } = await loadDeviations()
const variants = (await loadVariants()).slice(0, 3)
const [first] = deviations
if (first === undefined) throw new Error('there are no deviations')

const breach = (requirement: string, requests = 9): Breach => ({
  requirement,
  requests,
  modelCalls: 1,
  expected: 'a <b>',
  actual: 'another',
  places: [{ operation: 'listAssistants', facet: null }],
})

const trial = (
  kind: Trial['kind'],
  id: string,
  breaches: readonly Breach[] = [],
  upheld: readonly string[] = [],
): Trial => ({
  kind,
  id,
  outcome: breaches.length > 0 ? 'nonconformant' : 'conformant',
  strictOutcome: breaches.length > 0 ? 'nonconformant' : 'conformant',
  breaches,
  upheld,
  exchanges: 10,
  modelCalls: 1,
})

const silent = variants.map(({ id }) => trial('variant', id, [], [first.requirement]))

/** The proof of the first deviation and three variants. */
const proofFrom = (
  trials: readonly Trial[],
  tier: Proof['tier'] = 'gate',
  declared: Partial<typeof first> = {},
): Proof => {
  const evidence: Evidence = {
    deviations: [{ ...first, ...declared } as typeof first],
    variants,
    trials,
    withoutDeviation: new Map(),
  }
  return {
    format: 'acs-proof/2',
    suiteVersion: '0.0.0',
    contractDigest: '0'.repeat(64),
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    whole: false,
    tier,
    seed: 1,
    ...prove(evidence, tier),
    obligations: [],
  }
}

const cardIn = (proof: Proof) => proof.cards.find(({ requirement }) => requirement === first.requirement)

test('a kill counts when the requirement that the deviation violates is the one found violated', () => {
  const proof = proofFrom([trial('deviation', first.id, [breach(first.requirement)]), ...silent])
  expect(proof.deviations[0]?.status).toBe('killed')
  expect(wrongsOf(proof)).toEqual([])
  expect(cardIn(proof)).toMatchObject({ complete: true, silentVariants: 3 })
})

test('a kill by another requirement is told and does not count', () => {
  const proof = proofFrom([trial('deviation', first.id, [breach('threads.create-echoes')]), ...silent])
  expect(proof.deviations[0]?.status).toBe('killed-by-another')
  expect(wrongsOf(proof).join()).toContain('killed by threads.create-echoes')
  expect(cardIn(proof)?.complete).toBe(false)
})

test('a deviation that nothing is found on has survived', () => {
  const proof = proofFrom([trial('deviation', first.id), ...silent])
  expect(figuresOf(proof).deviations.survived).toBe(1)
  expect(wrongsOf(proof)).toHaveLength(1)
})

test('a collateral violation is wrong until the deviation declares it', () => {
  const trials = [trial('deviation', first.id, [breach(first.requirement), breach('threads.create-echoes')]), ...silent]
  expect(wrongsOf(proofFrom(trials)).join()).toContain('without declaring it')
  expect(wrongsOf(proofFrom(trials, 'gate', { alsoViolates: ['threads.create-echoes'] }))).toEqual([])
})

test('an alarm on a variant is wrong and spoils the card', () => {
  const [one, ...others] = silent
  const alarmed = trial('variant', one?.id ?? '', [breach(first.requirement)])
  const proof = proofFrom([trial('deviation', first.id, [breach(first.requirement)]), alarmed, ...others])
  expect(proof.variants[0]?.status).toBe('alarmed')
  expect(wrongsOf(proof)).toHaveLength(1)
  expect(cardIn(proof)).toMatchObject({ complete: false, alarmedVariants: [one?.id] })
})

test('a legal variant that leaves a gate run incomplete is undecided, and in the smoke tier silent', () => {
  const open = variants.map(({ id }): Trial => ({ ...trial('variant', id), outcome: 'incomplete', reason: '1 open' }))
  expect(figuresOf(proofFrom(open)).variants.undecided).toBe(3)
  expect(figuresOf(proofFrom(open, 'smoke')).variants.silent).toBe(3)
})

test('the smoke tier may miss a fifth, and no more', () => {
  const missed = proofFrom([trial('deviation', first.id), ...silent], 'smoke')
  expect(wrongsOf(missed)).toEqual(['smoke kills 0 % of the deviations, less than 80 %'])
})

test('the proof fits its schema, its text counts, and its page holds no markup of others', () => {
  const proof = proofFrom([trial('deviation', first.id, [breach(first.requirement)]), ...silent])
  const isProof = new Ajv2020({ strict: true }).compile(schema)
  expect(isProof(JSON.parse(JSON.stringify(proof))), JSON.stringify(isProof.errors)).toBe(true)
  expect(renderProofText(proof)).toContain('1 killed for the right reason, 0 by another requirement, 0 survived')
  expect(renderProofHtml(proof)).toContain(`<code>${first.id}</code>`)
  expect(renderProofHtml(proof)).not.toContain('a <b>')
})

test('an obligation is proven by a deviation that is killed there and at no other obligation of its requirement', () => {
  const requirement = 'http.operation-served'
  const places = (['listAssistants', 'getAssistant'] as const).map((operation) => ({ operation, facet: null }))
  const killedAt = (id: string, count: number): Trial =>
    trial('deviation', id, [{ ...breach(requirement), places: places.slice(0, count) }])
  const proven = (trials: readonly Trial[]) =>
    obligationResults(trials, () => requirement).filter(({ killedBy }) => killedBy !== null)
  expect(proven([killedAt('both', 2)])).toEqual([])
  expect(proven([killedAt('both', 2), killedAt('alone', 1)])).toMatchObject([
    { requirement, operation: 'listAssistants', facet: null, killedBy: 'alone' },
  ])
  const [first] = unprovenObligations(obligationResults([], () => requirement))
  expect(first).toBe('http.operation-served createChatCompletion')
})

test('an obligation that a whole proof lacks is wrong', () => {
  const lacking = { ...proofFrom([]), whole: true, obligations: obligationResults([], () => undefined) }
  expect(wrongsOf(lacking)).toContain('auth.key-required listMessages: no deviation is killed only there')
})

test('a variant may depart from advice that it names, and from nothing else', () => {
  const departing = { ...variants[0], departsFrom: ['errors.detail-text', 'http.json-response'] }
  const resultOf = (requirement: string, declared: object) => {
    const trials = [trial('variant', silent[0]?.id ?? '', [breach(requirement)])].map((one) => ({
      ...one,
      outcome: 'conformant' as const,
      strictOutcome: 'conformant' as const,
    }))
    const evidence = {
      deviations: [],
      variants: [declared],
      trials,
      withoutDeviation: new Map(),
    } as unknown as Evidence
    return prove(evidence, 'gate').variants[0]
  }
  expect(resultOf('errors.detail-text', departing)).toMatchObject({
    status: 'silent',
    departures: ['errors.detail-text'],
  })
  expect(resultOf('errors.detail-text', variants[0] ?? {})?.status).toBe('alarmed')
  // A rule that can fail a run is no advice, whatever a variant says.
  expect(resultOf('http.json-response', departing)?.status).toBe('alarmed')
})
