/**
 * How long the first `createMock` of a process takes once the module is there. A process of its own, so that nothing
 * is warm.
 */
import { createMock } from '../../mock-server/index.ts'

const before = performance.now()
const mock = await createMock()
const createMs = performance.now() - before
await mock.close()
console.log(JSON.stringify({ createMs }))
