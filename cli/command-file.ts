/** Locates the command for starting it in a separate process. This file must be beside bin.ts, like their bundles. */
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of the file that runs the command line. */
export const commandFile = fileURLToPath(new URL(`./bin${extname(import.meta.url)}`, import.meta.url))
