import type { Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { RowBinaryReader } from '@salus/kernel/clickhouse/row-binary'
import type { Scope } from '@salus/kernel/scope'
import type { OriginSamples } from './day-samples.ts'

const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

/**
 * Reads all samples of days from ClickHouse, both days included; replaced versions are among them.
 * @returns undefined when there are more than `most`
 */
export async function readStoredDays(
  { clickhouse, environment }: Scope,
  userId: string,
  series: Series,
  { firstDay, lastDay, most }: { firstDay: number; lastDay: number; most: number },
): Promise<OriginSamples[] | undefined> {
  const isText = series.valueKind === 'text'
  const isPressure = series.shape === 'blood_pressure'
  // One row for each origin, so that its texts are written once and its numbers are copied.
  const bytes = await clickhouse.queryBytes(
    `select toString(provider) as of_provider, toString(source_type) as of_type,
      toString(app_id) as of_app, toString(sample_type) as type, toString(workout_id) as workout,
      toString(sport) as of_sport, ifNull(toFloat64(timezone_offset), nan) as offset,
      toString(extra) as of_extra,
      groupArray(toFloat64(toUnixTimestamp64Milli(started_at))),
      groupArray(toFloat64(toUnixTimestamp64Milli(ended_at))),
      groupArray(value), groupArray(toFloat64(version))
      ${isPressure ? ', groupArray(diastolic)' : ''} ${isText ? ', groupArray(text_value)' : ''}
    from (
      select * from samples
      where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
        and series = {series:String}
        and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        and started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      limit {most:UInt32} + 1
    )
    group by of_provider, of_type, of_app, type, workout, of_sport, offset, of_extra
    settings optimize_read_in_order = 0`,
    {
      environmentId: environment.id,
      userId,
      series: series.name,
      from: firstDay * DAY_MS,
      to: (lastDay + 1) * DAY_MS,
      most,
    },
    'RowBinary',
  )
  const reader = new RowBinaryReader(bytes)
  const pieces: OriginSamples[] = []
  while (!reader.isAtEnd) pieces.push(readPiece(reader, { isPressure, isText }))
  const count = pieces.reduce((sum, { startedAt }) => sum + startedAt.length, 0)
  return count > most ? undefined : pieces
}

function readPiece(
  reader: RowBinaryReader,
  { isPressure, isText }: { isPressure: boolean; isText: boolean },
): OriginSamples {
  const [provider, sourceType, appId, sampleType, workoutId, sport] = Array.from(
    { length: 6 },
    () => reader.readText(),
  ) as [string, string, string, string, string, string]
  const offset = reader.readNumber()
  const extra = reader.readText()
  const startedAt = reader.readNumbers()
  return {
    origin: {
      ...{ provider, sourceType, appId, sampleType, sport, extra },
      workoutId: workoutId === NO_WORKOUT ? '' : workoutId,
      timezoneOffset: Number.isNaN(offset) ? null : offset,
    },
    startedAt,
    endedAt: reader.readNumbers(),
    value: reader.readNumbers(),
    version: reader.readNumbers(),
    diastolic: isPressure ? reader.readNumbers() : new Float64Array(startedAt.length),
    text: isText ? reader.readTexts() : null,
  }
}
