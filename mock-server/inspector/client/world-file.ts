/** Saves a world as a file, and replaces it by such a file. */
import type { Context } from './context.ts'
import { attempt, button, element } from './elements.ts'

/** The controls; `importing` gets the data that replaces the chosen world. */
export function worldFileControls(
  { admin, path, world }: Context,
  importing: (replace: () => Promise<unknown>) => Promise<void>,
): readonly HTMLElement[] {
  const save = button('Export', async () => {
    const state = await admin.get<object>(path('/state'))
    const href = URL.createObjectURL(new Blob([`${JSON.stringify(state, null, 2)}\n`], { type: 'application/json' }))
    element('a', { href, download: `${world()}.json` }).click()
    URL.revokeObjectURL(href)
  })
  const chosen = element('input', { type: 'file', accept: '.json,application/json', hidden: '' })
  chosen.addEventListener('change', () =>
    attempt(async () => {
      const text = await chosen.files?.[0]?.text()
      chosen.value = ''
      if (text !== undefined) await importing(() => admin.post(path('/state'), JSON.parse(text) as object))
    }),
  )
  return [save, button('Import', () => chosen.click(), { title: 'Replaces this world by an exported one' }), chosen]
}
