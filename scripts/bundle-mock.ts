/**
 * Bundles the mock for browsers and for CommonJS: the same sources, with stand-ins where the surroundings lack something.
 * The package ships the results, so that bundlers and Jest take them as they are.
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { installedPackages } from './bundle-package.ts'
import { bundledRequires } from './bundled-requires.ts'
import { licencesIn } from './licences.ts'

const root = join(import.meta.dirname, '..')

const onlyInNode = 'mock-server/browser/only-in-node.ts'

/** Module of Node, or file of ours → its stand-in. */
const standIns: Readonly<Record<string, string>> = {
  'node:buffer': 'mock-server/browser/buffer.ts',
  'node:crypto': 'mock-server/browser/crypto.ts',
  'node:vm': 'mock-server/browser/vm.ts',
  'node:zlib': onlyInNode,
  'mock-server/listener/listen.ts': onlyInNode,
  'mock-server/scenario/scenario-schema.ts': 'mock-server/browser/scenario-schema.ts',
  'mock-server/store/state-store.ts': onlyInNode,
  'spec/document/overlay-file.ts': onlyInNode,
  'spec/document/render-document.ts': 'mock-server/browser/render-document.ts',
  'spec/schemas/contract-validators.generated.ts': onlyInNode,
}

const replacing = (files: Readonly<Record<string, string>>): Plugin => ({
  name: 'stand-ins',
  setup({ onResolve }) {
    onResolve({ filter: /^(node:|\.)/ }, ({ path, resolveDir, importer, kind }) => {
      if (kind === 'entry-point' || importer.includes('node_modules')) return null
      const asked = path.startsWith('node:') ? path : relative(root, join(resolveDir, path))
      const file = files[asked] ?? asked
      // No module of ours does anything when it is loaded, so what nobody uses of it can go.
      return file.startsWith('node:') ? null : { path: join(root, file), sideEffects: false }
    })
  },
})

/** Writes the bundle of the mock for browsers, with the licences of what is in it. */
export async function buildBrowserMock(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: { mock: join(root, 'mock-server', 'index.ts') },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    inject: [join(root, 'mock-server', 'browser', 'globals.ts')],
    plugins: [replacing(standIns), bundledRequires],
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    absWorkingDir: root,
  })
  writeFileSync(join(folder, 'licences.txt'), licencesIn(metafile))
}

/** Writes the mock as CommonJS, which Jest needs; the dependencies stay where they are. */
export async function buildCommonJsMock(folder: string): Promise<void> {
  const schema = 'mock-server/scenario/scenario-schema.ts'
  await build({
    entryPoints: { mock: join(root, 'mock-server', 'index.ts') },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    external: [...installedPackages()],
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href" },
    plugins: [replacing({ [schema]: standIns[schema] ?? '' }), bundledRequires],
    logLevel: 'error',
  })
}
