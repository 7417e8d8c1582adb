/** Lets a bundle have what the compiled validators require: without a `require` of their own, the bundler resolves it. */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

export const bundledRequires: Plugin = {
  name: 'bundled-requires',
  setup({ onLoad }) {
    onLoad({ filter: /-validators\.generated\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.replace(/^(?:import .* from 'node:module'|const require = .*)$/gm, ''), loader: 'ts' }
    })
  },
}
