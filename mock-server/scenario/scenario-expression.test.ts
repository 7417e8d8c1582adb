/** Laws of the expressions of a scenario. */
import { expect, test } from 'vitest'
import { scenarioExpression } from './scenario-expression.ts'

test('an expression finds what it says, with repetition and without', () => {
  for (const [pattern, text, found] of [
    ['stock', 'In STOCK?', true],
    ['stock', 'sold out', false],
    ['^(a|b)+c?$', 'ABAC', true],
    ['^\\p{Lu}{2}$', 'x', false],
  ] as const) {
    const expression = scenarioExpression(pattern, 'turn 1')
    expect([pattern, text, expression.test(text), expression.test(text)]).toEqual([pattern, text, found, found])
  }
  expect(() => scenarioExpression('(', 'turn 1')).toThrow(SyntaxError)
})

test('an expression that backtracks without end is stopped, and works again for other texts', () => {
  const expression = scenarioExpression('^(a+)+$', 'turn 1')
  expect(() => expression.test(`${'a'.repeat(50)}!`)).toThrow(/^turn 1: the expression \^\(a\+\)\+\$ took more than/)
  expect(expression.test('aaa')).toBe(true)
})
