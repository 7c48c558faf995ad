import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'

interface UserRefreshesTable {
  environment_id: string
  user_id: string
  asked_at: Date[]
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    user_refreshes: UserRefreshesTable
  }
}

/**
 * Counts a refresh of a user; returns false, without counting, when there were too many since a
 * time.
 */
export async function countRefresh(
  { db, environment, clock }: Scope,
  userId: string,
  { most, since }: { most: number; since: Date },
): Promise<boolean> {
  const now = clock.now()
  const recent = sql`array(select at from unnest(user_refreshes.asked_at) as at where at > ${since})`
  const { rows } = await sql`
    insert into user_refreshes (environment_id, user_id, asked_at)
    values (${environment.id}, ${userId}, array[${now}::timestamptz])
    on conflict (environment_id, user_id) do update
      set asked_at = ${recent} || ${now}::timestamptz
      where cardinality(${recent}) < ${most}
    returning user_id`.execute(db)
  return rows.length > 0
}
