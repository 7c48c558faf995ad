import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import { deviceVersionsSql, onlyDevicesSql } from '../connections/index.ts'
import { priorityVersionsSql } from '../source-priorities/index.ts'
import { EVERYONE } from './day-writes.global.repository.ts'

/**
 * Returns SQL of the version of everything that reads of a person's samples and summaries depend
 * on, as a text, for a row of `users`; null while something is being written, and without an epoch.
 * What is read with it or after it is at least as new.
 *
 * PostgreSQL stores with each row the transaction that wrote it (`xmin`), which serves as its
 * version, so a writer of rows stores no other. `data_versions` has the version of the data in
 * ClickHouse. Every write changes it once its rows can be read.
 */
export function dataVersionSql(
  { clock }: Pick<Scope, 'clock'>,
  { isByPriority = false } = {},
): RawBuilder<string | null> {
  return sql`(
    select concat_ws(' ', epoch.id, epoch.tableoid, users.xmin,
      (select string_agg(concat(user_id, version), ' ' order by user_id) from data_versions
        where environment_id = users.environment_id and user_id in (users.id, ${EVERYONE})),
      '|', ${deviceVersionsSql}
      ${isByPriority ? sql`, '|', ${priorityVersionsSql}` : sql``}
    )
    from data_epochs epoch
    where epoch.usable_from <= ${clock.now()}
      and not exists (
        select from day_writes
        where environment_id = users.environment_id and user_id in (users.id, ${EVERYONE})
      )
  )`
}

/** Returns the version; undefined while there is none, and for an unknown person. */
export async function findDataVersion(
  scope: Scope,
  userId: string,
  options: { isByPriority: boolean },
): Promise<string | undefined> {
  const row = await selectPerson(scope, userId)
    .select(dataVersionSql(scope, options).as('version'))
    .executeTakeFirst()
  return row?.version ?? undefined
}

/** A person whose data are read. */
interface ReadPerson {
  userId: string
  fallbackZone: string | null
  /** Ids of devices by provider, of providers that have exactly one device of the person. */
  devices: Map<string, string>
  /** Of the data that are read after it; undefined while there is none, or when not wanted. */
  version: string | undefined
}

/** Returns a person, perhaps with the version, in one statement; undefined for an unknown one. */
export async function findReadPerson(
  scope: Scope,
  userId: string,
  { isVersioned }: { isVersioned: boolean },
): Promise<ReadPerson | undefined> {
  const row = await selectPerson(scope, userId)
    .select(['id', 'fallback_time_zone', onlyDevicesSql.as('devices')])
    .$if(isVersioned, (query) => query.select(dataVersionSql(scope).as('version')))
    .executeTakeFirst()
  return (
    row && {
      userId: row.id,
      fallbackZone: row.fallback_time_zone,
      devices: new Map(Object.entries(row.devices ?? {})),
      version: row.version ?? undefined,
    }
  )
}

const selectPerson = ({ db, environment }: Scope, userId: string) =>
  prepared(db)
    .selectFrom('users')
    .where('users.environment_id', '=', environment.id)
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
