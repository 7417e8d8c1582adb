/** The page's script: everything it does starts here; the page is readable without it. */
import type { ExchangeRow } from '../page-data-shape.ts'
import { startCopyButtons } from './copy-buttons.ts'
import { readBlock } from './data-blocks.ts'
import { startDeepLinks } from './deep-links.ts'
import { startExchangeDrawer } from './exchange-drawer.ts'
import { startExchangeList } from './exchange-list.ts'
import { startPageKeys } from './page-keys.ts'
import { startRuleFilter } from './rule-filter.ts'
import { startTheme } from './theme.ts'
import { startTimeline } from './timeline.ts'

startTheme()
startRuleFilter()
startDeepLinks()
void readBlock<readonly ExchangeRow[]>('exchange-rows').then((read) => {
  const rows = read ?? []
  startExchangeList(rows)
  startTimeline(rows)
  startCopyButtons(async (name) => {
    const scripts = await readBlock<Readonly<Record<string, string>>>('scripts')
    return scripts?.[name] ?? ''
  })
  startPageKeys(startExchangeDrawer(rows))
})
