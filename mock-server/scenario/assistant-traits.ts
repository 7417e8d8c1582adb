/** Says in words how requests to an assistant differ from the usual. The start page and the command line show it. */

/** One phrase for each trait, such as `does not stream` and `requires user_data.licence`. */
export function traitsOf(
  streaming: boolean,
  requiredByPath: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return [...(streaming ? [] : ['does not stream']), ...requiredPaths(requiredByPath).map((path) => `requires ${path}`)]
}

/** `user_data` and its `licence` are shown as one field: `user_data.licence`. */
function requiredPaths(byPath: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(byPath).flatMap(([path, fields]) =>
    path === '__root__'
      ? fields.filter((field) => !Object.hasOwn(byPath, field))
      : fields.map((field) => `${path}.${field}`),
  )
}
