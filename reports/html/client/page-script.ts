/** The page's script: everything it does starts here; the page is readable without it. */
import type { ExchangeRow } from '../page-data-shape.ts'
import { startCopyButtons } from './copy-buttons.ts'
import { startDeepLinks } from './deep-links.ts'
import { startExchangeDialog } from './exchange-dialog.ts'
import { startExchangeList } from './exchange-list.ts'
import { readBlock } from './page-elements.ts'
import { startRuleFilter } from './rule-filter.ts'
import { startTheme } from './theme.ts'
import { startTimeline } from './timeline.ts'

startTheme()
startCopyButtons()
startRuleFilter()
startDeepLinks()
const rows = readBlock<readonly ExchangeRow[]>('exchange-rows') ?? []
startExchangeList(rows)
startTimeline(rows)
startExchangeDialog(rows)
