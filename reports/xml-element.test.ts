/** XML elements as an independent parser reads them. */
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { xmlElement } from './xml-element.ts'

test('attributes and texts come out of a parser as they went in', async () => {
  const hostile = `<a href="x">&amp;]]>'\t\r\n é 😀`
  const root = xmlElement('root', { hostile })
  root.ele('empty')
  root.ele('text').txt(hostile)
  const { valid, errors, normalized } = await validateXML({
    xml: { fileName: 'root.xml', contents: root.xml() },
    normalization: 'c14n',
    extension: 'relaxng',
    schema: `<grammar xmlns="http://relaxng.org/ns/structure/1.0"><start><element name="root"><attribute name="hostile"/>
      <element name="empty"><empty/></element><element name="text"><text/></element></element></start></grammar>`,
  })
  expect({ valid, errors }).toEqual({ valid: true, errors: [] })
  expect(normalized).toContain(`hostile="&lt;a href=&quot;x&quot;>&amp;amp;]]>'&#x9;&#xD;&#xA; é 😀"`)
  expect(normalized).toContain(`<text>&lt;a href="x"&gt;&amp;amp;]]&gt;'\t&#xD;\n é 😀</text>`)
})
