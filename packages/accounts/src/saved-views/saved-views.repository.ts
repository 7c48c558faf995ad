import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Filters, ListName } from './saved-views.schema.ts'

interface SavedViewsTable {
  environment_id: string
  id: string
  list: Generated<ListName>
  name: string
  filters: ColumnType<Filters, string, string>
  /** The key that alone sees the view; null for all. */
  management_key_id: string | null
  created_at: Date
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    saved_views: SavedViewsTable
  }
}

export type SavedViewRow = Selectable<SavedViewsTable>

/** Returns the views of the environment that the key sees, by name. */
export function listViews({ db, environment }: Scope, keyId: string): Promise<SavedViewRow[]> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where((where) =>
      where.or([where('management_key_id', 'is', null), where('management_key_id', '=', keyId)]),
    )
    .orderBy('name')
    .execute()
}

/** Returns the same as listViews, and makes other additions and renames in the environment wait. */
export async function lockViews(tx: TransactionScope, keyId: string): Promise<SavedViewRow[]> {
  // Rows that only reference the environment do not wait.
  await tx.db
    .selectFrom('team_environments')
    .select('id')
    .where('id', '=', tx.environment.id)
    .forNoKeyUpdate()
    .execute()
  return listViews(tx, keyId)
}

type NewView = Pick<SavedViewRow, 'id' | 'list' | 'name' | 'filters' | 'management_key_id'>

export function insertView(
  { db, environment }: Scope,
  view: NewView,
  at: Date,
): Promise<SavedViewRow> {
  return db
    .insertInto('saved_views')
    .values({
      ...view,
      environment_id: environment.id,
      filters: JSON.stringify(view.filters),
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateView(
  { db, environment }: Scope,
  id: string,
  { name, filters, at }: { name: string; filters: Filters; at: Date },
): Promise<SavedViewRow> {
  return db
    .updateTable('saved_views')
    .set({ name, filters: JSON.stringify(filters), updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteView({ db, environment }: Scope, id: string): Promise<void> {
  await db
    .deleteFrom('saved_views')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}
