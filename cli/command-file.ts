/** Where the command is, for what starts it in a process of its own. It stands beside bin.ts, as their bundles do. */
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of the file that runs the command line. */
export const commandFile = fileURLToPath(new URL(`./bin${extname(import.meta.url)}`, import.meta.url))
