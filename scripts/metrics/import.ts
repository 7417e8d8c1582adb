/** One import of another file of the repository. */

/** `load`: the target runs first; `types`: erased; `lazy`: `import()` of a module, which runs when it is called. */
export type ImportKind = 'load' | 'types' | 'lazy'

export interface Import {
  /** Path of the imported file from the root of the repository. */
  readonly target: string
  readonly kind: ImportKind
  /** Imported names; `all` if the whole module is taken; `mentioned`: those that the text of the file mentions. */
  readonly names: readonly string[] | 'all' | 'mentioned'
}
