import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { SecretBox } from '../platform/crypto/secret-box.ts'
import type { EventType } from '../platform/events/event-type.ts'
import type { EventScope } from '../platform/events/events.ts'
import type { Logger } from '../platform/log.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { Clock } from '../platform/time/clock.ts'

/** An environment of a team as a path names it. */
export interface Place {
  org_id: string
  team_id: string
  env: 'sandbox' | 'production'
}

export interface WebhookRoutesOptions {
  db: Db
  pool: pg.Pool
  clock: Clock
  log: Logger
  secrets: SecretBox
  config: { webhooksAllowHttp: boolean; webhooksAllowPrivate: boolean }
  catalog: readonly EventType[]
  /** Types that filters take though nothing raises them yet. */
  reservedTypes: readonly string[]
  /**
   * The environment that the caller's management key may use.
   * @throws AppError 404 for any other
   */
  findPlace: (request: FastifyRequest, place: Place) => Promise<EventScope>
  /**
   * Reads the caller's management key anew.
   * @throws AppError 401 when it is gone
   */
  authenticate: (request: FastifyRequest) => Promise<void>
}

export const tags = ['Webhooks']
export const BASE = '/v1/org/:org_id/team/:team_id/:env'

/** Every type that a filter may name. */
export function knownTypes({
  catalog,
  reservedTypes,
}: Pick<WebhookRoutesOptions, 'catalog' | 'reservedTypes'>): ReadonlySet<string> {
  return new Set([...catalog.map(({ name }) => name), ...reservedTypes])
}
