/** Builds XML elements with their children, and renders them indented. Text and attributes are escaped. */

/** An element under construction. */
export interface XmlElement {
  /** Adds a child and returns it. */
  ele(name: string, attributes?: Readonly<Record<string, string>>): XmlElement
  /** Sets the text of an element without children. */
  txt(text: string): XmlElement
  /** The element as XML, each line behind the indentation. */
  xml(indentation?: string): string
}

/** A new element without children. */
export function xmlElement(name: string, attributes: Readonly<Record<string, string>> = {}): XmlElement {
  const children: XmlElement[] = []
  let content = ''
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${quotable(value)}"`)].join(' ')
  const element: XmlElement = {
    ele: (child, its) => {
      const made = xmlElement(child, its)
      children.push(made)
      return made
    },
    txt: (text) => {
      content = escaped(text)
      return element
    },
    xml: (indentation = '') => {
      if (content !== '') return `${indentation}<${start}>${content}</${name}>`
      if (children.length === 0) return `${indentation}<${start}/>`
      return [
        `${indentation}<${start}>`,
        ...children.map((one) => one.xml(`${indentation}  `)),
        `${indentation}</${name}>`,
      ].join('\n')
    },
  }
  return element
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const escaped = (text: string): string => text.replace(/[&<>\r]/g, (one) => entities[one] ?? one)

/** Parsers turn white space of an attribute into blanks unless it is escaped. */
const quotable = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (one) => entities[one] ?? one)
