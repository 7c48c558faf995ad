import type { Db } from '@salus/kernel/postgres/database'

/** Messages of all environments that wait for the operator. */
export async function countFailedMessages(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  return total
}
