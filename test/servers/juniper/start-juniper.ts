/** Starts juniper in this process on a free port; its profile is acs.target.yaml with that port. */
import { join } from 'node:path'
import { loadProfile, type TargetProfile } from '../../../conformance/index.ts'
import { buildApp } from './app.ts'

/** How to start juniper. */
export interface JuniperOptions {
  /** The fault to switch on; none when left out. */
  readonly fault?: string
  /** The legal choices to take instead of the usual ones. */
  readonly legal?: readonly string[]
}

/** A running juniper. */
interface Juniper {
  readonly url: string
  readonly profile: TargetProfile
  close(): Promise<void>
}

/** Starts the server and tells how to reach it. */
export async function startJuniper(options: JuniperOptions = {}): Promise<Juniper> {
  const app = buildApp(options)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const profile = await loadProfile(join(import.meta.dirname, 'acs.target.yaml'))
  return {
    url,
    profile: { ...profile, baseUrl: url },
    async close() {
      await app.close()
    },
  }
}
