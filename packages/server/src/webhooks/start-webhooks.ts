import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { SecretBox } from '../platform/crypto/secret-box.ts'
import { rowScope, type Stores } from '../platform/scope.ts'
import type { EnvironmentFinder } from './delivery/attempt-recorder.ts'
import { type Dispatcher, startDispatcher } from './delivery/dispatcher.ts'
import { findTarget } from './endpoints/endpoint-secrets.ts'

export interface WebhooksOptions extends Stores {
  pool: pg.Pool
  registry: Registry
  secrets: SecretBox
  config: { webhooksAllowPrivate: boolean }
  findEnvironment: EnvironmentFinder
  /** Milliseconds; for tests. */
  timeoutMs?: number
  pollMs?: number
}

/** Dispatches events and delivers them in this process. */
export function startWebhooks({ config, ...options }: WebhooksOptions): Dispatcher {
  return startDispatcher({
    ...options,
    allowPrivate: config.webhooksAllowPrivate,
    findTarget: ({ environmentId, endpointId }) =>
      findTarget(rowScope(options.db, environmentId), options.secrets, endpointId),
  })
}
