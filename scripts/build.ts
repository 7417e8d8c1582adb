/**
 * `npm run build`: what the package ships. tsc emits the doors and their types to dist/.
 * Data files and the mock for browsers and for CommonJS go along.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDocument, renderDocument } from '../spec/index.ts'
import { buildBrowserMock, buildCommonJsMock } from './bundle-mock.ts'

const root = join(import.meta.dirname, '..')
const stages = ['spec', 'generators', 'mock-server', 'conformance', 'reports', 'cli']

rmSync(join(root, 'dist'), { recursive: true, force: true })
const compiled = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

for (const file of globSync(`{${stages.join(',')}}/**/*.{json,yaml,css,html}`, { cwd: root })) {
  if (!/test-schemas|fixtures/.test(file)) cpSync(join(root, file), join(root, 'dist', file))
}
for (const [profile, file] of [
  ['contract', 'openapi.yaml'],
  ['reference', 'openapi.reference.yaml'],
] as const) {
  writeFileSync(join(root, 'dist', file), renderDocument(await loadDocument({ profile, clients: {} }), 'yaml'))
}
await buildBrowserMock(join(root, 'dist', 'browser'))
await buildCommonJsMock(join(root, 'dist', 'commonjs'))
chmodSync(join(root, 'dist', 'cli', 'bin.js'), 0o755)
