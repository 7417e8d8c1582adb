/** The inspector's script: builds the page, follows the events, and shows the view that the address names. */
import { hrefOf, placeNow } from './address.ts'
import { createAdminClient, worldPath } from './admin-client.ts'
import { createApiView } from './api-view.ts'
import { createChatView } from './chat-view.ts'
import { createClockBar } from './clock-bar.ts'
import type { Context, View } from './context.ts'
import { attempt, element, fill, inNextFrame, onFailure } from './elements.ts'
import { followEvents } from './event-loop.ts'
import { createExchangeStore } from './exchange-store.ts'
import { createExchangesView } from './exchanges-view.ts'
import { createFaultsView } from './faults-view.ts'
import { createMessageLine } from './message-line.ts'
import { createScenarioView } from './scenario-view.ts'
import { themeButton } from './theme.ts'
import { createThreadsView } from './threads-view.ts'
import { askToken } from './token-dialog.ts'
import type { EntryView, LiveEvent, ScenarioView, WorldView } from './wire.ts'
import { createWorldBar } from './world-bar.ts'

const message = createMessageLine()
onFailure(message.tell)
const admin = createAdminClient(askToken)
const exchanges = createExchangeStore()
let scenario: Promise<ScenarioView> | null = null
const loaded = new Set<string>()

const context: Context = {
  admin,
  exchanges,
  world: () => placeNow().world,
  path: (rest) => worldPath(placeNow().world, rest),
  scenario() {
    scenario ??= admin.get<ScenarioView>('/scenario').catch((cause) => {
      scenario = null
      throw cause
    })
    return scenario
  },
  tell: message.tell,
}

const views: Readonly<Record<string, { readonly title: string; readonly view: View }>> = {
  exchanges: { title: 'Exchanges', view: createExchangesView(context) },
  threads: { title: 'Threads', view: createThreadsView(context) },
  chat: { title: 'Chat', view: createChatView(context) },
  faults: { title: 'Faults', view: createFaultsView(context) },
  scenario: { title: 'Scenario', view: createScenarioView(context) },
  api: { title: 'API', view: createApiView(context) },
}

const readWorlds = async () => {
  const worlds = await admin.get<readonly WorldView[]>('/worlds')
  worldBar.show(worlds)
  const own = worlds.find(({ name }) => name === context.world())
  if (own === undefined) message.tell(`There is no world "${context.world()}" any more.`)
  else clockBar.show(own.clock)
}
const worldBar = createWorldBar(context, readWorlds)
const clockBar = createClockBar(context)
const main = element('main', { id: 'content', tabindex: '-1' })
const tabs = element('nav', { class: 'tabs', 'aria-label': 'Views' })
const connection = element('span', { class: 'connection', role: 'status' })

const current = () => views[placeNow().view] ?? views.exchanges

const show = async () => {
  const { view: name, world, item } = placeNow()
  const links = Object.entries(views).map(([key, { title }]) =>
    element('a', { href: hrefOf({ view: key }), ...(key === name ? { 'aria-current': 'page' } : null) }, title),
  )
  fill(tabs, links)
  const shown = current()
  if (shown === undefined) return
  if (shown.view.root.parentElement !== main) fill(main, shown.view.root)
  if (!loaded.has(world)) {
    loaded.add(world)
    exchanges.load(world, await admin.get<readonly EntryView[]>(context.path('/journal')))
  }
  await shown.view.show(item)
}

let worldsStale = false
/** A list that changes more often is unreadable, and each redraw costs the browser a frame on a busy machine. */
const drawingRestMs = 100
const frame = inNextFrame(() => attempt(() => current()?.view.frame?.()), drawingRestMs)
const take = (events: readonly LiveEvent[]) => {
  for (const event of events) {
    exchanges.take(event)
    if (event.event === 'world' && event.change === 'reset') exchanges.forget(event.world)
    if (event.event === 'scenario') scenario = null
    if (event.event === 'missed') tellMissed(event.count)
  }
  worldsStale = true
  frame()
}

/** Events never delay a client, so events that a slow page does not read in time are dropped; the journal has them. */
function tellMissed(count: number): void {
  const act = async () => {
    loaded.clear()
    await show()
  }
  message.tell(`${count} events came too fast to be shown.`, { label: 'Read the journal', act })
}

document.body.append(
  element('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
  element(
    'header',
    { class: 'top' },
    element('h1', {}, 'ACS mock'),
    connection,
    worldBar.root,
    clockBar.root,
    themeButton(),
  ),
  tabs,
  message.root,
  main,
)
addEventListener('hashchange', () =>
  attempt(async () => {
    await readWorlds()
    await show()
  }),
)
setInterval(() => {
  if (!worldsStale) return
  worldsStale = false
  void attempt(async () => {
    await readWorlds()
    await current()?.view.update?.()
  })
}, 500)
void attempt(async () => {
  await readWorlds()
  await show()
  await followEvents(admin, take, (is) => {
    connection.textContent = is ? 'live' : 'not connected'
    connection.classList.toggle('off', !is)
    if (!is) return
    // Earlier exchanges are in the journals.
    loaded.clear()
    void attempt(show)
  })
})
