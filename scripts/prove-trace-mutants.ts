/** `node scripts/prove-trace-mutants.ts`: every mutant of the recorded gate trace, judged; figures on stdout. */
import { recordedTrace } from '../test/proof/recorded-trace.ts'
import { isKilled, traceMutants } from '../test/proof/trace-mutants.ts'

const trace = await recordedTrace('gate')
const mutants = [...traceMutants(trace)]
const started = performance.now()
const survivors = mutants.filter((mutant) => !isKilled(trace, mutant))
const seconds = (performance.now() - started) / 1000
const requirements = new Set(mutants.map(({ requirement }) => requirement)).size
console.log(
  `${mutants.length - survivors.length} of ${mutants.length} trace mutants killed, of ${requirements} requirements, ${Math.round(mutants.length / seconds)} a second`,
)
for (const { operator, at, requirement, site } of survivors)
  console.log(`  survived: ${site.exchange.id} ${site.operation} ${operator} ${at} ${requirement}`)
process.exitCode = survivors.length === 0 ? 0 : 1
