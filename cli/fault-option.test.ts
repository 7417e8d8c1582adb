/** Settings of a rule and of its faults stand side by side in one word of the command line. */
import { expect, test } from 'vitest'
import { createMock } from '../mock-server/index.ts'
import { faultRuleOf } from './fault-option.ts'

test.each([
  ['stall', { fault: 'stall' }],
  ['stall:', { fault: 'stall:' }],
  ['rate_limit_gateway:5,times=2', { fault: 'rate_limit_gateway:5', times: 2 }],
  [
    'api_timeout_error:operation=runThread,times=1,probability=0.2',
    { fault: 'api_timeout_error', match: { operation: 'runThread' }, times: 1, probability: 0.2 },
  ],
  [
    'stall:ms=500; cut-after-chunk:2, assistant = Weather desk',
    { fault: 'stall:ms=500; cut-after-chunk:2', match: { assistant: 'Weather desk' } },
  ],
  [
    'stall:ms=500,body=refund, header=user-id: jane',
    { fault: 'stall:ms=500', match: { body: 'refund', header: 'user-id: jane' } },
  ],
])('%s is a rule', (expression, rule) => {
  expect(faultRuleOf(expression)).toEqual(rule)
})

test.each([
  ['stall:times=soon', '--fault: times takes a number, such as times=1, not "soon"'],
  ['stall:times=1;cut-in-body:times=2', '--fault: times is given twice; give it once for all faults'],
  ['stall:operatoin=runThread', '--fault: no setting is called "operatoin"; did you mean "operation"?'],
])('%s is refused', (expression, message) => {
  expect(() => faultRuleOf(expression)).toThrow(message)
})

test('every setting of every fault stays one of the fault', async () => {
  await using mock = await createMock()
  for (const { name, parameters } of mock.faults.faultCatalogue()) {
    for (const setting of Object.keys(parameters)) {
      const fault = `${name}:${setting}=1`
      expect(faultRuleOf(fault)).toEqual({ fault })
    }
  }
})
