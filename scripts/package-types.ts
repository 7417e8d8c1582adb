/** Keeps of the emitted types those that an entry point of the package leads to, without the words of sentences. */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'

interface PackageFile {
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
}

/** Removes each declaration file under dist/ that no entry point leads to. */
export function dropUnreachableTypes(root: string): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageFile
  const entries = Object.values(exports).flatMap((one) => (typeof one === 'string' ? [] : (one.types ?? [])))
  const kept = reachableFrom(
    entries.map((entry) => posix.normalize(entry)),
    (file) => readFileSync(join(root, file), 'utf8'),
  )
  for (const file of globSync('dist/**/*.d.ts', { cwd: root })) {
    if (!kept.has(file.replaceAll('\\', '/'))) rmSync(join(root, file))
  }
}

/** A field of the rows that holds a sentence, as a literal type. */
const sentence =
  /(\breadonly (?:rule|section|fix|question|consistency|mockAnswer): )(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g

/** Which operations owe a rule, written out for each row. */
const owingOperations = /(\breadonly owedBy: )Readonly<Record<[^;]*>>(?=;)/g

/** Gives the sentences of the rows under dist/ the type `string`: nobody compares them with a literal, and ids stay as they are. */
export function widenSentences(root: string): void {
  for (const file of globSync('dist/spec/{requirements,gaps}/*.d.ts', { cwd: root })) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8').replaceAll(sentence, '$1string')
    writeFileSync(path, text.replaceAll(owingOperations, "$1Requirement['owedBy']"))
  }
}

/** The files that the given ones import, directly or through others, themselves included. */
function reachableFrom(entries: readonly string[], read: (file: string) => string): ReadonlySet<string> {
  const reached = new Set(entries)
  for (const file of reached) {
    for (const [, path = ''] of read(file).matchAll(/\b(?:from|import\()\s*['"](\.[^'"]+)\.[jt]s['"]/g)) {
      reached.add(posix.join(posix.dirname(file), `${path}.d.ts`))
    }
  }
  return reached
}
