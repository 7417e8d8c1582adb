/**
 * Globs over requirement ids: `*` stands for any characters, everything else for itself.
 */

/** Whether an id fits a glob. */
export function globMatcher(glob: string): (id: string) => boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  const expression = new RegExp(`^${pattern}$`)
  return (id) => expression.test(id)
}
