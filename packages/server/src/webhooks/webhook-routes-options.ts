import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { SecretBox } from '../platform/crypto/secret-box.ts'
import type { EventType } from '../platform/events/event-type.ts'
import type { Logger } from '../platform/log.ts'
import type { Stores } from '../platform/scope.ts'

export interface WebhookRoutesOptions extends Stores {
  pool: pg.Pool
  log: Logger
  secrets: SecretBox
  config: { webhooksAllowHttp: boolean; webhooksAllowPrivate: boolean }
  catalog: readonly EventType[]
  /**
   * Asks once more whether a request may still go on.
   * @throws AppError 401 or 404 when it may not
   */
  reauthorize: (request: FastifyRequest) => Promise<void>
}

export const tags = ['Webhooks']

/** Every type that a filter may name. */
export function knownTypes({
  catalog,
}: Pick<WebhookRoutesOptions, 'catalog'>): ReadonlySet<string> {
  return new Set(catalog.map(({ name }) => name))
}
