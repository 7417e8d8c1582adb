/** Explains an error code or a fault of the mock: where it occurs, and how to provoke it. */
import type { createMock } from '../mock-server/index.ts'
import type { Gap, OperationId, Requirement } from '../spec/index.ts'

type Spec = typeof import('../spec/index.ts')
type MockServer = typeof import('../mock-server/index.ts')
type MockedFault = ReturnType<Awaited<ReturnType<typeof createMock>>['faults']['faultCatalogue']>[number]

/** The names of error codes and faults, for suggestions. */
export const faultIds = async (): Promise<readonly string[]> => {
  const mockServer = await import('../mock-server/index.ts')
  const faults = (await faultsOf(mockServer)).map(({ name }) => name)
  return [...new Set([...faults, ...Object.keys(mockServer.errorCodes)])]
}

/** The text about an error code or a fault, `null` when the id is none. */
export const explainFault = async (id: string): Promise<string | null> => {
  const mockServer = await import('../mock-server/index.ts')
  const fault = (await faultsOf(mockServer)).find(({ name }) => name === id)
  const codes = Object.keys(mockServer.errorCodes) as (keyof MockServer['errorCodes'])[]
  const code = codes.find((one) => one === id)
  if (code !== undefined) return codeText(code, fault, await import('../spec/index.ts'), mockServer)
  return fault === undefined ? null : faultText(fault, await import('../spec/index.ts'))
}

const faultsOf = async ({ createMock }: MockServer): Promise<readonly MockedFault[]> => {
  await using mock = await createMock()
  return mock.faults.faultCatalogue()
}

const codeText = (
  code: keyof MockServer['errorCodes'],
  fault: MockedFault | undefined,
  spec: Spec,
  mockServer: MockServer,
): string => {
  const row = spec.errorRowOf(code)
  const listed: readonly OperationId[] = row?.operations ?? []
  const isNamedIn = (words: readonly string[]) => words.some((text) => new RegExp(`\\b${code}\\b`).test(text))
  const rules = (spec.requirements as readonly Requirement[]).filter(
    ({ id, rule }) => id === `errors.code-${code.replaceAll('_', '-')}` || isNamedIn([rule]),
  )
  const gaps = (spec.gaps as readonly Gap[]).filter(({ question, answers, mockAnswer }) =>
    isNamedIn([question, ...answers, mockAnswer]),
  )
  const { status, detail } = mockServer.errorCodes[code]
  const causes = Object.entries(mockServer.reasons).filter(
    ([id, one]) => one.code === code && !/^(?:admin-|injected-fault$)/.test(id),
  )
  const section = row === undefined ? 'Errors: not in its table, a code of the mock' : 'Errors'
  return [
    `${code}  (an error code)`,
    '',
    `  ${row?.detail === null ? 'The detail is an array of field errors.' : detail}`,
    '',
    `  contract      ${section}`,
    ...(row === undefined ? [] : [`  listed for    ${listed.join(', ')}`]),
    ...block(
      'rules',
      rules.map(({ id, rule }) => `${id}  ${rule}`),
    ),
    ...block(
      'gaps',
      gaps.map(({ id, question }) => `${id}  ${question}`),
    ),
    `  the mock      status ${status}, with x-acs-reason ${causes.map(([id]) => id).join(', ') || 'injected-fault only'}`,
    ...(fault === undefined ? [] : [...settingLines(fault), ...provokeLines(fault, spec)]),
    '',
  ].join('\n')
}

const faultText = (fault: MockedFault, spec: Spec): string =>
  [
    `${fault.name}  (a fault of the mock)`,
    '',
    `  ${fault.description}`,
    '',
    ...settingLines(fault),
    ...provokeLines(fault, spec),
    '',
  ].join('\n')

const block = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)]

const settingLines = ({ parameters }: MockedFault): readonly string[] =>
  block(
    'settings',
    Object.entries(parameters).map(
      ([name, { meaning, preset, least, most }]) => `${name}=${preset}  ${meaning} (${least} to ${most})`,
    ),
  )

/** How a client asks for the fault, with its settings as they are preset. */
const provokeLines = ({ name, parameters, operations }: MockedFault, { operationIds }: Spec): readonly string[] => {
  const settings = Object.entries(parameters).map(([field, { preset }]) => `${field}=${preset}`)
  const text = settings.length === 0 ? name : `${name}:${settings.join(',')}`
  const where = operations.length === operationIds.length ? 'every operation' : operations.join(', ')
  return [
    `  applies to    ${where}`,
    `  provoke it    the request header x-acs-fault: ${text}`,
    `                acs mock --fault '${text}', for every request`,
  ]
}
