import type { RowScope, Scope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'
import type { SharedKind } from './shared-kinds.registry.ts'

interface PortalSharesTable {
  environment_id: string
  user_id: string
  id: string
  secret_hash: Buffer
  /** Name that the person gave to the receiver of the link. */
  label: string
  kinds: ColumnType<SharedKind[], string, never>
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    portal_shares: PortalSharesTable
  }
}

export type PortalShareRow = Selectable<PortalSharesTable>

export function insertShare(
  { db, environment }: Scope,
  { kinds, ...share }: Omit<PortalShareRow, 'environment_id' | 'revoked_at' | 'last_used_at'>,
): Promise<PortalShareRow> {
  return db
    .insertInto('portal_shares')
    .values({ ...share, kinds: JSON.stringify(kinds), environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the shares of a person, also those that have ended, the newest first. */
export function listShares({ db, environment }: Scope, userId: string): Promise<PortalShareRow[]> {
  return db
    .selectFrom('portal_shares')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Revokes a share; one that was revoked before keeps its time. */
export function revokeShare(
  { db, environment }: Scope,
  userId: string,
  id: string,
  at: Date,
): Promise<PortalShareRow | undefined> {
  return db
    .updateTable('portal_shares')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function setShareUsed(
  { db, environment }: RowScope,
  id: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('portal_shares')
    .set({ last_used_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}
