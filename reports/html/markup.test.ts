/** HTML by template: what is put in stays text, in elements, in attributes and in data blocks. */
import { parse } from 'parse5'
import { expect, test } from 'vitest'
import { hostileStrings, hostileText } from '../../test/reports/hostile-text.ts'
import { visibleText } from '../sanitize-text.ts'
import { html, jsonBlock } from './markup.ts'

interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Node[]
}

const everyNode = (node: Node): readonly Node[] => [node, ...(node.childNodes ?? []).flatMap(everyNode)]
const parsed = (markup: string): readonly Node[] => everyNode(parse(`<!doctype html><body>${markup}`) as Node)

test('text and attributes come out as they went in, and nothing becomes an element', () => {
  for (const text of hostileStrings) {
    const nodes = parsed(html`<p title="${text}">${text}</p>`.markup)
    const paragraph = nodes.find(({ nodeName }) => nodeName === 'p')
    expect(paragraph?.attrs).toEqual([{ name: 'title', value: visibleText(text) }])
    expect(paragraph?.childNodes?.map(({ value }) => value)).toEqual([visibleText(text)])
    expect(nodes.map(({ nodeName }) => nodeName)).toEqual([
      '#document',
      '#documentType',
      'html',
      'head',
      'body',
      'p',
      '#text',
    ])
  }
})

test('markup is kept, lists are joined, null is nothing', () => {
  expect(html`<ul>${[1, 2].map((item) => html`<li>${item}</li>`)}${null}</ul>`.markup).toBe(
    '<ul><li>1</li><li>2</li></ul>',
  )
})

test('a data block holds the value and cannot be left from inside', () => {
  const value = { text: hostileText, '</script>': ['<!--'] }
  const [script, ...others] = parsed(jsonBlock('data', value).markup).filter(({ nodeName }) => nodeName === 'script')
  expect(others).toEqual([])
  expect(JSON.parse(script?.childNodes?.[0]?.value ?? '')).toEqual(value)
})
