import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { deviceVersionsSql } from '../connections/index.ts'
import { priorityVersionsSql } from '../source-priorities/index.ts'
import { EVERYONE } from './day-writes.global.repository.ts'

/**
 * Returns the version of everything that reads of a person's samples and summaries depend on, as a
 * text; undefined while something is being written, without an epoch, and for an unknown person.
 * What is read after it is at least as new.
 *
 * PostgreSQL stores with each row the transaction that wrote it (`xmin`), which serves as its
 * version, so a writer of rows stores no other. `data_versions` has the version of the data in
 * ClickHouse. Every write changes it once its rows can be read.
 */
export async function findDataVersion(
  { db, environment, clock }: Scope,
  userId: string,
  { isByPriority }: { isByPriority: boolean },
): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    select concat_ws(' ', epoch.id, epoch.tableoid, users.xmin,
      (select string_agg(concat(user_id, version), ' ' order by user_id) from data_versions
        where environment_id = users.environment_id and user_id in (users.id, ${EVERYONE})),
      '|', ${deviceVersionsSql}
      ${isByPriority ? sql`, '|', ${priorityVersionsSql}` : sql``}
    ) as version
    from data_epochs epoch, users
    where epoch.usable_from <= ${clock.now()}
      and users.environment_id = ${environment.id} and users.id = ${userId}
      and users.deleted_at is null
      and not exists (
        select from day_writes
        where environment_id = users.environment_id and user_id in (users.id, ${EVERYONE})
      )`.execute(db)
  return rows[0]?.version
}
