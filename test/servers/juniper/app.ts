/** Puts the service together: database, hooks, routes and the shape of errors. */
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { admit } from './access.ts'
import { assistantRoutes } from './assistants.ts'
import { startClock } from './clock.ts'
import { completionRoutes } from './completions.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { ApiError, fieldError, sendError } from './errors.ts'
import { fileRoutes, uploadRoutes } from './files.ts'
import { runRoutes } from './runs.ts'
import { seedDatabase } from './seed.ts'
import { emptyMemory, type Quota, type Service } from './service.ts'
import { tenantRoutes } from './tenants.ts'
import { threadRoutes } from './threads.ts'

/** What a service is started with. */
export interface AppOptions {
  readonly fault?: string
  readonly legal?: readonly string[]
  readonly quota?: Quota
}

/** A service that listens to nothing yet. */
export function buildApp({ fault = '', legal = [], quota }: AppOptions = {}): FastifyInstance {
  const store: OpenDatabase = openDatabase()
  const now = startClock()
  seedDatabase(store.database, now())
  const service: Service = {
    database: store.database,
    now,
    fault,
    legal: new Set(legal),
    signingKey: randomUUID(),
    throttledQuota: quota ?? { requests: 12, windowMs: 10_000 },
    memory: emptyMemory(),
  }
  const app = fastify({ bodyLimit: 8 * 1024 * 1024, forceCloseConnections: true })
  app.addHook('onClose', async () => store.close())
  app.setErrorHandler((error, _, reply) => answerError(service, error, reply))
  app.setNotFoundHandler((_, reply) => sendError(service, reply, new ApiError('resource_not_found')))
  app.register(async (scope) => {
    scope.decorateRequest('tenant')
    scope.addHook('onRequest', (request) => admit(service, request))
    for (const routes of [assistantRoutes, tenantRoutes, completionRoutes, threadRoutes, runRoutes, fileRoutes]) {
      routes(scope, service)
    }
  })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    uploadRoutes(scope, service)
  })
  return app
}

function answerError(service: Service, error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) return sendError(service, reply, error)
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return sendError(service, reply, new ApiError('file_too_large'))
  if (status < 500) return sendError(service, reply, fieldError(['body'], 'json_invalid', 'Input should be JSON'))
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return sendError(service, reply, new ApiError('internal_service_error'))
}
