import type { Db } from '@salus/kernel/postgres/database'

/** Returns the number of failed messages of all environments. */
export async function countFailedMessages(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  return total
}
