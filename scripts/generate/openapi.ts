import { type AppDependencies, buildApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createMetrics } from '../../packages/server/src/platform/http/metrics.ts'
import { createLogger } from '../../packages/server/src/platform/log.ts'

/** Where a server with default settings listens. */
const SERVER = '127.0.0.1:8787'

/**
 * docs/openapi.json: the document that a server gives at /openapi.json, with default settings unless
 * others are given.
 */
export async function makeOpenApi(
  settings: Record<string, string> = {},
  host: string = SERVER,
): Promise<string> {
  const app = await buildApp({
    config: readConfig(settings),
    db: standIn('db'),
    pool: standIn('pool'),
    clickhouse: standIn('clickhouse'),
    writer: standIn('writer'),
    summaryWriter: standIn('summaryWriter'),
    files: standIn('files'),
    secrets: standIn('secrets'),
    gateways: standIn('gateways'),
    clock: standIn('clock'),
    log: createLogger('silent'),
    registry: createMetrics(),
    readinessChecks: [],
    isStopping: () => false,
  })
  const response = await app.inject({ url: '/openapi.json', headers: { host } })
  await app.close()
  if (response.statusCode !== 200) throw new Error(`No OpenAPI document: ${response.body}`)
  return JSON.stringify(response.json(), null, 2)
}

/** Registering routes uses no store, and must not begin to: a use fails and says which. */
function standIn<Name extends keyof AppDependencies>(name: Name): AppDependencies[Name] {
  const refuse = (): never => {
    throw new Error(`Building the application uses ${name} before there is a request.`)
  }
  return new Proxy({}, { get: refuse, has: refuse }) as AppDependencies[Name]
}
