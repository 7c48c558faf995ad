import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

interface PullBudgetsTable {
  bucket: string
  tokens: number
  filled_at: Date
  blocked_until: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    pull_budgets: PullBudgetsTable
  }
}

/** Rate at which a bucket fills, and its capacity. */
export interface BucketSize {
  capacity: number
  perSecond: number
}

/**
 * Takes up to this many tokens.
 * @returns their number, and until when nothing may be taken.
 */
export async function takeBucketTokens(
  db: Db,
  bucket: string,
  { capacity, perSecond }: BucketSize,
  { wanted, now }: { wanted: number; now: Date },
): Promise<{ taken: number; blockedUntil: Date | null }> {
  const gained = sql`greatest(0, extract(epoch from ${now}::timestamptz - old.filled_at)) * ${perSecond}`
  const { rows } = await sql<{ taken: number; blocked_until: Date | null }>`
    with made as (
      insert into pull_budgets (bucket, tokens, filled_at)
      values (${bucket}, ${capacity}, ${now})
      on conflict do nothing
    ), old as (
      select bucket, tokens, filled_at, blocked_until from pull_budgets
      where bucket = ${bucket} for update
    ), filled as (
      select bucket, least(${capacity}::float8, tokens + ${gained}) as tokens, blocked_until from old
    ), taking as (
      select bucket, tokens, blocked_until,
        case when blocked_until > ${now} then 0
          else least(${wanted}::float8, floor(tokens + 0.000001)) end as taken
      from filled
    )
    update pull_budgets as budget set
      tokens = taking.tokens - taking.taken,
      filled_at = greatest(budget.filled_at, ${now})
    from taking where budget.bucket = taking.bucket
    returning taking.taken, taking.blocked_until`.execute(db)
  const [row] = rows
  // The first caller creates the bucket and sees it in the next call.
  if (row === undefined)
    return takeBucketTokens(db, bucket, { capacity, perSecond }, { wanted, now })
  return { taken: row.taken, blockedUntil: row.blocked_until }
}

/** Puts a token back that was taken in vain. */
export async function returnBucketToken(
  db: Db,
  bucket: string,
  { capacity }: BucketSize,
): Promise<void> {
  await sql`
    update pull_budgets set tokens = least(${capacity}::float8, tokens + 1)
    where bucket = ${bucket}`.execute(db)
}

/** Blocks the bucket until a time; an earlier time does not shorten a later one. */
export async function blockBucket(
  db: Db,
  bucket: string,
  { capacity }: BucketSize,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await db
    .insertInto('pull_budgets')
    .values({ bucket, tokens: capacity, filled_at: now, blocked_until: until })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        blocked_until: sql`greatest(pull_budgets.blocked_until, excluded.blocked_until)`,
      }),
    )
    .execute()
}

/** Returns the number of users of an environment who are connected to a provider. */
export async function countConnectedUsers(
  db: Db,
  environmentId: string,
  provider: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('connections')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('environment_id', '=', environmentId)
    .where('provider', '=', provider)
    .where('status', '=', 'connected')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Removes full buckets: a missing one counts as full. */
export async function removeFullBuckets(db: Db, unusedSince: Date): Promise<void> {
  await db
    .deleteFrom('pull_budgets')
    .where('filled_at', '<', unusedSince)
    .where((where) =>
      where.or([where('blocked_until', 'is', null), where('blocked_until', '<', unusedSince)]),
    )
    .execute()
}

/**
 * Reserves the next slot of consecutive work.
 * @returns its start: now, or the end of what was reserved before
 */
export async function reserveSlots(
  db: Db,
  bucket: string,
  { now, lastsSeconds }: { now: Date; lastsSeconds: number },
): Promise<Date> {
  const lasts = sql`${lastsSeconds} * interval '1 second'`
  const { rows } = await sql<{ ends_at: Date }>`
    insert into pull_budgets (bucket, tokens, filled_at, blocked_until)
    values (${bucket}, 0, ${now}, ${now}::timestamptz + ${lasts})
    on conflict (bucket) do update set
      filled_at = excluded.filled_at,
      blocked_until = greatest(pull_budgets.blocked_until, ${now}::timestamptz) + ${lasts}
    returning blocked_until as ends_at`.execute(db)
  const endsAt = rows[0]?.ends_at ?? now
  return new Date(endsAt.getTime() - lastsSeconds * 1000)
}
