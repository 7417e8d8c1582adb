/** HTML by template: what is put in stays text, in elements, in attributes and in blocks of preformatted text. */
import { parse } from 'parse5'
import { expect, test } from 'vitest'
import { hostileStrings } from '../../test/reports/hostile-text.ts'
import { visibleText } from '../sanitize-text.ts'
import { html, preformatted } from './markup.ts'

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

test('preformatted text comes out as it went in, and nothing becomes an element', () => {
  for (const text of hostileStrings) {
    const nodes = parsed(html`<pre>${preformatted(text)}</pre>`.markup)
    const block = nodes.find(({ nodeName }) => nodeName === 'pre')
    expect(block?.childNodes?.map(({ value }) => value)).toEqual([visibleText(text)])
    expect(nodes.filter(({ nodeName }) => nodeName.startsWith('#') === false)).toHaveLength(4)
  }
})

test('markup is kept, lists are joined, null is nothing', () => {
  expect(html`<ul>${[1, 2].map((item) => html`<li>${item}</li>`)}${null}</ul>`.markup).toBe(
    '<ul><li>1</li><li>2</li></ul>',
  )
})
