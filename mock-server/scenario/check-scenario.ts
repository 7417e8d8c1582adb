/**
 * Checks the rules of a scenario beyond its schema. Names resolve, keys and ids are used once, and no fixture breaks the
 * contract. It needs a schema compiler; the built-in scenario skips this check.
 */
import { operationIds } from '../../spec/index.ts'
import { parseFaults } from '../fault-catalogue/fault-expression.ts'
import { misplacedFaults, type RuleSubject } from '../fault-catalogue/misplaced-fault.ts'
import { suggestionFor } from '../option-error.ts'
import { prepareAnswerCheck } from './answer-function.ts'
import { assistantProblems } from './check-assistant.ts'
import type { FaultScript, Scenario } from './scenario.ts'
import { expressionProblems } from './scenario-expression.ts'
import { type DataPath, refuseProblems, type ScenarioProblem } from './scenario-problem.ts'
import { soundParts } from './sound-parts.ts'

/** Throws a ScenarioError when there is a problem. */
export async function checkScenario(scenario: Scenario): Promise<void> {
  const { schemaProblems } = await import('./schema-problems.ts')
  const ofShape = schemaProblems(asData(scenario))
  refuseProblems([...ofShape, ...(await scenarioProblems(soundParts(scenario, ofShape)))], () => 'scenario')
  await Promise.all(scenario.assistants.map(prepareAnswerCheck))
}

/** As a file would have it: a function may only stand for an answer, and an answer is a text there. */
function asData(scenario: Scenario): unknown {
  const textFor = (name: string, value: unknown) => (name === 'answer' && typeof value === 'function' ? 'said' : value)
  return JSON.parse(JSON.stringify(scenario, textFor) ?? 'null')
}

/** All problems of a scenario of the right shape. */
export async function scenarioProblems(scenario: Scenario): Promise<readonly ScenarioProblem[]> {
  const { assistants, files } = scenario
  const own = await Promise.all(assistants.map(assistantProblems))
  return [
    ...tenantProblems(scenario),
    ...repeated(
      assistants.map(({ name }, index) => ({ value: name, path: ['assistants', index, 'name'] })),
      {
        problem: 'is also the name of another assistant',
        fix: 'give each assistant a name of its own',
      },
    ),
    ...repeated(
      assistants.flatMap(({ id }, index) =>
        id === undefined ? [] : [{ value: id, path: ['assistants', index, 'id'] }],
      ),
      { problem: 'is also the id of another assistant', fix: 'leave id out', requirement: 'assistants.ids-unique' },
    ),
    ...own.flatMap((problems, index) => problems.map((one) => ({ ...one, path: ['assistants', index, ...one.path] }))),
    ...assistants.flatMap(({ faults = [] }, index) => faultProblems(faults, 'assistant', ['assistants', index])),
    ...unreachableFaults(scenario),
    ...expressionProblems(files?.fails_when_named, ['files', 'fails_when_named']),
  ]
}

function tenantProblems({ tenants, assistants }: Scenario): readonly ScenarioProblem[] {
  const known = assistants.map(({ name }) => name)
  const keys = tenants.flatMap((tenant, index) =>
    tenant.keys.map(({ key }, at) => ({ value: key, path: ['tenants', index, 'keys', at, 'key'] })),
  )
  const unresolved = tenants.flatMap((tenant, index) =>
    tenant.assistants.flatMap((name, at): readonly ScenarioProblem[] => {
      if (known.includes(name)) return []
      const fix = suggestionFor(name, known)
      return [
        { path: ['tenants', index, 'assistants', at], at: 'value', problem: `names no assistant: "${name}"`, fix },
      ]
    }),
  )
  return [
    ...repeated(
      tenants.map(({ name }, index) => ({ value: name, path: ['tenants', index, 'name'] })),
      {
        problem: 'is also the name of another tenant',
        fix: 'give each tenant a name of its own',
      },
    ),
    ...repeated(keys, {
      problem: 'is a key of another tenant, or a duplicate',
      fix: 'use each key once, in one tenant',
      requirement: 'tenancy.keys-are-own',
    }),
    ...unresolved,
    ...tenants.flatMap(({ faults = [] }, index) => faultProblems(faults, 'tenant', ['tenants', index])),
  ]
}

function repeated(
  values: readonly { readonly value: string; readonly path: DataPath }[],
  told: Pick<ScenarioProblem, 'problem' | 'fix' | 'requirement'>,
): readonly ScenarioProblem[] {
  const seen = new Set<string>()
  return values.flatMap(({ value, path }): readonly ScenarioProblem[] => {
    if (seen.has(value)) return [{ path, at: 'value', ...told }]
    seen.add(value)
    return []
  })
}

/** Faults of assistants that no tenant has, as far as every tenant says which it has. */
function unreachableFaults({ tenants, assistants }: Scenario): readonly ScenarioProblem[] {
  if (tenants.some((tenant) => tenant.assistants.length === 0)) return []
  const reached = new Set(tenants.flatMap((tenant) => tenant.assistants))
  return assistants.flatMap(({ name, faults = [] }, index): readonly ScenarioProblem[] => {
    if (faults.length === 0 || reached.has(name)) return []
    const problem = `never apply: no tenant has the assistant "${name}"`
    const fix = "add it to a tenant's assistants, or remove the faults"
    return [{ path: ['assistants', index, 'faults'], at: 'key', problem, fix }]
  })
}

function faultProblems(
  faults: readonly FaultScript[],
  subject: RuleSubject,
  path: DataPath,
): readonly ScenarioProblem[] {
  return faults.flatMap(({ fault, operation }, index): readonly ScenarioProblem[] => {
    const place = [...path, 'faults', index]
    const parsed = parseFaults(fault)
    const wrong: ScenarioProblem[] = []
    if (parsed.kind === 'unreadable') {
      const fix = 'GET /_acs/faults lists all faults'
      wrong.push({ path: [...place, 'fault'], at: 'value', problem: `is not a fault: ${parsed.problem}`, fix })
    }
    if (operation !== undefined && !operationIds.includes(operation)) {
      const fix = suggestionFor(operation, operationIds)
      wrong.push({ path: [...place, 'operation'], at: 'value', problem: 'is not an operation', fix })
    } else if (parsed.kind === 'faults') {
      for (const { field, problem, fix } of misplacedFaults(parsed.faults, { operation, subjects: [subject] }))
        wrong.push({ path: [...place, field], at: 'value', problem: `does not fit: ${problem}`, fix })
    }
    return wrong
  })
}
