import { findProvider } from '@salus/contracts/providers'
import { SERIES } from '@salus/contracts/series'
import { SUMMARY_TABLES } from '@salus/health/summaries'
import type { Harness } from '../harness.ts'
import type { Linking } from '../linking/linking-fixture.ts'

const RESOURCE_TABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(SUMMARY_TABLES).map(([name, { table }]) => [name, `${table} final`]),
  ),
}

/** Counts the stored records of a user by resource, of those that a provider promises. */
export async function countRecords(
  { harness }: Linking,
  slug: string,
  userId: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const resource of findProvider(slug)?.resources ?? []) {
    counts[resource] = await countResource(harness, slug, userId, resource)
  }
  return counts
}

async function countResource(
  harness: Harness,
  slug: string,
  userId: string,
  resource: string,
): Promise<number> {
  const { clickhouse, database } = harness
  if (resource === 'device') {
    const { rows } = await database.pool.query(
      'select count(*)::int as count from devices where user_id = $1 and provider = $2',
      [userId, slug],
    )
    return rows[0].count
  }
  if (resource === 'workout_stream') return countStreams(harness, slug, userId)
  const series = SERIES.filter((one) => one.resource === resource).map(({ name }) => name)
  const table =
    resource === 'sleep_cycle'
      ? RESOURCE_TABLES.sleep
      : (RESOURCE_TABLES[resource] ?? 'samples final')
  const condition =
    resource === 'sleep_cycle'
      ? 'and notEmpty(stage_type)'
      : series.length > 0
        ? 'and series in {series:Array(String)}'
        : ''
  const [row] = await clickhouse.queryRows<{ count: number }>(
    `select count() as count from ${table}
    where user_id = {userId:UUID} and provider = {slug:String} ${condition}`,
    { userId, slug, series },
  )
  return Number(row?.count)
}

/** Streams have no provider of their own. */
async function countStreams(
  { clickhouse }: Harness,
  slug: string,
  userId: string,
): Promise<number> {
  const [row] = await clickhouse.queryRows<{ count: number }>(
    `select count() as count from workout_streams final where user_id = {userId:UUID}
      and workout_id in (select id from workout_summaries final
        where user_id = {userId:UUID} and provider = {slug:String})`,
    { userId, slug },
  )
  return Number(row?.count)
}
