/**
 * `npm run check`: format and lint, prose, types, unit tests. Says nothing when all is well; otherwise shows what failed.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

const modules = join(import.meta.dirname, '..', 'node_modules')
const bin = (name: string): string => join(modules, '.bin', name)

/** What the compiler found out is kept, so that the next check judges what changed. */
const types = (project: string): Pick<Step, 'command' | 'args'> => {
  const kept = join(modules, '.cache', 'types', `${project.replaceAll(/\W/g, '-')}.tsbuildinfo`)
  return { command: bin('tsc'), args: ['-p', project, '--incremental', '--tsBuildInfoFile', kept, '--singleThreaded'] }
}

const steps: readonly Step[] = [
  { name: 'format and lint', command: bin('biome'), args: ['check', '--error-on-warnings', '.'] },
  { name: 'prose', command: bin('node'), args: [join(import.meta.dirname, 'lint-prose.ts')] },
  { name: 'types', ...types('tsconfig.json') },
  { name: 'types of the report page', ...types('reports/html/client') },
  { name: 'types of the inspector', ...types('mock-server/inspector/client') },
  { name: 'unit tests', command: bin('vitest'), args: ['run', '--project', 'unit', '--silent', '--reporter=dot'] },
]

const run = ({ command, args }: Step): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (piece) => (output += piece))
    child.stderr.on('data', (piece) => (output += piece))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })

const results = await Promise.all(steps.map(async (step) => ({ step, ...(await run(step)) })))
for (const { step, code, output } of results) {
  if (code !== 0) console.error(`× ${step.name}\n${output}`)
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
