/**
 * `npm run build`: what the package ships. Its entry points share chunks, and packages that only we call are inside them, so that
 * an install stays small; see docs/decisions/0014-small-install.md. The types stay files of their own.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDocument, renderDocument } from '../spec/index.ts'
import { buildBrowserMock, buildCommonJsMock } from './bundle-mock.ts'
import { buildEntryPoints } from './bundle-package.ts'
import { dropUnreachableTypes, widenSentences } from './package-types.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
/** `npm run check` judges the types; here they are only written. */
const declarations = ['-p', join(root, 'tsconfig.build.json'), '--noCheck', '--singleThreaded']
const compiled = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), declarations, {
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
dropUnreachableTypes(root)
widenSentences(root)

await buildEntryPoints(dist)
await buildBrowserMock(join(dist, 'browser'))
await buildCommonJsMock(join(dist, 'commonjs'))

// These two are read at run time, beside whatever chunk asks for them; editors complete files with them.
for (const file of ['conformance/profile/target.schema.json', 'mock-server/scenario/scenario.schema.json']) {
  cpSync(join(root, file), join(dist, file.replace(/.*\//, '')))
}
for (const [profile, file] of [
  ['contract', 'openapi.yaml'],
  ['reference', 'openapi.reference.yaml'],
] as const) {
  writeFileSync(join(dist, file), renderDocument(await loadDocument({ profile, clients: {} }), 'yaml'))
}
chmodSync(join(dist, 'bin.js'), 0o755)
