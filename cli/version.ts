/** The version of the package, read from package.json, which is one level up here and two levels up in dist/. */
import { existsSync, readFileSync } from 'node:fs'

const manifest = ['../package.json', '../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

export const version: string =
  manifest === undefined ? '0.0.0' : (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
