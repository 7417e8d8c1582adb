/** Runs generated tests by the real runners, and says of each test whether it passed. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A runner of one language. */
interface FindingRunner {
  readonly extension: string
  /** The name of a file without its extension. */
  readonly nameOf: (folder: 'faulty' | 'sound', index: number) => string
  /** Why it cannot run here, or `null`. */
  readonly missing: () => string | null
  /** Runs all files of a folder. */
  readonly run: (folder: string, environment: NodeJS.ProcessEnv) => Promise<readonly FindingResult[]>
}

export interface FindingResult {
  /** The file that the test is in. */
  readonly file: string
  readonly name: string
  readonly isPassed: boolean
  readonly message: string
}

const root = join(import.meta.dirname, '..', '..')
/** Where Debian keeps the runner of JUnit 5. */
const junitJar = '/usr/share/java/junit-platform-console-standalone.jar'

/** Failing tests make a runner fail; what it wrote down says which. */
const finished = (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (piece) => (output += piece))
    child.stderr.on('data', (piece) => (output += piece))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })

const runs = (command: string, args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const runVitest: FindingRunner['run'] = async (folder, environment) => {
  const entry = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [entry, 'run', '--root', folder, '--reporter=json', '--outputFile=results.json', '--testTimeout=60000']
  const output = await finished(process.execPath, args, folder, environment)
  const { testResults } = JSON.parse(readOr(join(folder, 'results.json'), output)) as {
    readonly testResults: readonly {
      readonly name: string
      readonly assertionResults: readonly {
        readonly title: string
        readonly status: string
        readonly failureMessages: readonly string[]
      }[]
    }[]
  }
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ title: name, status, failureMessages }) => ({
      file,
      name,
      isPassed: status === 'passed',
      message: failureMessages.join('\n'),
    })),
  )
}

const runPytest: FindingRunner['run'] = async (folder, environment) => {
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--junitxml=results.xml']
  const output = await finished('python3', args, folder, environment)
  return resultsOfXml(readOr(join(folder, 'results.xml'), output))
}

const runJunit: FindingRunner['run'] = async (folder, environment) => {
  const compile = ['-encoding', 'UTF-8', '-cp', junitJar, '-d', 'classes']
  // Short programs: what the second compiler of Java would cost, they never get back.
  const quick = '-XX:TieredStopAtLevel=1'
  const output = await finished('sh', ['-c', `javac -J${quick} ${compile.join(' ')} *.java`], folder, environment)
  const scan = [quick, '-cp', `${junitJar}:classes`, 'org.junit.platform.console.ConsoleLauncher', '--disable-banner']
  const more = [...scan, '--scan-classpath=classes', '--reports-dir=results', '--details=none']
  const ran = await finished('java', more, folder, environment)
  return resultsOfXml(readOr(join(folder, 'results', 'TEST-junit-jupiter.xml'), output + ran))
}

/** The cases of a JUnit XML file, as pytest and the launcher of JUnit write it. */
const resultsOfXml = (xml: string): readonly FindingResult[] =>
  [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, attributes = '', inner = '']) => ({
    file: / classname="([^"]*)"/.exec(attributes)?.[1] ?? '',
    name: / name="([^"]*)"/.exec(attributes)?.[1] ?? '',
    isPassed: !/<(?:failure|error)\b/.test(inner),
    message: inner.slice(0, 2_000),
  }))

const readOr = (file: string, output: string): string => {
  if (!existsSync(file)) throw new Error(output)
  return readFileSync(file, 'utf8')
}

export const findingRunners = {
  vitest: {
    extension: '.test.ts',
    nameOf: (folder, index) => `${folder}-${index}`,
    missing: () => null,
    run: runVitest,
  },
  pytest: {
    extension: '.py',
    nameOf: (folder, index) => `test_${folder}_${index}`,
    missing: () => (runs('python3', ['-c', 'import pytest']) ? null : 'python3 with pytest is not installed'),
    run: runPytest,
  },
  junit5: {
    extension: '.java',
    nameOf: (folder, index) => `Acs${folder}${index}Test`,
    missing: () =>
      runs('javac', ['-version']) && existsSync(junitJar) ? null : 'javac and the JUnit 5 of Debian are not installed',
    run: runJunit,
  },
} as const satisfies Readonly<Record<string, FindingRunner>>
