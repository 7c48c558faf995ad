import { createLogger } from '@salus/kernel/log'
import { systemClock } from '@salus/kernel/time/clock'
import { buildApp } from '../../packages/server/src/app.ts'
import type { ServicesOptions } from '../../packages/server/src/background-jobs.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createServices } from '../../packages/server/src/services.ts'

/** Address of a server with default settings. */
const SERVER = '127.0.0.1:8787'

/**
 * Returns the document that a server sends at /openapi.json, with default settings unless others
 * are given.
 */
export async function makeOpenApi(
  settings: Record<string, string> = {},
  host: string = SERVER,
): Promise<string> {
  const services = createServices({
    config: readConfig(settings),
    db: standIn('db'),
    pool: standIn('pool'),
    clickhouse: standIn('clickhouse'),
    files: standIn('files'),
    secrets: standIn('secrets'),
    // Requests are counted by the minute.
    clock: systemClock,
    log: createLogger('silent'),
  })
  const app = await buildApp({ ...services, isStopping: () => false })
  const response = await app.inject({ url: '/openapi.json', headers: { host } })
  await app.close()
  if (response.statusCode !== 200) throw new Error(`No OpenAPI document: ${response.body}`)
  return JSON.stringify(response.json(), null, 2)
}

/** Creating the services and registering routes must not use a store: a use fails and is named. */
function standIn<Name extends keyof ServicesOptions>(name: Name): ServicesOptions[Name] {
  const refuse = (): never => {
    throw new Error(`Building the application uses ${name} before there is a request.`)
  }
  return new Proxy({}, { get: refuse, has: refuse }) as ServicesOptions[Name]
}
