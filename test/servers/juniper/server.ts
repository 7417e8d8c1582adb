/**
 * Starts juniper on a port and prints its URL as JSON.
 * `node test/servers/juniper/server.ts --port 0 --fault NAME --legal NAME …`
 */
import { parseArgs } from 'node:util'
import { buildApp } from './app.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4030' },
    fault: { type: 'string', default: '' },
    legal: { type: 'string', multiple: true, default: [] },
  },
})

const app = buildApp({ fault: values.fault, legal: values.legal })
const url = await app.listen({ port: Number(values.port), host: '127.0.0.1' })
process.stdout.write(`${JSON.stringify({ url })}\n`)
const stop = async (): Promise<void> => {
  await app.close()
  process.exit()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
