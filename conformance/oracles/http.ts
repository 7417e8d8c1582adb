/** Oracles of chapter http: operations are served under /v1, documents are JSON, and JSON may be spelled in any legal way. */
import type { OperationId, TestableId } from '../../spec/index.ts'
import { isObject, textField } from '../classify/json.ts'
import { isValidSpelling, spellingOf } from '../classify/json-spelling.ts'
import { documentOf, isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { isRefusedLikeOneOf, isRouteMissing } from './alike.ts'
import { answerName, judgeAcceptance, type Oracle } from './oracle.ts'

const documents = [
  'createChatCompletion',
  'runThread',
  'listMessages',
  'createMessage',
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
] as const
const everyOperation: readonly OperationId[] = [
  ...documents,
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'streamThreadRun',
]

/** Every request that meets every rule is served, as long as its key is not over its quota. */
const operationServed: Oracle = (docket, testify) => {
  for (const operation of everyOperation) {
    for (const reading of docket.of(operation)) {
      const { validity } = docket.requestOf(reading)
      if (isRefusal(reading) && reading.tenant === 'throttled') continue
      if (validity === 'valid') judgeAcceptance(testify, reading, null, 'a request that meets every rule')
      else if (validity === 'unsure' && isAccepted(reading)) testify.held(operation, null, reading.id)
    }
  }
}

/** An operation is not there when every valid request to it meets a route that the service does not know. */
const versionedPath: Oracle = (docket, testify) => {
  for (const operation of everyOperation) {
    const valid = docket.of(operation).filter((reading) => docket.requestOf(reading).validity !== 'invalid')
    const served = valid.filter(isAccepted)
    for (const reading of served) testify.held(operation, null, reading.id)
    const [lost] = valid.filter((reading) => docket.requestOf(reading).validity === 'valid' && isRouteMissing(reading))
    if (served.length > 0 || lost === undefined) continue
    testify.contradicted(operation, null, {
      exchanges: [lost.id],
      expected: `${lost.exchange.request.method} ${lost.path} leads to the operation`,
      actual: answerName(lost),
      because: `${lost.id} asks for ${operation} at its path below /v1, and the service knows no such route.`,
    })
  }
}

const jsonResponse: Oracle = (docket, testify) => {
  for (const operation of documents) {
    for (const reading of docket.of(operation)) {
      if (!isAccepted(reading)) continue
      const { body } = reading.answer
      if (body.kind === 'json') testify.held(operation, null, reading.id)
      else {
        testify.contradicted(operation, null, {
          exchanges: [reading.id],
          expected: 'one JSON document in UTF-8',
          actual:
            body.kind === 'none'
              ? 'an empty body'
              : body.fault === 'utf-8'
                ? 'bytes that are not UTF-8'
                : 'text that is not one JSON document',
          pointer: '',
          because: `${reading.id} succeeds, and its body is not one JSON document.`,
        })
      }
    }
  }
}

/** Messages whose JSON is spelled unusually are created like others. */
const jsonRequest: Oracle = (docket, testify) => {
  const usual = docket.of('createMessage').find(isAccepted)
  for (const reading of docket.of('createMessage')) {
    const { body } = reading
    if (docket.requestOf(reading).validity !== 'valid' || body.kind !== 'json') continue
    const spelling = spellingOf(body)
    const judge = (facet: string, beside?: Reading): undefined => judgeSpelling(docket, testify, reading, facet, beside)
    if (spelling.whitespace) judge('whitespace')
    if (spelling.escapes && isValidSpelling(body)) judge('escapes')
    if (usual !== undefined && firstKey(reading) !== firstKey(usual)) judge('key-order', usual)
  }
}

const firstKey = ({ body }: Reading): string | undefined =>
  body.kind === 'json' && isObject(body.value) ? Object.keys(body.value)[0] : undefined

/** `usual` is the message that shows that this one is spelled unusually. */
function judgeSpelling(
  docket: Docket,
  testify: Testimony,
  reading: Reading,
  facet: string,
  usual?: Reading,
): undefined {
  const beside = usual === undefined ? [] : [usual]
  const stored = textField(documentOf(reading), 'content')
  if (isRefusedLikeOneOf(reading, usuallySpelled(docket))) {
    const why = `${reading.id} is refused as messages in plain spelling are.`
    return testify.ambiguous('createMessage', facet, reading.id, why)
  }
  if (!isAccepted(reading) || stored === null || contentOf(reading) === stored) {
    return judgeAcceptance(testify, reading, facet, `a message in legal JSON of another spelling (${facet})`, beside)
  }
  const plain = plainMessages(docket).filter((other) => other !== reading)
  const twins = plain.filter((other) => contentOf(other) === contentOf(reading))
  if ((twins.length > 0 ? twins : plain).some(isMangled)) {
    const why = `${reading.id} came back with another content, and so do messages in plain spelling.`
    return testify.ambiguous('createMessage', facet, reading.id, why)
  }
  testify.contradicted('createMessage', facet, {
    exchanges: [...beside.map(({ id }) => id), reading.id],
    expected: 'the content that the JSON text means',
    actual: 'another content',
    pointer: '/content',
    because: `${reading.id} is spelled in another legal way, and the service read another content out of it.`,
  })
}

const contentOf = ({ body }: Reading): string | null => (body.kind === 'json' ? textField(body.value, 'content') : null)

/** Accepted messages whose JSON is spelled as most clients do. */
const plainMessages = oncePerDocket((docket): readonly Reading[] =>
  docket.of('createMessage').filter(isAccepted).filter(isPlain),
)

function isPlain({ body }: Reading): boolean {
  if (body.kind !== 'json') return false
  const { whitespace, escapes } = spellingOf(body)
  return !whitespace && !escapes
}

/** Valid messages in plain spelling with their fields in the usual order. */
const usuallySpelled = oncePerDocket((docket): readonly Reading[] => {
  const valid = docket.of('createMessage').filter((reading) => docket.requestOf(reading).validity === 'valid')
  const usual = valid.find(isAccepted)
  return valid.filter((reading) => isPlain(reading) && (usual === undefined || firstKey(reading) === firstKey(usual)))
})

/** Whether a message came back with another content than it was sent with. */
function isMangled(reading: Reading): boolean {
  const stored = textField(documentOf(reading), 'content')
  return stored !== null && stored !== contentOf(reading)
}

/** The oracles of chapter http. */
export const httpOracles: Readonly<Record<TestableId<'http'>, Oracle>> = {
  'http.operation-served': operationServed,
  'http.versioned-path': versionedPath,
  'http.json-response': jsonResponse,
  'http.json-request': jsonRequest,
}
