import { escapeTsv, timestampText } from '@salus/health/ingest'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { SUMMARY_TABLES } from '../../../health/src/summaries/summary-tables.registry.ts'
import type { PersonData, StoredSample, StoredSummary } from './reference/person-data.ts'

export interface Person {
  environmentId: string
  userId: string
}

const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

/** Stores rows past the upload paths, exactly as they are. */
export async function storePersonData(
  clickhouse: ClickHouse,
  person: Person,
  { samples, summaries }: PersonData,
): Promise<void> {
  await insertRows(
    clickhouse,
    'samples',
    samples.map((sample) => sampleColumns(person, sample)),
  )
  for (const [resource, rows] of Map.groupBy(summaries, (row) => row.resource)) {
    const { table } = SUMMARY_TABLES[resource as keyof typeof SUMMARY_TABLES]
    await insertRows(
      clickhouse,
      table,
      rows.map((row) => summaryColumns(person, row)),
    )
  }
}

async function insertRows(
  clickhouse: ClickHouse,
  table: string,
  rows: readonly Record<string, string>[],
): Promise<void> {
  if (rows.length === 0) return
  const names = Object.keys(rows[0] as object)
  const lines = rows.map((row) => `${names.map((name) => row[name]).join('\t')}\n`)
  await clickhouse.insert(table, names, Buffer.from(lines.join('')))
}

function sampleColumns({ environmentId, userId }: Person, sample: StoredSample) {
  return {
    environment_id: environmentId,
    user_id: userId,
    series: sample.series,
    started_at: timestampText(sample.startedAt),
    provider: sample.provider,
    source_type: sample.sourceType,
    app_id: escapeTsv(sample.appId),
    sample_type: escapeTsv(sample.sampleType),
    workout_id: sample.workoutId || NO_WORKOUT,
    sport: escapeTsv(sample.sport),
    ended_at: timestampText(sample.endedAt),
    timezone_offset: String(sample.timezoneOffset ?? '\\N'),
    time_zone: sample.timeZone,
    value: String(sample.value),
    diastolic: String(sample.diastolic),
    text_value: escapeTsv(sample.text),
    extra: escapeTsv(sample.extra),
    version: String(sample.version),
  }
}

function summaryColumns({ environmentId, userId }: Person, row: StoredSummary) {
  const { columns } = SUMMARY_TABLES[row.resource as keyof typeof SUMMARY_TABLES]
  const values = Object.entries(columns).map(([name, type]) => {
    const value = row.values[name] ?? null
    if (type === 'integers') return [name, `[${((value ?? []) as number[]).join(',')}]`]
    if (value === null) return [name, type === 'json' ? '' : '\\N']
    return [name, escapeTsv(String(value))]
  })
  return {
    environment_id: environmentId,
    user_id: userId,
    id: row.id,
    provider: row.provider,
    source_type: row.sourceType,
    app_id: escapeTsv(row.appId),
    device_model: '',
    external_id: escapeTsv(row.externalId),
    calendar_date: row.calendarDate ?? '\\N',
    started_at: timestampText(row.startedAt),
    ended_at: timestampText(row.endedAt),
    timezone_offset: String(row.timezoneOffset ?? '\\N'),
    time_zone: row.timeZone,
    ...(Object.fromEntries(values) as Record<string, string>),
    raw: 'null',
    content_hash: '0',
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    version: String(row.version),
    is_removed: row.isRemoved ? '1' : '0',
  }
}
