/**
 * Measures how many valid bodies and mutants are generated per second on one core, and how many are correct.
 * The ceiling is the cost of writing and parsing the same bodies as JSON.
 */
import {
  inputsOf,
  type RequestParts,
  requestArbitrary,
  requestMutants,
  requestValidator,
  sample,
  splitSeed,
} from '../generators/index.ts'
import type { Json, OperationId } from '../spec/index.ts'
import { suiteFigures } from '../test/generators/json-schema-test-suite.ts'
import { bar, fact } from './bar.ts'
import { type Chapter, interleaved } from './plan.ts'

const chat: OperationId = 'createChatCompletion'
const bodiesPerRound = 10_000
const samplesPerGroup = 100

/** Valid chat bodies: construction, ajv's guard included, beside JSON.stringify and JSON.parse of the same bodies. */
export const validBodiesChapter: Chapter = {
  name: 'valid-bodies',
  async measure({ rounds }) {
    const arbitrary = requestArbitrary(chat)
    let bodies: readonly RequestParts[] = sample(arbitrary, { seed: 1, count: bodiesPerRound })
    let round = 0
    const samples = await interleaved(rounds, {
      made: async () => {
        round += 1
        const started = performance.now()
        bodies = sample(arbitrary, { seed: splitSeed(1, String(round)), count: bodiesPerRound })
        return { perSecond: perSecond(bodies.length, started), invalid: invalidShare(bodies) }
      },
      json: async () => {
        const started = performance.now()
        for (const { body } of bodies) JSON.parse(JSON.stringify(body))
        return { perSecond: perSecond(bodies.length, started), invalid: 0 }
      },
    })
    const guard = inputsOf(chat).body?.compiled.guard ?? { seen: 1, rejected: 0 }
    return {
      bars: [
        bar(
          { name: 'valid chat bodies, one core', unit: 'bodies/s' },
          { atLeast: 5000 },
          samples.map(({ made }) => made.perSecond),
        ),
        bar(
          { name: 'chat bodies that ajv finds invalid', unit: 'share' },
          { atMost: 0 },
          samples.map(({ made }) => made.invalid),
        ),
        bar({ name: 'chat bodies that the guard turned away', unit: 'share' }, { atMost: 0.001 }, [
          guard.rejected / guard.seen,
        ]),
      ],
      facts: [
        fact(
          { name: 'valid chat bodies', unit: '× stringify + parse' },
          samples.map(({ made, json }) => made.perSecond / json.perSecond),
        ),
        fact(
          { name: 'stringify + parse of the same bodies', unit: 'bodies/s' },
          samples.map(({ json }) => json.perSecond),
        ),
        fact({ name: 'size of a body', unit: 'B' }, [
          bodies.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0) / bodies.length,
        ]),
      ],
    }
  },
}

/** Mutants of chat requests, ajv's confirmation included. */
export const mutantsChapter: Chapter = {
  name: 'mutants',
  async measure({ rounds }) {
    const valid = sample(requestArbitrary(chat), { seed: 2, count: 400 })
    const samples = await interleaved(rounds, {
      made: async () => {
        const started = performance.now()
        const made = valid.reduce((sum, parts) => sum + requestMutants(parts).length, 0)
        return perSecond(made, started)
      },
      json: async () => {
        const started = performance.now()
        for (const { body } of valid) for (let time = 0; time < 200; time++) JSON.parse(JSON.stringify(body))
        return perSecond(valid.length * 200, started)
      },
    })
    return {
      bars: [
        bar(
          { name: 'mutants of chat requests, one core', unit: 'mutants/s' },
          { atLeast: 5000 },
          samples.map(({ made }) => made),
        ),
      ],
      facts: [
        fact(
          { name: 'mutants of chat requests', unit: '× stringify + parse' },
          samples.map(({ made, json }) => made / json),
        ),
      ],
    }
  },
}

/** Groups of the JSON Schema Test Suite 2020-12 whose samples are all valid, of those that ajv judges as the suite does. */
export const testSuiteChapter: Chapter = {
  name: 'json-schema-test-suite',
  async measure({ say }) {
    say(`${samplesPerGroup} values of each group`)
    const { full, partly, unsupported, misjudged, withoutInstance } = suiteFigures(samplesPerGroup)
    const judged = full + partly.length + unsupported.length
    return {
      bars: [
        bar({ name: `satisfiable groups of ${judged} that are fully valid`, unit: 'share' }, { atLeast: 1 }, [
          full / judged,
        ]),
        bar({ name: 'groups that are partly invalid', unit: 'groups' }, { atMost: 0 }, [partly.length]),
      ],
      facts: [
        fact({ name: 'groups refused by name', unit: 'groups' }, [unsupported.length]),
        fact({ name: 'groups that ajv judges otherwise than the suite', unit: 'groups' }, [misjudged]),
        fact({ name: 'groups named as unsatisfiable', unit: 'groups' }, [withoutInstance.named]),
      ],
    }
  },
}

function invalidShare(requests: readonly RequestParts[]): number {
  const judge = requestValidator(chat)
  const sent = requests.map((parts) => ({ ...parts, body: JSON.parse(JSON.stringify(parts.body)) as Json }))
  return sent.filter((parts) => judge(parts).length > 0).length / sent.length
}

function perSecond(count: number, startedMs: number): number {
  return (count / (performance.now() - startedMs)) * 1000
}
