/**
 * Checks the source tree: import directions, file lengths, banned names, file headers, sockets and console output.
 * (No `any`, no enum, no default export and the length of functions are checked by the linter.)
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const stages = ['spec', 'generators', 'mock-server', 'conformance', 'reports', 'cli'] as const
const folders = [...stages, 'test', 'bench', 'scripts'] as const

/** Folder → folders that it may import, at run time and as types. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  generators: ['spec'],
  'mock-server': ['spec'],
  conformance: ['spec', 'generators'],
  reports: ['spec'],
  cli: ['spec', 'generators', 'mock-server', 'conformance', 'reports'],
}
/** The outcome function of the judge, a leaf that the reports may import at run time, past the door. */
const outcomeFunction = 'conformance/judge/run-outcome.ts'
/** Folder → folders that it may import as types only. */
const mayImportTypes: Readonly<Record<string, readonly string[]>> = { reports: ['conformance'] }

const bannedNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'core', 'misc', 'types', 'lib'])
const sourceLinesMax = 300
const testLinesMax = 400
/** What leads another tool to the mock holds no logic of its own. */
const skinLinesMax = 100

interface Source {
  readonly path: string
  readonly text: string
}

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

const walk = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'fixtures' ? [] : walk(path)
    return path.endsWith('.ts') && !path.endsWith('.generated.ts') ? [path] : []
  })

const sources: readonly Source[] = folders.flatMap((folder) =>
  walk(folder).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
)

const importsOf = ({ path, text }: Source): readonly Import[] =>
  [...text.matchAll(/^(import|export)\s+(type\s+)?([^'";]*?\sfrom\s+)?'(\.[^']+)'/gms)].map((match) => ({
    target: normalize(join(dirname(path), match[4] ?? ''))
      .split(sep)
      .join('/'),
    typeOnly: match[2] !== undefined,
  }))

const folderOf = (path: string): string => path.split('/')[0] ?? ''
const isTest = (path: string): boolean => /\.(test|cases)\.ts$/.test(path) || path.startsWith('test/')

const directionFault = (source: Source, { target, typeOnly }: Import): string | null => {
  const from = folderOf(source.path)
  const to = folderOf(target)
  if (from === to || isTest(source.path) || !(from in mayImport)) return null
  if (mayImport[from]?.includes(to)) return null
  if (typeOnly && mayImportTypes[from]?.includes(to)) return null
  if (from === 'reports' && target === outcomeFunction) return null
  return `${source.path} must not import ${target}`
}

const doorFault = (source: Source, { target }: Import): string | null => {
  const from = folderOf(source.path)
  const to = folderOf(target)
  const crossing = from !== to && to !== 'cli' && (stages as readonly string[]).includes(to) && !isTest(source.path)
  if (from === 'reports' && target === outcomeFunction) return null
  const door = new RegExp(`^${to}/(index|vitest)\\.ts$`)
  return crossing && !door.test(target) && !target.endsWith('.json')
    ? `${source.path} imports ${target}, not the door of ${to}/`
    : null
}

const everyImportFault = (fault: (source: Source, found: Import) => string | null): readonly string[] =>
  sources.flatMap((source) => importsOf(source).map((found) => fault(source, found))).filter((text) => text !== null)

test('the tree is not empty, so that these rules judge something', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.flatMap(importsOf).length).toBeGreaterThan(20)
})

test('folders import each other only along the data flow', () => {
  expect(everyImportFault(directionFault)).toEqual([])
})

test('a folder is entered through its door', () => {
  expect(everyImportFault(doorFault)).toEqual([])
})

test('the outcome function imports types only, so that it brings nothing of the judge along', () => {
  const leaf = sources.find(({ path }) => path === outcomeFunction)
  expect(leaf === undefined ? [] : importsOf(leaf).filter(({ typeOnly }) => !typeOnly)).toEqual([])
  expect(leaf).toBeDefined()
})

const mostLines = (path: string): number => {
  if (path.startsWith('mock-server/skins/')) return skinLinesMax
  return isTest(path) ? testLinesMax : sourceLinesMax
}

test('a file is short enough to be read at one sitting', () => {
  const tooLong = sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > mostLines(path))
    .map(({ path, lines }) => `${path} has ${lines} lines`)
  expect(tooLong).toEqual([])
})

test('names say what a thing is', () => {
  const bad = sources
    .map(({ path }) => path)
    .filter((path) =>
      path
        .split('/')
        .some((segment) => bannedNames.has(segment.replace(/(\.test)?\.ts$/, '')) || /[A-Z_]/.test(segment)),
    )
  expect(bad).toEqual([])
})

test('a file opens with what it is', () => {
  const silent = sources
    .filter(({ text }) => !text.replace(/^#!.*\n/, '').startsWith('/**'))
    .map(({ path }) => relative('.', path))
  expect(silent).toEqual([])
})

test('only the command line writes to the console or ends the process', () => {
  const talkative = sources
    .filter(({ path }) => !['cli', 'scripts', 'bench', 'test'].includes(folderOf(path)) && !isTest(path))
    .filter(({ text }) => /\bconsole\.|process\.exit\b/.test(text))
    .map(({ path }) => path)
  expect(talkative).toEqual([])
})

test('sockets live in the listener of the mock and the clients of the suite', () => {
  const sockets = sources
    .filter(({ path }) => (stages as readonly string[]).includes(folderOf(path)) && !isTest(path))
    .filter(({ text }) =>
      /from '(node:(net|tls|http|https|http2|dgram)|undici|cors)'/.test(text.replace(/import type[^\n]*/g, '')),
    )
    .map(({ path }) => path)
    .filter((path) => !/^(mock-server\/listen|conformance\/(client|watch)\/)/.test(path))
  expect(sockets).toEqual([])
})

test('who makes a temporary folder removes it', () => {
  const leaving = sources
    .filter(({ text }) => /\bmkdtemp(Sync)?\(/.test(text) && !/\brm(Sync)?\(/.test(text))
    .map(({ path }) => path)
  expect(leaving).toEqual([])
})

test('no path of a machine stands in the product', () => {
  const bound = sources
    .filter(({ path }) => (stages as readonly string[]).includes(folderOf(path)) && !isTest(path))
    .filter(({ text }) => /['"`]\/(tmp|home|root|work|Users|var)\//.test(text))
    .map(({ path }) => path)
  expect(bound).toEqual([])
})
