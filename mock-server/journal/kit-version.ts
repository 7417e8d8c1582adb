/** The version of the package, for the exports that name their maker. */
import { existsSync, readFileSync } from 'node:fs'

/** package.json is two levels up in the sources and three in dist. */
const manifest = ['../../package.json', '../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** The version in package.json. */
export const kitVersion: string =
  manifest === undefined ? '0.0.0' : (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
