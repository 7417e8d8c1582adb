/** Bundles the entry points of the package for Node, with the packages that are not its dependencies. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundledRequires } from './bundled-requires.ts'
import { licencesIn } from './licences.ts'

const root = join(import.meta.dirname, '..')

/** Name in dist/ → source. All stand side by side, so that a file finds another one wherever the bundler puts its code. */
const entryPoints: Readonly<Record<string, string>> = {
  index: 'index.ts',
  vitest: 'vitest.ts',
  spec: 'spec/index.ts',
  client: 'spec/client/index.ts',
  generators: 'generators/index.ts',
  mock: 'mock-server/index.ts',
  conformance: 'conformance/index.ts',
  reports: 'reports/index.ts',
  msw: 'mock-server/skins/msw.ts',
  playwright: 'mock-server/skins/playwright.ts',
  storybook: 'mock-server/skins/storybook.ts',
  'vitest-browser': 'mock-server/skins/vitest.ts',
  bin: 'cli/bin.ts',
  'trial-worker': 'cli/prove/trial-worker.ts',
  'verify-worker': 'cli/board/verify-worker.ts',
  'part-worker': 'conformance/judge-file/part-worker.ts',
  'recording-worker': 'conformance/watch/recording-worker.ts',
}

/** What a user installs beside the package: its dependencies, and peers if they are wanted. */
export const installedPackages = (): readonly string[] => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [name, `${name}/*`])
}

/** Writes the entry points, the chunks they share, and the licences of what is in them. */
export async function buildEntryPoints(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: { ...entryPoints },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...installedPackages()],
    plugins: [bundledRequires],
    // Names stay, so that a stack trace says something.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 1000,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    absWorkingDir: root,
  })
  writeFileSync(join(folder, 'licences.txt'), licencesIn(metafile))
}
