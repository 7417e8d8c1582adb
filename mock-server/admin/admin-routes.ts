/** All paths of the admin API, in the order in which `GET /_acs` lists them. */
import type { AdminRoute } from './admin-route.ts'
import { clockRoutes } from './clock-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import { journalRoutes } from './journal-routes.ts'
import { liveRoutes } from './live-routes.ts'
import { scenarioRoutes } from './scenario-routes.ts'
import { worldRoutes } from './world-routes.ts'

export const adminRoutes: readonly AdminRoute[] = [
  ...worldRoutes,
  ...contentRoutes,
  ...clockRoutes,
  ...scenarioRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...liveRoutes,
]
