import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'
import type { OrderFilters } from './saved-views.schema.ts'

interface SavedViewsTable {
  environment_id: string
  id: string
  name: string
  filters: ColumnType<OrderFilters, string, string>
  created_at: Date
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    saved_views: SavedViewsTable
  }
}

export type SavedViewRow = Selectable<SavedViewsTable>

/** Returns all views of the environment, by name. */
export function listViews({ db, environment }: Scope): Promise<SavedViewRow[]> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .orderBy('name')
    .execute()
}

/** Returns the same as listViews, and makes other additions and renames in the environment wait. */
export async function lockViews(tx: TransactionScope): Promise<SavedViewRow[]> {
  // Rows that only reference the environment do not wait.
  await tx.db
    .selectFrom('team_environments')
    .select('id')
    .where('id', '=', tx.environment.id)
    .forNoKeyUpdate()
    .execute()
  return listViews(tx)
}

export function insertView(
  { db, environment }: Scope,
  { id, name, filters, at }: { id: string; name: string; filters: OrderFilters; at: Date },
): Promise<SavedViewRow> {
  return db
    .insertInto('saved_views')
    .values({
      environment_id: environment.id,
      id,
      name,
      filters: JSON.stringify(filters),
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateView(
  { db, environment }: Scope,
  id: string,
  { name, filters, at }: { name: string; filters: OrderFilters; at: Date },
): Promise<SavedViewRow> {
  return db
    .updateTable('saved_views')
    .set({ name, filters: JSON.stringify(filters), updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns false when there is no such view. */
export async function deleteView({ db, environment }: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_views')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
