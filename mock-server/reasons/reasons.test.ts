/** Tests the ids of the reason table. */
import { expect, test } from 'vitest'
import { gaps, requirements } from '../../spec/index.ts'
import { reasons } from './reasons.ts'

test('the id of a reason looks like no id of a requirement or a gap', () => {
  const specified = [...requirements, ...gaps].map(({ id }) => id)
  expect(specified.filter((id) => !id.includes('.'))).toEqual([])
  expect(Object.keys(reasons).filter((id) => !/^[a-z]+(-[a-z]+)+$/.test(id))).toEqual([])
})
