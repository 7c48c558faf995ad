import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { App } from '@salus/kernel/http/app-types'
import { rowScope, type Stores } from '@salus/kernel/scope'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { EnvironmentFinder } from './delivery/attempt-recorder.ts'
import { type Dispatcher, startDispatcher } from './delivery/dispatcher.ts'
import { findTarget } from './endpoints/endpoint-secrets.ts'
import { registerEndpointRoutes } from './endpoints/endpoints.routes.ts'
import { registerFeedRoutes } from './feed/feed.routes.ts'
import { registerMessageRoutes } from './messages/messages.routes.ts'
import type { WebhookRoutesOptions } from './webhook-routes-options.ts'

export {
  type EndpointFigures,
  listDeliveryMinutes,
  measureOutbox,
} from './delivery/delivery-figures.global.repository.ts'
export { registerOutboxMetrics } from './delivery/delivery-metrics.ts'
export type { Dispatcher } from './delivery/dispatcher.ts'
export { listAllEndpoints } from './endpoints/endpoints.repository.ts'
export { matchesFilter } from './endpoints/filter-types.ts'
export { measureEndpoints } from './history/all-attempts.ts'
export { countAttempts } from './history/count-attempts.ts'
export { countDataEvents } from './history/data-events.repository.ts'
export { listFailedMessages } from './messages/event-pages.ts'
export { createEventRemoval } from './messages/event-removal.repository.ts'
export { EventFilters, EventSummary } from './messages/messages.schema.ts'
export { listEvents } from './messages/messages.service.ts'
export { WEBHOOK_EVENTS } from './webhooks.events.ts'
export { webhookJobs } from './webhooks.jobs.ts'

/** Registers webhooks. The scope needs the hook of the management API. */
export function registerWebhookRoutes(app: App, options: WebhookRoutesOptions): void {
  registerEndpointRoutes(app, options)
  registerMessageRoutes(app, options)
  registerFeedRoutes(app, options)
}

interface WebhooksOptions extends Stores {
  pool: pg.Pool
  registry: Registry
  secrets: SecretBox
  config: { webhooksAllowPrivate: boolean }
  /** URL at which this process emulates receivers for sandboxes; undefined when it does not. */
  receiverUrl: () => string | undefined
  findEnvironment: EnvironmentFinder
  /** Milliseconds; for tests. */
  timeoutMs?: number
  pollMs?: number
}

/** URL that endpoints of sandboxes use for an emulated receiver; it does not resolve (RFC 6761). */
const PLAYED = 'https://receiver.salus.invalid'

/** Dispatches events and delivers them in this process. */
export function startWebhooks({ config, ...options }: WebhooksOptions): Dispatcher {
  const { db, secrets, findEnvironment, receiverUrl } = options
  return startDispatcher({
    ...options,
    allowPrivate: config.webhooksAllowPrivate,
    findTarget: async ({ environmentId, endpointId }) => {
      const target = await findTarget(rowScope(db, environmentId), secrets, endpointId)
      const own = target?.url.startsWith(`${PLAYED}/`) ? receiverUrl() : undefined
      if (target === undefined || own === undefined) return target
      const environment = await findEnvironment(environmentId)
      if (environment?.kind !== 'sandbox') return target
      // Uses the parsed path, because a path with .. would lead elsewhere on this machine.
      return { ...target, url: own + new URL(target.url).pathname, isPlayed: true }
    },
  })
}
export { resealEndpoints } from './endpoints/reseal-endpoints.global.repository.ts'
