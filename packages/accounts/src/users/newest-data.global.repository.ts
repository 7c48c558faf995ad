import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/** The newest data of a person. */
export interface NewestData {
  environmentId: string
  userId: string
  /** Name of a series or of a summary resource. */
  resource: string
  at: Date
}

/**
 * Records data of any people that are newer than what is recorded of them. Rows are locked in one
 * order, which avoids deadlocks between processes.
 */
export async function recordNewestData(db: Db, newest: readonly NewestData[]): Promise<void> {
  const [environmentIds, userIds, resources, times] = [
    newest.map(({ environmentId }) => environmentId),
    newest.map(({ userId }) => userId),
    newest.map(({ resource }) => resource),
    newest.map(({ at }) => at),
  ]
  await sql`with newer as (
      select listed.environment_id, listed.user_id, fresh.resource, fresh.at
      from unnest(${environmentIds}::uuid[], ${userIds}::uuid[], ${resources}::text[],
        ${times}::timestamptz[]) as fresh (environment_id, user_id, resource, at)
      join listed_users listed on listed.environment_id = fresh.environment_id
        and listed.user_id = fresh.user_id and listed.newest_data_at < fresh.at
      order by listed.environment_id, listed.user_id
      for no key update of listed
    )
    update listed_users set newest_data_at = newer.at, newest_data_resource = newer.resource
    from newer
    where listed_users.environment_id = newer.environment_id
      and listed_users.user_id = newer.user_id and listed_users.newest_data_at < newer.at`.execute(
    db,
  )
}
