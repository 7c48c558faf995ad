import { sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'

/** Logged changes that one transaction adds up, unless told otherwise. */
const MOST_CHANGES = 100_000

/**
 * Adds the log of changes up into the counts. Numbers that are read do not change by it, only the
 * time to read them: it wants to be run every minute. One process does it at a time.
 * @returns Changes that were in the log; 0 also when another process is at it.
 */
export async function foldOrderCounts(db: Db, most = MOST_CHANGES): Promise<number> {
  let all = 0
  for (;;) {
    const some = await db.transaction().execute((transaction) => foldSome(transaction, most))
    all += some
    if (some < most) return all
  }
}

interface Folded {
  changes: number
  /** Places of rows that have come to nothing. They hold until the transaction ends. */
  empty_days: string[]
  empty_names: string[]
  empty_letters: string[]
}

async function foldSome(transaction: Db, most: number): Promise<number> {
  const lock = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('order_counts', 4)) as is_mine`.execute(
    transaction,
  )
  if (!lock.rows[0]?.is_mine) return 0
  const [folded] = (await foldStatement(most).execute(transaction)).rows
  if (folded === undefined) return 0
  await removeRows(transaction, 'order_counts', folded.empty_days)
  await removeRows(transaction, 'order_name_counts', folded.empty_names)
  await removeRows(transaction, 'order_letter_counts', folded.empty_letters)
  return folded.changes
}

async function removeRows(transaction: Db, table: string, places: string[]): Promise<void> {
  if (places.length === 0) return
  await sql`delete from ${sql.table(table)} where ctid = any(${places}::tid[])`.execute(transaction)
}

/** A change of status takes off the name that it adds. */
const NAMED = sql`
  select environment_id, created_on, patient_name, shipping_recipient_name,
    sum(change)::integer as orders
  from moved
  group by 1, 2, 3, 4
  having sum(change) <> 0`

/** One and two letters that stand in a name, as often as they do. */
const lettersOf = (column: string) => sql`
  select substr(${sql.ref(column)}, place, size) as letters
  from generate_series(1, length(${sql.ref(column)})) as place, generate_series(1, 2) as size`

/** Most orders are shipped to the patient, whose name is then read once. */
const LETTERS_OF_ORDER = sql`
  select letters, bool_or(is_patient) as in_patient,
    bool_or(not is_patient) or patient_name = shipping_recipient_name as in_recipient
  from (
    select letters, true as is_patient from (${lettersOf('patient_name')}) as pieces
    union all
    select letters, false from (${lettersOf('shipping_recipient_name')}) as pieces
    where patient_name <> shipping_recipient_name
  ) as pieces
  group by letters`

const foldStatement = (most: number) => sql<Folded>`
  with moved as (
    delete from order_count_changes
    where ctid = any(array(select ctid from order_count_changes limit ${most}))
    returning *
  ),
  named as materialized (${NAMED}),
  days as (
    insert into order_counts as counts
      (environment_id, counted_by, day, method, last_status, interpretation, orders)
    select environment_id, counted_by, day, method, last_status, interpretation, sum(change)
    from moved
    cross join lateral (values ('created_at', created_on), ('updated_at', updated_on))
      as by_day (counted_by, day)
    group by 1, 2, 3, 4, 5, 6
    having sum(change) <> 0
    on conflict (environment_id, counted_by, day, last_status, method, interpretation)
      do update set orders = counts.orders + excluded.orders
    returning ctid as place, orders
  ),
  names as (
    insert into order_name_counts as counts
      (environment_id, patient_name, shipping_recipient_name, orders)
    select environment_id, patient_name, shipping_recipient_name, sum(orders)
    from named
    group by 1, 2, 3
    having sum(orders) <> 0
    on conflict (environment_id, patient_name, shipping_recipient_name)
      do update set orders = counts.orders + excluded.orders
    returning ctid as place, orders
  ),
  letters as (
    insert into order_letter_counts as counts
      (environment_id, letters, day, in_patient_name, in_shipping_recipient_name, in_either)
    select environment_id, letters, created_on, coalesce(sum(orders) filter (where in_patient), 0),
      coalesce(sum(orders) filter (where in_recipient), 0), sum(orders)
    from named
    cross join lateral (${LETTERS_OF_ORDER}) as found
    group by 1, 2, 3
    on conflict (environment_id, letters, day) do update set
      in_patient_name = counts.in_patient_name + excluded.in_patient_name,
      in_shipping_recipient_name =
        counts.in_shipping_recipient_name + excluded.in_shipping_recipient_name,
      in_either = counts.in_either + excluded.in_either
    returning ctid as place,
      (in_patient_name, in_shipping_recipient_name, in_either) = (0, 0, 0) as is_empty
  )
  select (select count(*) from moved) as changes,
    array(select place from days where orders = 0)::text[] as empty_days,
    array(select place from names where orders = 0)::text[] as empty_names,
    array(select place from letters where is_empty)::text[] as empty_letters`
