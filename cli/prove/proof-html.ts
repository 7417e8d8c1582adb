/**
 * Renders the proof as one page: the matrix of requirements with their proof cards. After it come all deviations and
 * variants with an unexpected result.
 */
import { html, type Markup, page } from '../../reports/index.ts'
import { chapterOf, chapters, requirementOf } from '../../spec/index.ts'
import type { DeviationResult, Proof, ProofCard, VariantResult } from './proof.ts'
import { figuresOf, wrongsOf } from './proof-figures.ts'

/** The self-contained page. */
export const renderProofHtml = (proof: Proof): string =>
  page(
    'Proof of the ACS conformance suite',
    html`<header class="head"><div class="bar"><p class="brand">Proof of the ACS conformance suite</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div><h1>${proof.deviations.length} deviations, ${proof.variants.length} variants</h1>
<p>Tier ${proof.tier}, seed ${proof.seed}, suite ${proof.suiteVersion}, ${proof.startedAt.slice(0, 10)}</p></header>
<main id="content" class="compared" tabindex="-1">${[figureSection(proof), wrongSection(proof), ...cardSections(proof), variantSection(proof.variants)]}</main>`,
  )

const figureSection = (proof: Proof): Markup => {
  const figures = figuresOf(proof)
  const { deviations, variants, cardsIncomplete, requestsToKill, modelCallsToKill } = figures
  const rows: readonly (readonly [string, string | number])[] = [
    ['killed for the right reason', deviations.killed],
    ['killed by another requirement', deviations['killed-by-another']],
    ['survived', deviations.survived],
    ['silent variants', variants.silent],
    ['alarmed variants', variants.alarmed],
    ['undecided variants', variants.undecided],
    ...(proof.whole ? [['requirements without a complete card', cardsIncomplete] as const] : []),
    ...(proof.whole && proof.tier === 'gate'
      ? [['obligations without a deviation that is killed only there', figures.obligationsUnproven] as const]
      : []),
    ['requests to the kill, median', requestsToKill.median],
    ['model calls to the kill, median', modelCallsToKill.median],
  ]
  return html`<section><h2>Figures</h2><div class="scroll" tabindex="0" role="region" aria-label="Figures"><table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div></section>`
}

const wrongSection = (proof: Proof): Markup | null => {
  const wrongs = wrongsOf(proof)
  if (wrongs.length === 0) return null
  return html`<section id="wrong"><h2>What is wrong <small>${wrongs.length}</small></h2><ul>${wrongs.map((wrong) => html`<li>${wrong}</li>`)}</ul></section>`
}

const cardSections = ({ cards, deviations }: Proof): readonly Markup[] => {
  const tested = new Set(deviations.map(({ requirement }) => requirement))
  return chapters.flatMap((chapter) => {
    const own = cards.filter(({ requirement }) => chapterOf(requirement) === chapter && tested.has(requirement))
    return own.length === 0 ? [] : [chapterSection(chapter, own, deviations)]
  })
}

const chapterSection = (
  chapter: string,
  cards: readonly ProofCard[],
  deviations: readonly DeviationResult[],
): Markup => {
  const rows = cards.map((card) =>
    cardRow(
      card,
      deviations.filter(({ requirement }) => requirement === card.requirement),
    ),
  )
  return html`<section id="chapter-${chapter}"><h2>${chapter}</h2><div class="scroll" tabindex="0" role="region" aria-label="Proof cards of ${chapter}"><table><thead><tr><th scope="col">requirement</th><th scope="col">deviations</th><th scope="col">silent variants</th><th scope="col">requests to the first kill</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}

const cardRow = (
  { requirement, killed, silentVariants, alarmedVariants }: ProofCard,
  own: readonly DeviationResult[],
): Markup => {
  const requests = own.flatMap(({ kill }) => (kill === null ? [] : [kill.requests]))
  const first = requests.length === 0 ? '' : Math.min(...requests)
  const alarmed =
    alarmedVariants.length === 0 ? null : html` <span class="tag warn">alarmed ${alarmedVariants.join(', ')}</span>`
  return html`<tr id="${requirement}"><th scope="row"><code>${requirement}</code><small>${requirementOf(requirement)?.rule ?? ''}</small></th><td><details><summary>${killed.length} of ${own.length} killed</summary><ul>${own.map(deviationItem)}</ul></details></td><td>${silentVariants}${alarmed}</td><td>${first}</td></tr>`
}

const statusSigns = {
  killed: ['upheld', '✓'],
  'killed-by-another': ['inconclusive', '~'],
  survived: ['violated', '×'],
  silent: ['upheld', '✓'],
  undecided: ['inconclusive', '~'],
  alarmed: ['violated', '×'],
} as const satisfies Readonly<Record<DeviationResult['status'] | VariantResult['status'], readonly [string, string]>>

const statusMark = (status: keyof typeof statusSigns): Markup => {
  const [look, sign] = statusSigns[status]
  return html`<span class="outcome ${look}">${sign} ${status}</span>`
}

const deviationItem = ({ id, description, trigger, status, kill, collateral }: DeviationResult): Markup => {
  const price = kill === null ? '' : ` at request ${kill.requests}, model call ${kill.modelCalls}`
  const others = collateral.map((breach) => breach.requirement).join(', ')
  return html`<li>${statusMark(status)}${price} <code>${id}</code> ${description}${trigger === undefined ? '' : ` Trigger: ${trigger}`}${others === '' ? '' : ` Also: ${others}.`}</li>`
}

const variantSection = (variants: readonly VariantResult[]): Markup | null => {
  if (variants.length === 0) return null
  const rows = variants.map(
    ({ id, description, status, outcome, strictOutcome, breaches }) =>
      html`<tr id="${id}"><th scope="row"><code>${id}</code><small>${description}</small></th><td>${statusMark(status)}</td><td>${outcome}</td><td>${strictOutcome}</td><td>${breaches.map(({ requirement }) => requirement).join(', ')}</td></tr>`,
  )
  return html`<section id="variants"><h2>Variants <small>${variants.length}</small></h2><div class="scroll" tabindex="0" role="region" aria-label="Variants"><table><thead><tr><th scope="col">variant</th><th scope="col">status</th><th scope="col">run</th><th scope="col">strict run</th><th scope="col">violated</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}
