import type { PatientName } from '@salus/accounts/users'
import { BEFORE_HANDING_OVER, TERMINAL } from '@salus/contracts/order-lifecycle'
import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import type { RowScope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'

/** SQL condition for rows of `orders` that a laboratory has and may still work on. */
export const isOpenAtLab = sql<boolean>`(
  (orders.dispatched_at is not null or orders.is_imported)
  and orders.last_status <> all(${[...TERMINAL]}::text[])
)`

/**
 * Locks the orders of a person and their transactions until the transaction ends, as lockOrder
 * does, so that concurrent changes finish first or wait.
 * @returns the number of orders that a laboratory works on
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

/** Returns orders of a person whose day has come and that were not dispatched. */
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

/** Returns the number of orders of people who are not deleted. */
export async function countShownOrders({ db, environment }: RowScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from orders
    where environment_id = ${environment.id}::uuid and not is_hidden`.execute(db)
  return rows[0]?.total ?? 0
}

/** Most people that the search by orders returns. */
const MOST_PEOPLE = 1_000

/**
 * Returns people whose patient's name or e-mail address contains all of the words, in lower case.
 */
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

/** Returns the patient of each person's newest order; none for an unregistered kit. */
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

/** Returns the lab tests that a person has ordered. */
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
