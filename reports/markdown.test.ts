/** Markdown as a renderer of GitHub's flavour makes it: what a target says stays text. */
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import { hostileStrings, hostileText } from '../test/reports/hostile-text.ts'
import { fewChapters, sampleReport, withFailures } from '../test/reports/sample-report.ts'
import { renderMarkdown } from './markdown.ts'
import { markdownBlock, markdownCell, markdownText } from './markdown-text.ts'

const hostile = renderMarkdown(fewChapters(sampleReport({ text: hostileText }), ['threads', 'errors']))

const linked = new Set(['pagination.cursor-continues', 'pagination.any-limit-same-list'])
const twoLinked = withFailures(linked)

const rendered = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })

const allowedTags = new Set([
  'h2',
  'h3',
  'p',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'code',
  'pre',
  'strong',
  'blockquote',
  'details',
  'summary',
  'ul',
  'ol',
  'li',
  'sub',
])

interface Parsed {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string }[]
  readonly childNodes?: readonly Parsed[]
}

const everyNode = (node: Parsed): readonly Parsed[] => [node, ...(node.childNodes ?? []).flatMap(everyNode)]
const textOf = (node: Parsed): string =>
  everyNode(node)
    .map(({ value = '' }) => value)
    .join('')
const nodesOf = (markdown: string) => everyNode(parseFragment(rendered(markdown)) as Parsed)

test('a target cannot add an element, a link, an image, a mention or a heading', () => {
  const nodes = nodesOf(hostile)
  const foreign = nodes
    .filter(({ nodeName }) => !nodeName.startsWith('#') && !allowedTags.has(nodeName))
    .map(({ nodeName }) => nodeName)
  expect(foreign).toEqual([])
  expect(
    nodes
      .flatMap(({ attrs = [] }) => attrs.map(({ name }) => name))
      .filter((name) => !['align', 'class'].includes(name)),
  ).toEqual([])
})

test('a target’s words stand in code type, where no forge finds mentions or links', () => {
  const outside = (node: Parsed): readonly Parsed[] =>
    ['code', 'pre'].includes(node.nodeName) ? [] : [node, ...(node.childNodes ?? []).flatMap(outside)]
  const fragment = parseFragment(rendered(hostile)) as Parsed
  const loose = outside(fragment)
    .map(({ value = '' }) => value)
    .join('')
  expect(loose).toContain('A run on a thread without any user message is rejected.')
  expect(loose).not.toMatch(/@everyone|#1|evil\.example/)
})

test('hostile strings neither add rows nor columns to a table', () => {
  const shape = (text: string) =>
    nodesOf(renderMarkdown(fewChapters(sampleReport({ text }), ['threads'])))
      .filter(({ nodeName }) => nodeName === 'tr' || nodeName === 'td')
      .map(({ nodeName }) => nodeName)
  expect(shape(hostileText)).toEqual(shape('plain'))
})

test('text survives as what a person would read', () => {
  for (const text of hostileStrings) {
    const fragment = parseFragment(rendered(`x ${markdownText(text)}`)) as Parsed
    expect(textOf(fragment).trim()).toBe(`x ${withoutCiCommands(visible(text))}`.trim())
  }
})

test('no cell starts like a formula and no block can be closed from inside', () => {
  expect(textOf(parseFragment(rendered(`| a |\n|---|\n| ${markdownCell('=1+1')} |`)) as Parsed)).toContain("'=1+1")
  const block = nodesOf(`${markdownBlock('a\n```\n# b\n`````', 'sh')}\n\nend`)
  expect(block.filter(({ nodeName }) => nodeName === 'pre')).toHaveLength(1)
  expect(block.some(({ nodeName }) => nodeName === 'h1')).toBe(false)
})

test('what to fix first comes before all failures, and what follows from it is folded', () => {
  const markdown = renderMarkdown(twoLinked)
  expect(markdown.indexOf('**Fix first**')).toBeLessThan(markdown.indexOf('### '))
  const nodes = nodesOf(markdown)
  const [first] = nodes.filter(({ nodeName }) => nodeName === 'ol')
  expect(first && textOf(first)).toMatch(/^\s*GET \/v1\/threads\/\{thread_id\}\/messages: /)
  expect(first && textOf(first)).toContain('pagination.cursor-continues: explains both failures')
  expect(first && textOf(first)).toContain(
    'Reproduce: acs replay acs-report/report.json --only pagination.cursor-continues',
  )
  expect(nodes.filter(({ nodeName }) => nodeName === 'summary').map(textOf)).toContain(
    'pagination.any-limit-same-list probably follows from pagination.cursor-continues',
  )
})

test('cards beyond the limit are named, not dropped', () => {
  const markdown = renderMarkdown(sampleReport(), { maxCards: 2 })
  expect(markdown.match(/^### /gm)).toHaveLength(2)
  expect(markdown).toMatch(/\d+ more failures: .*errors/)
})

const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uffff]/gu, (sign) =>
    JSON.stringify(sign) === `"${sign}"`
      ? escapeOf(sign)
      : JSON.stringify(sign).slice(1, -1).replace('\\b', '\\u0008').replace('\\f', '\\u000c'),
  )
const escapeOf = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

const withoutCiCommands = (text: string): string =>
  text.replace(/##(?=(?:vso)?\[)/gi, '#\\u0023').replace(/^([ \t]*):(?=:)/, '$1\\u003a')
