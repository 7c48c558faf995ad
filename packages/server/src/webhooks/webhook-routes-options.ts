import type { EventType } from '@salus/contracts/event-type'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Logger } from '@salus/kernel/log'
import type { Stores } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'

export interface WebhookRoutesOptions extends Stores {
  pool: pg.Pool
  log: Logger
  secrets: SecretBox
  config: { webhooksAllowHttp: boolean; webhooksAllowPrivate: boolean }
  catalog: readonly EventType[]
  /**
   * Checks again whether a request may continue.
   * @throws AppError 401 or 404 when it may not
   */
  reauthorize: (request: FastifyRequest) => Promise<void>
}

export const tags = ['Webhooks']

/** Returns every type that a filter may name. */
export function knownTypes({
  catalog,
}: Pick<WebhookRoutesOptions, 'catalog'>): ReadonlySet<string> {
  return new Set(catalog.map(({ name }) => name))
}
