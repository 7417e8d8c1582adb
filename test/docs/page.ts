/** Reads a page of the documents as blocks: commands, and what the page shows under them. */
import { readFileSync } from 'node:fs'

export interface Step {
  readonly command: string
  /** Lines under the command. */
  readonly shown: readonly string[]
}

interface PageBlock {
  /** The word behind the fence, and what follows it. */
  readonly kind: string
  readonly name: string
  readonly text: string
  readonly steps: readonly Step[]
}

/** The fenced blocks of a Markdown file. */
export function blocksOf(file: string): readonly PageBlock[] {
  const fenced = readFileSync(file, 'utf8').matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)
  return [...fenced].map(([, kind = '', name = '', text = '']) => ({ kind, name, text, steps: stepsOf(text) }))
}

function stepsOf(text: string): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...shown] = part.trimEnd().split('\n')
      return { command, shown }
    })
}

const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g

/** Lines without what differs from run to run: times, and the port. */
export function comparable(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line
      .replace(timestamp, '<time>')
      .replace(/127\.0\.0\.1:\d+/g, '<host>')
      .replace(/ +$/, ''),
  )
}

/** Whether the printed lines are the shown ones; a shown line `…` stands for any number of lines. */
export function fits(printed: readonly string[], shown: readonly string[]): boolean {
  const [first, ...rest] = shown
  if (first === undefined) return printed.length === 0
  if (first.trim() !== '…') return printed[0] === first && fits(printed.slice(1), rest)
  return Array.from({ length: printed.length + 1 }, (_, skipped) => skipped).some((skipped) =>
    fits(printed.slice(skipped), rest),
  )
}
