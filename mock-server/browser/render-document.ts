/** Renders a document in a browser, always as JSON, which is YAML as well. A YAML library would be a quarter of the bundle. */

/** The text of a document, the same for both formats. */
export const renderDocument = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
