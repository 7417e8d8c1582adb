/** The capability levels that the profile claims: granted, refused or not decided, each with the reason. */
import type { Verdict } from '../../conformance/index.ts'
import { isOpen, reasonText } from '../../conformance/judge/run-outcome.ts'
import { conformanceLevels } from '../../spec/index.ts'
import { levelsOf } from '../granted-levels.ts'
import type { Report } from '../report.ts'
import { visibleLine } from '../sanitize-text.ts'
import { failuresOf } from '../severity.ts'
import { html, type Markup } from './markup.ts'

interface LevelState {
  readonly state: 'granted' | 'refused' | 'undecided' | 'unclaimed'
  readonly words: string
}

/** One chip for each level, labelled as a level: chapters of rules have the same names. */
export function levelList(report: Report): Markup {
  const items = conformanceLevels.map((level) => {
    const { state, words } = levelState(level, report)
    return html`<li class="${state}"><b>${level}</b> <span>${words}</span></li>`
  })
  return html`<section class="levels" aria-label="Levels"><p title="A level is a set of operations; a chapter of rules may have the same name.">Levels</p><ul>${items}</ul></section>`
}

/** Whether a level was granted, and if not, why. */
export function levelState(level: string, report: Report): LevelState {
  const { run, verdicts } = report
  if (run.granted.includes(level)) return { state: 'granted', words: 'granted' }
  if (!run.claimed.includes(level)) return { state: 'unclaimed', words: 'not claimed' }
  if (run.source !== undefined) return { state: 'undecided', words: 'recorded traffic grants nothing' }
  if (run.only !== undefined) return { state: 'undecided', words: 'not decided: only some rules were judged' }
  const own = verdicts.filter((verdict) => levelsOf(verdict).includes(level))
  const open = own.filter(isOpen)
  const broken = own.filter(({ blocking }) => blocking)
  if (broken.length > 0) return { state: 'refused', words: `not granted: ${refusal(broken, report)}` }
  if (open.length > 0)
    return {
      state: 'undecided',
      words: `not decided: ${open.length} open (${visibleLine(reasonText(reasonOf(open)), 60)})`,
    }
  return { state: 'undecided', words: 'not decided: nothing was tested' }
}

/** How many of the failures concern a level. One may concern several, so their numbers add up to more than there are. */
function refusal(broken: readonly Verdict[], report: Report): string {
  const isFailing = failuresOf(report)
  const failing = broken.filter(isFailing).length
  const all = report.verdicts.filter(isFailing).length
  const parts = [
    failing === 0 ? '' : `${failing}${failing === all ? '' : ` of ${all}`} blocking`,
    failing === broken.length ? '' : `${broken.length - failing} excused`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** The reason that most of these have, without its details. */
function reasonOf(open: readonly Verdict[]): string {
  const counts = new Map<string, number>()
  for (const { reason = 'no reason given' } of open) {
    const [short = reason] = reason.split(':', 1)
    counts.set(short, (counts.get(short) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
}
