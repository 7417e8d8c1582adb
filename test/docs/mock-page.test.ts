/** Tests that every command of docs/mock.md, run in a shell and in order, prints what the page shows. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type MockProcess, startMock } from '../mock/mock-process.ts'
import { builtCommand } from '../support/built-command.ts'
import { blocksOf, comparable, fits, type Step } from './page.ts'

const root = join(import.meta.dirname, '..', '..')
const page = join(root, 'docs', 'mock.md')
const folder = mkdtempSync(join(tmpdir(), 'acs-mock-page-'))
const blocks = blocksOf(page)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One shell for the whole page, so that `&` and `wait` mean what they say. */
async function openShell() {
  const http = spawn('bash', [], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const end = '--- end of the command ---'
  let onOutput: (text: string) => void = () => {}
  let out = ''
  http.stdout.on('data', (piece) => {
    out += piece
    if (out.includes(end)) onOutput(out)
  })
  http.stdin.write(`acs() { '${process.execPath}' '${await builtCommand()}' "$@"; }\n`)
  return {
    async run(command: string): Promise<readonly string[]> {
      out = ''
      const whole = new Promise<string>((resolve) => {
        onOutput = resolve
      })
      http.stdin.write(`${command}\necho; echo '${end}'\n`)
      const text = ((await whole).split(end)[0] ?? '').replaceAll('\r', '')
      return text.trimEnd() === '' ? [] : text.trimEnd().split('\n')
    },
    close: () => http.stdin.end(),
  }
}

test('every command prints what the page shows', async () => {
  const http = await openShell()
  const served: MockProcess[] = []
  const serve = async (command: string) => {
    await served.at(-1)?.end('SIGKILL')
    const options = command.split(' ').slice(2)
    served.push(await startMock(...options.map((word) => (/^\.\/|\.yaml$/.test(word) ? join(folder, word) : word))))
  }
  const printed: (Step & { readonly got: readonly string[] })[] = []
  for (const { kind, name, text, steps } of blocks) {
    if (kind === 'yaml') writeFileSync(join(folder, name), text)
    if (kind !== 'console') continue
    for (const step of steps) {
      if (step.command.startsWith('acs mock')) await serve(step.command)
      const url = served.at(-1)?.url ?? ''
      const here = step.command.replaceAll('http://127.0.0.1:4010', url)
      const got = step.command.startsWith('acs mock') ? bannerOf(served.at(-1)) : await http.run(here)
      printed.push({ ...step, got: got.map((line) => line.replaceAll(url, 'http://127.0.0.1:4010')) })
    }
  }
  http.close()
  await served.at(-1)?.end('SIGKILL')
  if (process.env.ACS_WRITE_DOCS !== undefined) write(printed)
  for (const { command, shown, got } of printed) {
    // A start whose banner is not shown is there for what follows.
    if (command.startsWith('acs mock') && shown.length === 0) continue
    expect(fits(comparable(got), comparable(shown)), `${command}\n${got.join('\n')}`).toBe(true)
  }
  expect(printed.length).toBeGreaterThan(25)
})

const bannerOf = (mock: MockProcess | undefined) => mock?.out().trimEnd().split('\n') ?? []

/** Puts what was printed under each command of the page. */
function write(printed: readonly (Step & { readonly got: readonly string[] })[]): void {
  let text = readFileSync(page, 'utf8')
  for (const { command, shown, got } of printed) {
    if (command.startsWith('acs mock') || fits(comparable(got), comparable(shown))) continue
    const before = [`$ ${command}`, ...shown].join('\n')
    text = text.replace(before, () => [`$ ${command}`, ...got].join('\n'))
  }
  writeFileSync(page, text)
}

const examples = blocks.filter(({ kind }) => kind === 'ts').map((example, index) => ({ example, number: index + 1 }))

test.each(examples)('the example $number for a test runs and prints what it says', async ({ example, number }) => {
  const entryPoint = join(root, 'mock-server', 'index.ts')
  const file = join(folder, `example-${number}.ts`)
  writeFileSync(file, example.text.replace("'acs-kit/mock'", JSON.stringify(entryPoint)))
  const http = await openShell()
  const lines = await http.run(`'${process.execPath}' --no-warnings '${file}' 2>&1`)
  http.close()
  expect(lines).toEqual([/console\.log.* \/\/ (.*)/.exec(example.text)?.[1]])
})
