import type { PatientName } from '@salus/accounts/users'
import { BEFORE_HANDING_OVER, TERMINAL } from '@salus/contracts/order-lifecycle'
import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import type { RowScope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'

/** Of `orders`: the laboratory has it, and may still do something. */
export const isOpenAtLab = sql<boolean>`(
  (orders.dispatched_at is not null or orders.is_imported)
  and orders.last_status <> all(${[...TERMINAL]}::text[])
)`

/**
 * Locks the orders of a person until the transaction ends, with the transactions that they belong
 * to, as lockOrder does, so that whoever changes one of them is done or waits.
 * @returns how many of them a laboratory is at work on
 */
export async function lockOrdersOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ openAtLab: number }> {
  await sql`select id from order_transactions
    where environment_id = ${environment.id}::uuid and id in (
      select transaction_id from orders
      where environment_id = ${environment.id}::uuid and user_id = ${userId}::uuid
    )
    order by id for update`.execute(db)
  const rows = await db
    .selectFrom('orders')
    .select(isOpenAtLab.as('is_open'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return { openAtLab: rows.filter((row) => row.is_open).length }
}

/** Orders of a person that nobody handed over yet, though their day has come. */
export function listUnsentOrdersOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ id: string }[]> {
  return db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('dispatched_at', 'is', null)
    .where('dispatch_failed_at', 'is', null)
    .where('is_imported', '=', false)
    .where('last_status', 'in', [...BEFORE_HANDING_OVER])
    .execute()
}

/** Orders of living people. */
export async function countShownOrders({ db, environment }: RowScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from orders
    where environment_id = ${environment.id}::uuid and not is_hidden`.execute(db)
  return rows[0]?.total ?? 0
}

/** More people than these are not looked for by their orders. */
const MOST_PEOPLE = 1_000

/** People whose patient's name, or whose e-mail address, has all of the words, in lower case. */
export async function listUsersByPatient(
  { db, environment }: RowScope,
  words: readonly string[],
): Promise<string[]> {
  const matches = (text: RawBuilder<string>) =>
    sql`(select user_id from orders
      where environment_id = ${environment.id}::uuid and not is_hidden
        and ${sql.join(
          words.map((word) => sql`${text} like ${`%${escapeLike(word)}%`}`),
          sql` and `,
        )}
      limit ${MOST_PEOPLE})`
  const { rows } = await sql<{ user_id: string }>`
    ${matches(sql.ref('patient_name'))}
    union ${matches(sql<string>`lower(patient_details ->> 'email')`)}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** How the newest order of each person names the patient; none for a kit that nobody registered. */
export async function listPatientsOfUsers(
  { db, environment }: RowScope,
  userIds: readonly string[],
): Promise<({ user_id: string } & PatientName)[]> {
  const { rows } = await sql<{ user_id: string } & PatientName>`
    select person.user_id, patient.*
    from unnest(${[...userIds]}::uuid[]) as person (user_id), lateral (
      select patient_details ->> 'first_name' as first_name,
        patient_details ->> 'last_name' as last_name, patient_details ->> 'email' as email
      from orders
      where environment_id = ${environment.id}::uuid and orders.user_id = person.user_id
        and not is_hidden and patient_details is not null
      order by created_at desc, id limit 1
    ) patient`.execute(db)
  return rows
}

/** The lab tests that a person has ordered. */
export function listTestsOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('lab_tests')
    .select(['id', 'name'])
    .where('environment_id', '=', environment.id)
    .where('id', 'in', (query) =>
      query
        .selectFrom('orders')
        .select('lab_test_id')
        .where('environment_id', '=', environment.id)
        .where('user_id', '=', userId),
    )
    .execute()
}
