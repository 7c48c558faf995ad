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

/** Returns the number of failed messages by environment and gateway. */
export function countFailedByGateway(db: Db) {
  return db
    .selectFrom('lab_messages')
    .select(({ fn }) => ['environment_id', 'gateway', fn.countAll<number>().as('total')])
    .where('state', '=', 'failed')
    .groupBy(['environment_id', 'gateway'])
    .execute()
}
