/**
 * Changes a bundle one random byte at a time and verifies it each time: every change has to be found.
 * `node scripts/tamper-bundle.ts [times] [seed]`; prints how many were, and exits 1 when one was not.
 */
import { packBundle, verifyBundle } from '../reports/index.ts'
import { reenact, rejudge, sampleCertificate } from '../test/reports/sample-certificate.ts'

const times = Number(process.argv[2] ?? 1000)
let state = Number(process.argv[3] ?? 1)
const random = (limit: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

const { bundle, keys } = sampleCertificate()
const packed = Buffer.from(packBundle(bundle))
const options = { rejudge, reenact, now: '2026-12-01T00:00:00.000Z', publicKey: keys.publicKey }
const missed: number[] = []

for (let round = 0; round < times; round += 1) {
  const changed = Buffer.from(packed)
  const at = random(changed.length)
  changed[at] = ((changed[at] ?? 0) + 1 + random(255)) % 256
  const { accepted, problems } = await verifyBundle(changed, options)
  if (accepted || problems.length === 0) missed.push(at)
}

console.log(`${times - missed.length} of ${times} one-byte changes of ${packed.length} bytes found`)
if (missed.length > 0) console.error(`missed at ${missed.join(', ')}`)
process.exitCode = missed.length === 0 ? 0 : 1
