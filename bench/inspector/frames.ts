/**
 * Measures the frames that a browser draws while 1,000 exchanges a second arrive in the inspector, beside an empty page.
 * The browser, the mock and its clients share the machine, so what the empty page drops, the machine drops.
 */
import type { Browser, Page } from 'playwright-core'
import { createMock } from '../../mock-server/index.ts'
import { chromiumIfAny } from '../../test/support/chromium.ts'
import { type Bar, bar, type Fact, fact, missingBar } from '../bar.ts'
import { type Chapter, interleaved } from '../plan.ts'
import { busyScenario, type Mixture, mixtureOf, sendSteadily } from './busy-mock.ts'

const perSecond = 1000
/** The page is full, and its code compiled, when its frames are counted. */
const warmUpMs = 2500

/** What is looked at while the exchanges arrive. */
const situations: Readonly<Record<string, (page: Page, mixture: Mixture) => Promise<unknown>>> = {
  'at the end of the list': async () => {},
  'with a filter': (page) => page.getByPlaceholder('path, reason, fault …').fill('thread not'),
  'scrolled up': (page) => page.evaluate('document.querySelector(".rows").scrollTop = 9000'),
  'with a stream of 200 chunks a second open': async (page, { longStream }) => {
    // The mock is closed before it ends.
    longStream().catch(() => {})
    await page.locator('.rows a.running').last().click()
  },
}

interface Drawn {
  readonly framesPerSecond: number
  /** Gaps of more than one and a half frames at 60 a second. */
  readonly longGaps: number
  /** Tasks over 50 ms, as the browser counts them. */
  readonly longTasks: number
  readonly sentPerSecond: number
}

type Counted = Omit<Drawn, 'sentPerSecond'>

/** `stopCounting()` gives what was counted since. */
const startCounting = `(() => {
  let [frames, longGaps, longTasks] = [0, 0, 0]
  const startedMs = performance.now()
  let lastMs = startedMs
  let next = requestAnimationFrame(function count() {
    frames += 1
    const nowMs = performance.now()
    if (nowMs - lastMs > 25) longGaps += 1
    lastMs = nowMs
    next = requestAnimationFrame(count)
  })
  const observer = new PerformanceObserver((list) => (longTasks += list.getEntries().length))
  observer.observe({ type: 'longtask' })
  window.stopCounting = () => {
    cancelAnimationFrame(next)
    longTasks += observer.takeRecords().length
    observer.disconnect()
    return { framesPerSecond: (frames * 1000) / (performance.now() - startedMs), longGaps, longTasks }
  }
})()`

const counted = async (page: Page, mixture: Mixture, windowMs: number): Promise<Drawn> => {
  await page.evaluate(startCounting)
  const sentPerSecond = await sendSteadily(mixture, perSecond, windowMs)
  return { ...(await page.evaluate<Counted>('stopCounting()')), sentPerSecond }
}

/** What a new page draws, which is closed then. */
const inNewPage = async (browser: Browser, draw: (page: Page) => Promise<Drawn>): Promise<Drawn> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  try {
    return await draw(page)
  } finally {
    await page.close()
  }
}

/** Frames a second of the inspector. */
export const framesChapter: Chapter = {
  name: 'frames',
  async measure({ rounds, windowMs }) {
    const browser = await chromiumIfAny()
    if (browser === null) return { bars: missing('no Chromium starts here'), facts: [] }
    await using stack = new AsyncDisposableStack()
    stack.defer(() => browser.close())
    const scenario = busyScenario(Math.ceil(windowMs / 1000) + 2)
    const mock = stack.use(await createMock({ scenario }))
    const { url } = await mock.listen()
    const mixture = await mixtureOf(mock)
    const looks = Object.entries(situations).map(([name, look]) => {
      const draw = async (page: Page): Promise<Drawn> => {
        await page.goto(`${url}/_acs/ui`)
        await page.getByText('live').waitFor()
        await sendSteadily(mixture, perSecond, warmUpMs)
        await look(page, mixture)
        return counted(page, mixture, windowMs)
      }
      return [name, () => inNewPage(browser, draw)] as const
    })
    const empty = () => inNewPage(browser, (page) => counted(page, mixture, windowMs))
    return findingsOf(await interleaved(rounds, { empty, ...Object.fromEntries(looks) }))
  },
}

const goal = { atLeast: 0.98 }
const label = (name: string) => ({ name: `inspector ${name}, frames a second`, unit: '× empty page' })
const missing = (reason: string): readonly Bar[] =>
  Object.keys(situations).map((name) => missingBar(label(name), goal, reason))

type Round = Readonly<Record<string, Drawn>>

function findingsOf(samples: readonly Round[]): { bars: readonly Bar[]; facts: readonly Fact[] } {
  const all = (name: string, figure: keyof Drawn) => samples.map((round) => round[name]?.[figure] ?? 0)
  const frames = (name: string) => all(name, 'framesPerSecond')
  const ofEmpty = frames('empty')
  const names = Object.keys(situations)
  return {
    bars: names.map((name) =>
      bar(
        label(name),
        goal,
        frames(name).map((own, round) => own / (ofEmpty[round] ?? 0)),
      ),
    ),
    facts: [
      fact({ name: 'empty page, frames', unit: '/s' }, ofEmpty),
      fact({ name: 'empty page, gaps over 25 ms', unit: 'gaps' }, all('empty', 'longGaps')),
      ...names.flatMap((name) => [
        fact({ name: `inspector ${name}, frames`, unit: '/s' }, frames(name)),
        fact({ name: `inspector ${name}, gaps over 25 ms`, unit: 'gaps' }, all(name, 'longGaps')),
        fact({ name: `inspector ${name}, tasks over 50 ms`, unit: 'tasks' }, all(name, 'longTasks')),
        fact({ name: `inspector ${name}, exchanges`, unit: '/s' }, all(name, 'sentPerSecond')),
      ]),
    ],
  }
}
