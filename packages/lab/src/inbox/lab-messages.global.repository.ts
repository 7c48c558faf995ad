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

/**
 * Returns the number of failed messages by environment and gateway: of all, or of those that are
 * named.
 */
export function countFailedByGateway(
  db: Db,
  { environmentId, gateway }: { environmentId?: string; gateway?: string } = {},
) {
  let query = db
    .selectFrom('lab_messages')
    .select(({ fn }) => ['environment_id', 'gateway', fn.countAll<number>().as('total')])
    .where('state', '=', 'failed')
  if (environmentId !== undefined) query = query.where('environment_id', '=', environmentId)
  if (gateway !== undefined) query = query.where('gateway', '=', gateway)
  return query.groupBy(['environment_id', 'gateway']).execute()
}
