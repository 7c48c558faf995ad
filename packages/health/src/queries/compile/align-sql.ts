import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { AlignPlan, GroupsPlan } from '../analysis/plan.ts'
import type { QueryTarget } from '../compiled-query.ts'
import { sameColumns, selectSql, subquerySql } from '../select-sql.ts'
import { EPOCH_LOCAL_MS, localMsOfTimeSql } from '../tables/floating-sql.ts'
import { addSpanSql, bucketSql, bucketStartSql } from './bucket-sql.ts'
import { aggregateName, keyName } from './group-source.ts'
import type { StatementParameters } from './statement-parameters.ts'

/**
 * Returns groups with their missing buckets, and values carried into nulls
 * (docs/contract/09-aggregate.md#align). Buckets are whole numbers, so the spine of a partition is
 * a range. One pass over the groups: each adds the missing buckets after it, the first one also
 * those before it.
 */
export function alignedSql(
  plan: GroupsPlan,
  align: AlignPlan,
  groups: string,
  target: QueryTarget,
  parameters: StatementParameters,
): string {
  const now = parameters.bind(localNow(target) + EPOCH_LOCAL_MS, 'Int64')
  const names = namesOf(plan, align)
  return carriedSql(names, align, spineSql(names, align, groups, now))
}

interface Names {
  axis: string
  /** Keys other than the axis. */
  partition: string[]
  aggregates: string[]
}

function namesOf({ keys, aggregates }: GroupsPlan, { axis }: AlignPlan): Names {
  return {
    axis: keyName(axis),
    partition: keys.map((_, key) => keyName(key)).toSpliced(axis, 1),
    aggregates: aggregates.map((_, at) => aggregateName(at)),
  }
}

/** Returns the present local time of the user, as far as it is known. */
function localNow({ now, fallbackZone }: QueryTarget): number {
  const offset = fallbackZone === null ? 0 : (zoneOffsetSeconds(fallbackZone, now.getTime()) ?? 0)
  return now.getTime() + offset * 1000
}

const windowSql = (partition: readonly string[], rest: string): string =>
  partition.length === 0 ? `over (${rest})` : `over (partition by ${partition.join(', ')} ${rest})`

function spineSql(
  { axis, partition, aggregates }: Names,
  align: AlignPlan,
  groups: string,
  now: string,
) {
  const wholePartition = 'rows between unbounded preceding and unbounded following'
  const spanned = selectSql({
    columns: {
      ...sameColumns([...partition, ...aggregates]),
      observed: `toInt64(${axis})`,
      first: `min(toInt64(${axis})) ${windowSql(partition, '')}`,
      last: `max(toInt64(${axis})) ${windowSql(partition, '')}`,
      following: `leadInFrame(toInt64(${axis})) ${windowSql(partition, `order by ${axis} ${wholePartition}`)}`,
    },
    from: subquerySql(groups),
  })
  const values = aggregates.map((name) => [name, `if(bucket = observed, spanned.${name}, null)`])
  const range = `range(if(observed = first, ${firstBucket(align)}, observed),
    if(observed = last, ${lastBucket(align, now)} + 1, following))`
  return selectSql({
    columns: {
      ...sameColumns([...partition, 'first']),
      bucket: `arrayJoin(${range})`,
      ...Object.fromEntries(values),
    },
    from: `${subquerySql(spanned)} as spanned`,
  })
}

/** An extension goes back from the first observation as far as a value can be carried. */
function firstBucket({ mode, cap, bucket }: AlignPlan): string {
  if (mode === 'carry_forward' || cap === null) return 'first'
  const reach = addSpanSql(bucketStartSql(bucket, 'first'), cap, '-')
  return `least(first, toInt64(${bucketSql(bucket, localMsOfTimeSql(reach))}))`
}

/** Likewise forward from the last, but never past now. */
function lastBucket({ mode, cap, bucket }: AlignPlan, now: string): string {
  if (mode === 'carry_backward' || cap === null) return 'last'
  const reach = addSpanSql(bucketStartSql(bucket, 'last'), cap, '+')
  const furthest = `toInt64(${bucketSql(bucket, localMsOfTimeSql(reach))})`
  return `greatest(last, least(${furthest}, toInt64(${bucketSql(bucket, now)})))`
}

function carriedSql(
  { axis, partition, aggregates }: Names,
  align: AlignPlan,
  spine: string,
): string {
  const { mode, cap, bucket } = align
  const directions = [
    ...(mode === 'carry_backward' ? [] : (['past'] as const)),
    ...(mode === 'carry_forward' ? [] : (['next'] as const)),
  ]
  const carried = aggregates.flatMap((name) =>
    directions.flatMap((direction) => {
      const order = `order by bucket ${direction === 'past' ? 'asc' : 'desc'}`
      const window = windowSql(
        partition,
        `${order} rows between unbounded preceding and current row`,
      )
      return [
        [`${name}_${direction}`, `anyLast(${name}) ${window}`],
        [`${name}_${direction}_bucket`, `anyLast(if(${name} is null, null, bucket)) ${window}`],
      ]
    }),
  )
  const looked = selectSql({
    columns: {
      ...sameColumns([...partition, 'bucket', 'first', ...aggregates]),
      ...Object.fromEntries(carried),
    },
    from: subquerySql(spine),
  })
  const reaches = (earlier: string, later: string): string =>
    cap === null
      ? '1'
      : `${addSpanSql(bucketStartSql(bucket, earlier), cap, '+')} >= ${bucketStartSql(bucket, later)}`
  const filled = aggregates.map((name) => [name, filledSql(name, align, reaches)])
  return selectSql({
    columns: {
      ...sameColumns(partition),
      [axis]: 'looked.bucket',
      ...Object.fromEntries(filled),
    },
    from: `${subquerySql(looked)} as looked`,
    // Months have different lengths, so going back may go a little too far.
    where: [`looked.bucket >= first or ${reaches('looked.bucket', 'first')}`],
  })
}

function filledSql(
  name: string,
  { mode, bucket }: AlignPlan,
  reaches: (earlier: string, later: string) => string,
): string {
  const past = `if(${reaches(`looked.${name}_past_bucket`, 'looked.bucket')}, looked.${name}_past, null)`
  const next = `if(${reaches('looked.bucket', `looked.${name}_next_bucket`)}, looked.${name}_next, null)`
  if (mode === 'carry_forward') return `coalesce(looked.${name}, ${past})`
  if (mode === 'carry_backward') return `coalesce(looked.${name}, ${next})`
  const start = (column: string): string =>
    localMsOfTimeSql(bucketStartSql(bucket, `looked.${column}`))
  const pastDistance = `${start('bucket')} - ${start(`${name}_past_bucket`)}`
  const nextDistance = `${start(`${name}_next_bucket`)} - ${start('bucket')}`
  return `coalesce(looked.${name}, if(${pastDistance} <= ${nextDistance},
    coalesce(${past}, ${next}), coalesce(${next}, ${past})))`
}
