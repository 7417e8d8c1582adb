/** Lists side by side show who has an item and who lacks it. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../test/reports/sample-exchanges.ts'
import { listComparison } from './list-comparison.ts'

const path = '/v1/threads/t/messages'
const page = (id: string, ids: readonly string[], query = '', cursor: string | null = null) =>
  sampleExchange({
    id,
    operation: 'listMessages',
    path: path + query,
    status: 200,
    answer: { items: ids.map((one) => ({ id: one })), cursor },
    sentAtMs: 0,
    tookMs: 1,
  })
const creation = (id: string, created: string) =>
  sampleExchange({
    id,
    operation: 'createMessage',
    method: 'POST',
    path,
    body: {},
    status: 201,
    answer: { id: created },
    sentAtMs: 0,
    tookMs: 1,
  })

test('pages of one walk are one column, and what they skip is missing', () => {
  const walk = [page('E2', ['a', 'b'], '?limit=2'), page('E3', ['d'], '?limit=2&cursor=x')]
  expect(listComparison([page('E1', ['a', 'b', 'c', 'd']), ...walk])).toEqual({
    columns: [
      { title: 'no limit', exchanges: ['E1'], ids: ['a', 'b', 'c', 'd'], isWhole: true },
      { title: 'limit=2', exchanges: ['E2', 'E3'], ids: ['a', 'b', 'd'], isWhole: true },
    ],
    rows: [
      { letter: 'A', id: 'a', places: [1, 1] },
      { letter: 'B', id: 'b', places: [2, 2] },
      { letter: 'C', id: 'c', places: [3, null] },
      { letter: 'D', id: 'd', places: [4, 3] },
    ],
    hiddenRows: 0,
  })
})

test('a page that is asked for by its cursor alone goes on with the list that gave the cursor', () => {
  const walk = [page('E2', ['a', 'b'], '?limit=2', 'x/1'), page('E3', ['d'], '?cursor=x%2F1')]
  const table = listComparison([page('E1', ['a', 'b', 'c', 'd']), ...walk])
  expect(table?.columns.map(({ title, exchanges }) => [title, exchanges])).toEqual([
    ['no limit', ['E1']],
    ['limit=2', ['E2', 'E3']],
  ])
  expect(table?.rows.find(({ id }) => id === 'c')?.places).toEqual([3, null])
})

test('what was created is a column beside the list that lacks it', () => {
  const table = listComparison([creation('E1', 'a'), creation('E2', 'b'), page('E3', ['a'])])
  expect(table?.columns.map(({ title, exchanges }) => [title, exchanges])).toEqual([
    ['created', ['E1', 'E2']],
    ['no limit', ['E3']],
  ])
  expect(table?.rows.find(({ id }) => id === 'b')?.places).toEqual([2, null])
})

test('of long lists only the rows around the difference are kept', () => {
  const ids = Array.from({ length: 100 }, (_, index) => `m${index}`)
  const table = listComparison([page('E1', ids), page('E2', ids.toSpliced(99, 1), '?limit=100')])
  expect(table?.rows.map(({ id }) => id)).toEqual(['m98', 'm99'])
  expect(table?.hiddenRows).toBe(98)
})

test('what a walk has not reached yet is not missing', () => {
  const table = listComparison([page('E1', ['a', 'b']), page('E2', ['a'], '?limit=1', 'next')])
  expect(table).toBeNull()
  expect(listComparison([page('E1', ['b', 'a']), page('E2', ['a'], '?limit=1', 'next')])?.columns[1]?.isWhole).toBe(
    false,
  )
})

test('equal lists, single lists and bodies that are no lists are not compared', () => {
  expect(listComparison([page('E1', ['a']), page('E2', ['a'], '?limit=5')])).toBeNull()
  expect(listComparison([page('E1', ['a'])])).toBeNull()
  expect(listComparison([creation('E1', 'a'), creation('E2', 'b')])).toBeNull()
})
