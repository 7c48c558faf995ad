import type { Scope } from '@salus/kernel/scope'

/** Samples of a range of days, counted from the last day back. */
export interface SampleDays {
  /** Samples that are stored, of any time; replaced ones count until the engine removes them. */
  stored: number
  /** Whether the counts below are of a part of the people, multiplied. */
  isEstimated: boolean
  /** By age in days: 0 is the last day. */
  byAge: ReadonlyMap<number, { samples: number; people: number }>
  /** People with samples, by age in weeks: 0 is the last seven days. */
  peopleByWeek: ReadonlyMap<number, number>
}

/** A statement reads about this many rows, however many people the environment has. */
const MOST_ROWS = 1_000_000
/** A part has so many people, because an estimate from few would be wrong. */
const LEAST_PEOPLE = 500
/** Beginning of the buckets that are weeks. */
const WEEKS = 1_000

/**
 * Counts samples and people by UTC day of the measurement.
 * @param lastDay YYYY-MM-DD
 * @param people Number of people of the environment.
 */
export async function countSampleDays(
  scope: Scope,
  { lastDay, days, people }: { lastDay: string; days: number; people: number },
  mostRows = MOST_ROWS,
): Promise<SampleDays> {
  const stored = await countStored(scope)
  let parts = 1
  while (stored / parts > mostRows && people / (2 * parts) >= LEAST_PEOPLE) parts *= 2
  const rows = await scope.clickhouse.queryRows<{
    bucket: number
    samples: number
    people: number
  }>(
    `select bucket, sum(samples) as samples, uniqExact(user_id) as people
    from (
      select user_id, toInt32(toDate({lastDay:String}) - toDate(started_at, 'UTC')) as age,
        count() as samples
      from samples
      where environment_id = {environmentId:UUID} and user_id < {endOfPart:UUID}
        and started_at >= toDateTime64({lastDay:String}, 3, 'UTC') - toIntervalDay({days:Int32} - 1)
        and started_at < toDateTime64({lastDay:String}, 3, 'UTC') + toIntervalDay(1)
      group by user_id, age
    )
    array join [age, ${WEEKS} + intDiv(age, 7)] as bucket
    group by bucket`,
    { environmentId: scope.environment.id, lastDay, days, endOfPart: endOfPart(parts) },
  )
  const ofDays = rows.filter(({ bucket }) => bucket < WEEKS)
  const ofWeeks = rows.filter(({ bucket }) => bucket >= WEEKS)
  const scale = (row: { samples: number; people: number }) => ({
    samples: row.samples * parts,
    people: row.people * parts,
  })
  return {
    stored,
    isEstimated: parts > 1,
    byAge: new Map(ofDays.map((row) => [row.bucket, scale(row)])),
    peopleByWeek: new Map(ofWeeks.map((row) => [row.bucket - WEEKS, row.people * parts])),
  }
}

/** The engine knows this number from its index of the key, without reading the samples. */
async function countStored({ clickhouse, environment }: Scope): Promise<number> {
  const [row] = await clickhouse.queryRows<{ stored: number }>(
    'select count() as stored from samples where environment_id = {environmentId:UUID}',
    { environmentId: environment.id },
  )
  return row?.stored ?? 0
}

/** The variant bits of a random UUID, which begin its second half, and the 62 random bits after. */
const VARIANT = 1n << 63n
const RANDOM = 1n << 62n

/**
 * Returns the id below which one of so many equal parts of the people is. The engine compares the
 * second half of a UUID first, whose bits are random, so people are in a part by chance, and those
 * of a part are next to each other in the key.
 */
function endOfPart(parts: number): string {
  const end = (VARIANT + RANDOM / BigInt(parts)).toString(16)
  return `00000000-0000-0000-${end.slice(0, 4)}-${end.slice(4)}`
}
