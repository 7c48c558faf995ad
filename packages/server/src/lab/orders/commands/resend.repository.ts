import type { Scope } from '../../../platform/scope.ts'

/** Orders last changed within a range, ends included, in order of that change. */
export async function listUpdatedOrderIds(
  { db, environment }: Pick<Scope, 'db' | 'environment'>,
  range: { from: Date; to: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('is_hidden', '=', false)
    .where('updated_at', '>=', range.from)
    .where('updated_at', '<=', range.to)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(range.limit)
    .execute()
  return rows.map(({ id }) => id)
}
