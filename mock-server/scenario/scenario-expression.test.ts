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
    const expression = scenarioExpression(pattern)
    expect([pattern, text, expression.test(text), expression.test(text)]).toEqual([pattern, text, found, found])
  }
  expect(() => scenarioExpression('(')).toThrow(SyntaxError)
})

test('an expression that backtracks without end is stopped, and works again for other texts', () => {
  const expression = scenarioExpression('^(a+)+$')
  expect(() => expression.test(`${'a'.repeat(50)}!`)).toThrow(/\^\(a\+\)\+\$ of the scenario took more than/)
  expect(expression.test('aaa')).toBe(true)
})
