import type { App } from '../platform/http/app-types.ts'
import { registerEndpointRoutes } from './endpoints/endpoints.routes.ts'
import { registerFeedRoutes } from './feed/feed.routes.ts'
import { registerMessageRoutes } from './messages/messages.routes.ts'
import type { WebhookRoutesOptions } from './webhook-routes-options.ts'

export type { Dispatcher } from './delivery/dispatcher.ts'
export { eraseEvents } from './messages/resend.repository.ts'
export { startWebhooks } from './start-webhooks.ts'
export { WEBHOOK_EVENTS } from './webhooks.events.ts'
export { webhookJobs } from './webhooks.jobs.ts'

/** The scope needs the hook of the management API. */
export function registerWebhookRoutes(app: App, options: WebhookRoutesOptions): void {
  registerEndpointRoutes(app, options)
  registerMessageRoutes(app, options)
  registerFeedRoutes(app, options)
}
