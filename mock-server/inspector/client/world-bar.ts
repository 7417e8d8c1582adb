/** The worlds of the mock: choose, fork or reset one, take a snapshot and restore it. */
import { goTo, placeNow } from './address.ts'
import type { Context } from './context.ts'
import { button, group, labelled, selection, setOptions } from './elements.ts'
import type { WorldView } from './wire.ts'
import { worldFileControls } from './world-file.ts'

interface WorldBar {
  readonly root: HTMLElement
  show(worlds: readonly WorldView[]): void
}

/** The bar; `changed` asks for the worlds again. */
export function createWorldBar(context: Context, changed: () => Promise<void>): WorldBar {
  const worlds = selection([])
  const snapshots = selection([])
  const restore = button('Restore', () => setBack(snapshots.value))
  const saved: (readonly [string, string])[] = []
  const remember = async (): Promise<string> => {
    const { snapshot } = await context.admin.post<{ readonly snapshot: string }>(context.path('/snapshots'))
    return snapshot
  }
  const setBack = async (snapshot: string) => {
    await context.admin.post(context.path('/restore'), { snapshot })
    await changed()
    context.tell(`${context.world()} is as it was at ${snapshot}.`)
  }
  const drawSnapshots = () => {
    setOptions(snapshots, saved, saved[0]?.[0])
    for (const part of [snapshots, restore]) part.hidden = saved.length === 0
  }
  worlds.addEventListener('change', () => goTo({ world: worlds.value }))
  const fork = button('Fork', async () => {
    const made = await context.admin.post<WorldView>(context.path('/fork'), {})
    await changed()
    const from = context.world()
    goTo({ world: made.name })
    context.tell(`${made.name} holds everything that ${from} held. Its requests go to /w/${made.name}/v1.`)
  })
  const snapshot = button('Snapshot', async () => {
    const id = await remember()
    saved.unshift([id, `${id} of ${context.world()}, ${new Date().toLocaleTimeString()}`])
    drawSnapshots()
    context.tell(`${id} remembers ${context.world()} as it is now.`)
  })
  const reset = button(
    'Reset',
    async () => {
      const id = await remember()
      await context.admin.post(context.path('/reset'))
      await changed()
      context.tell(`${context.world()} is empty: threads, files, quotas and journal are gone.`, {
        label: 'Undo',
        act: () => setBack(id),
      })
    },
    { class: 'danger', title: 'Empties threads, files, spent quotas and the journal' },
  )
  const files = worldFileControls(context, async (replace) => {
    const id = await remember()
    await replace()
    await changed()
    context.tell(`${context.world()} holds what the file held.`, { label: 'Undo', act: () => setBack(id) })
  })
  drawSnapshots()
  snapshots.setAttribute('aria-label', 'Snapshot to restore')
  return {
    root: group('World', 'bar', labelled('World', worlds), fork, snapshot, snapshots, restore, ...files, reset),
    show(all) {
      const texts = all.map(
        ({ name, threads, exchanges }) => [name, `${name} · ${threads} threads · ${exchanges} exchanges`] as const,
      )
      setOptions(worlds, texts, placeNow().world)
    },
  }
}
