/** A rule says how to meet it, unless there is nothing to do. */
import { expect, test } from 'vitest'
import type { Requirement } from '../requirement.ts'
import { requirements } from './requirements.ts'

const rows: readonly Requirement[] = requirements

test('every rule that is judged says how to meet it', () => {
  expect(rows.filter(({ excluded, fix }) => excluded === undefined && fix === undefined)).toEqual([])
})

test('a rule that asks for nothing has no advice, and none that says so', () => {
  expect(rows.filter(({ fix }) => fix === undefined)).toHaveLength(7)
  expect(rows.filter(({ fix = '' }) => /^nothing/i.test(fix))).toEqual([])
})
