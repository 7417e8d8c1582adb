/**
 * Lists the services that keep the contract: the mock's variants and the independent servers with their legal choices.
 * Nothing may be said against any of them.
 */
import { subjectOf } from '../../cli/prove/mutant.ts'
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import type { TargetProfile } from '../../conformance/index.ts'
import { createMock, loadVariants, type Variant } from '../../mock-server/index.ts'
import { legalServers, startFront } from '../servers/altered-servers/altered-servers.ts'
import { startAtrium } from '../servers/atrium/index.ts'
import { startBasalt } from '../servers/basalt/index.ts'
import { cedarLegalChoices } from '../servers/cedar/judge-cedar.ts'
import { hasPython, startCedar } from '../servers/cedar/start-cedar.ts'
import { juniperLegalChoices } from '../servers/juniper/judge-juniper.ts'
import { startJuniper } from '../servers/juniper/start-juniper.ts'
import type { SoundService } from './forms.ts'

interface StartedService extends SoundService {
  close(): Promise<void>
}

interface NamedService {
  readonly name: string
  readonly start: () => Promise<StartedService>
}

interface StartedServer {
  readonly profile: TargetProfile
  close(): Promise<void>
}

const overHttp = (
  name: string,
  start: () => Promise<StartedServer>,
  departsFrom: readonly string[] = [],
): NamedService => ({
  name,
  start: async () => {
    const server = await start()
    return { profile: server.profile, fetch, departsFrom, close: () => server.close() }
  },
})

const variant = ({ id, departsFrom = [] }: Variant): NamedService => ({
  name: id,
  start: async () => {
    const { overrides, profile } = await subjectOf('variant', id)
    const mock = await createMock({ deviations: overrides, seed: 1, clock: virtualClock })
    return {
      profile: trialProfile(profile),
      client: trialClient(mock),
      fetch: (request) => mock.fetch(request),
      departsFrom,
      close: () => mock.close(),
    }
  },
})

/** All variants of the mock, in this process and without waiting. */
export const variants: readonly NamedService[] = (await loadVariants()).map(variant)

const startBehind = { atrium: startAtrium, basalt: startBasalt } as const

const altered = legalServers.map(({ rule, behind, rewrite, departsFrom }) =>
  overHttp(
    `${behind}, ${rule}`,
    async () => {
      const server = await startBehind[behind]()
      const front = await startFront(server.profile.baseUrl, rewrite())
      return {
        profile: { ...server.profile, baseUrl: front.url },
        close: async () => {
          await front.close()
          await server.close()
        },
      }
    },
    departsFrom,
  ),
)

/** All test servers, each with its usual choices and with its other legal ones. */
export const servers: readonly NamedService[] = [
  overHttp('atrium', startAtrium),
  overHttp('basalt', startBasalt),
  ...[[], ...juniperLegalChoices].map((legal) => overHttp(`juniper ${legal}`, () => startJuniper({ legal }))),
  ...(hasPython ? [[], ...cedarLegalChoices] : []).map((legal) =>
    overHttp(`cedar ${legal}`, () => startCedar({ legal })),
  ),
  ...altered,
]
