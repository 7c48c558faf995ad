import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { fallbackOffsetSql, fallbackZoneParameters } from '@salus/kernel/clickhouse/local-time-sql'
import { Temporal } from 'temporal-polyfill'

const STORABLE = [Date.UTC(1900, 0, 1), Date.UTC(2299, 11, 31)] as const
const RECENT = [Date.UTC(1990, 0, 1), Date.UTC(2040, 0, 1)] as const
/** Steps of this part of a range, taken modulo the range, spread evenly however many there are. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

/**
 * Instants at which the engine has another offset of a zone than Temporal: 10 over all that can
 * be stored, 10 since 1990. Others for each seed.
 */
export async function listWrongOffsets(
  clickhouse: ClickHouse,
  timeZone: string,
  seed: number,
): Promise<string[]> {
  const instants = Array.from({ length: 20 }, (_, index) => {
    const [from, to] = index % 2 === 0 ? STORABLE : RECENT
    return Math.floor(from + (((seed * 20 + index) * GOLDEN_RATIO) % 1) * (to - from))
  })
  const rows = await clickhouse.queryRows<{ offset: number }>(
    `select ${fallbackOffsetSql("fromUnixTimestamp64Milli(instant, 'UTC')")} as offset
    from (select arrayJoin({instants:Array(Int64)}) as instant)`,
    { instants, ...fallbackZoneParameters(timeZone) },
  )
  return instants.flatMap((instant, index) => {
    const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
    const sent = rows[index]?.offset
    return sent === at.offsetNanoseconds / 1e9 ? [] : [`${at}: ${sent}`]
  })
}
