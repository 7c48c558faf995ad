import type { Db } from '../../../platform/postgres/database.ts'

/** Orders last changed within a range, ends included, in order of that change. */
export async function listUpdatedOrderIds(
  db: Db,
  environmentId: string,
  range: { from: Date; to: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('is_hidden', '=', false)
    .where('updated_at', '>=', range.from)
    .where('updated_at', '<=', range.to)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(range.limit)
    .execute()
  return rows.map(({ id }) => id)
}
