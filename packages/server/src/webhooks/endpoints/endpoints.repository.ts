import type { RowScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { WebhookEndpointsTable } from '../webhooks.tables.ts'

export type EndpointRow = Selectable<WebhookEndpointsTable>

export function insertEndpoint(
  { db, environment }: RowScope,
  endpoint: Omit<Insertable<WebhookEndpointsTable>, 'environment_id'>,
): Promise<EndpointRow> {
  return db
    .insertInto('webhook_endpoints')
    .values({ ...endpoint, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns endpoints, the oldest first, from a position on. */
export function listEndpoints(
  { db, environment }: RowScope,
  after: { createdAt: string; id: string } | null,
  limit: number,
): Promise<(EndpointRow & { position: string })[]> {
  let query = db
    .selectFrom('webhook_endpoints')
    .selectAll()
    // Has microseconds, which a Date would cut off.
    .select(sql<string>`created_at::text`.as('position'))
    .where('environment_id', '=', environment.id)
    .where('deleted_at', 'is', null)
  if (after !== null) {
    query = query.where(
      sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query.orderBy('created_at').orderBy('id').limit(limit).execute()
}

/** Returns all endpoints that were not removed, the oldest first. */
export function listAllEndpoints({ db, environment }: RowScope): Promise<EndpointRow[]> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns an endpoint, also a disabled one, but not a deleted one. */
export function findEndpoint(
  { db, environment }: RowScope,
  endpointId: string,
): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns an endpoint as findEndpoint does, locked until the transaction ends. */
export function lockEndpoint(
  { db, environment }: RowScope,
  endpointId: string,
): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Changes an endpoint and returns its new row; undefined when there is none or it was deleted. */
export function updateEndpoint(
  { db, environment }: RowScope,
  endpointId: string,
  change: Updateable<WebhookEndpointsTable>,
): Promise<EndpointRow | undefined> {
  return db
    .updateTable('webhook_endpoints')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
