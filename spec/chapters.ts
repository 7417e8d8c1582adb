/** Lists the chapters of the contract. Every folder of the kit uses the same names. */

export const chapters = [
  'http',
  'auth',
  'resources',
  'completions',
  'streams',
  'threads',
  'tools',
  'pagination',
  'assistants',
  'files',
  'tenancy',
  'errors',
] as const
export type Chapter = (typeof chapters)[number]

/** The chapter of a requirement or gap. */
export const chapterOf = (id: string): Chapter => id.slice(0, id.indexOf('.')) as Chapter
