/**
 * `npm run metrics [-- --list | --json | --lower]`: measures the sources as a Markdown table.
 * `--list` adds every finding, `--json` prints both as JSON, `--lower` lowers test/house/ratchet.json to today's figures.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { metricsLists, metricsTable } from './metrics/metrics-text.ts'
import { measure } from './metrics/part-figures.ts'
import { loweredRatchet, readRatchet, writeRatchet } from './metrics/ratchet.ts'
import { readSources } from './metrics/source-tree.ts'

const { values } = parseArgs({
  options: { list: { type: 'boolean' }, json: { type: 'boolean' }, lower: { type: 'boolean' } },
})

const root = join(import.meta.dirname, '..')
const sources = readSources(root)

if (values.lower === true) {
  writeRatchet(root, loweredRatchet(sources, readRatchet(root)))
} else {
  const figures = measure(sources)
  console.log(values.json === true ? JSON.stringify(figures, null, 2) : metricsTable(figures))
  if (values.list === true && values.json !== true) console.log(metricsLists(figures, sources))
}
