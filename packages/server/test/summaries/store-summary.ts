import { randomUUID } from 'node:crypto'
import { escapeTsv, timestampText } from '@salus/health/ingest'
import type { WorkoutStream } from '../../../health/src/summaries/summary.ts'
import { WORKOUT_STREAM_CHANNELS } from '../../../health/src/summaries/summary.ts'
import {
  COMMON_HEAD,
  COMMON_TAIL,
  SUMMARY_TABLES,
  type SummaryColumnType,
  type SummaryResource,
  type SummaryValues,
} from '../../../health/src/summaries/summary-tables.registry.ts'
import type { Harness } from '../harness.ts'

type Stores = Pick<Harness, 'database' | 'clickhouse'>

/** Epoch milliseconds, or a text that Date reads. */
type Time = number | string

/** Fields of a row, all optional; what is not given is unknown. */
export type StoredFields<R extends SummaryResource> = Partial<SummaryValues<R>> & {
  id?: string
  provider?: string
  source_type?: string
  app_id?: string
  device_model?: string
  external_id?: string
  /** null: the local day of an instant, computed when it is read. */
  calendar_date?: string | null
  /** 2026-02-10T08:00:00Z when not given; the end is the start. */
  started_at?: Time
  ended_at?: Time
  timezone_offset?: number | null
  time_zone?: string
  raw?: unknown
  /** The start when not given. */
  created_at?: Time
  updated_at?: Time
  version?: number
  is_removed?: 0 | 1
}

const START = '2026-02-10T08:00:00Z'

const timeOf = (time: Time): number => (typeof time === 'number' ? time : Date.parse(time))

const NULLS: Partial<Record<SummaryColumnType, string>> = { json: '', integers: '[]' }

function columnText(type: SummaryColumnType, value: unknown): string {
  if (value === undefined || value === null) return NULLS[type] ?? '\\N'
  if (type === 'integers') return `[${(value as number[]).join(',')}]`
  return escapeTsv(String(value))
}

async function environmentOf(harness: Stores, userId: string): Promise<string> {
  const { pool } = harness.database
  const { rows } = await pool.query('select environment_id from users where id = $1', [userId])
  return rows[0].environment_id
}

/** Stores a summary past the upload paths, with any fields; returns its id. */
export async function storeSummary<R extends SummaryResource>(
  harness: Stores,
  userId: string,
  resource: R,
  fields: StoredFields<R> = {},
): Promise<string> {
  const { table, columns } = SUMMARY_TABLES[resource]
  const startedAt = timeOf(fields.started_at ?? START)
  const id = fields.id ?? randomUUID()
  const given = fields as Record<string, unknown>
  const row: Record<string, string> = {
    environment_id: await environmentOf(harness, userId),
    user_id: userId,
    id,
    provider: fields.provider ?? 'manual',
    source_type: fields.source_type ?? 'watch',
    app_id: escapeTsv(fields.app_id ?? ''),
    device_model: escapeTsv(fields.device_model ?? ''),
    external_id: escapeTsv(fields.external_id ?? id),
    calendar_date: fields.calendar_date ?? '\\N',
    started_at: timestampText(startedAt),
    ended_at: timestampText(timeOf(fields.ended_at ?? startedAt)),
    timezone_offset: String(fields.timezone_offset ?? '\\N'),
    time_zone: fields.time_zone ?? '',
    raw: escapeTsv(JSON.stringify(fields.raw ?? null)),
    content_hash: '0',
    created_at: timestampText(timeOf(fields.created_at ?? startedAt)),
    updated_at: timestampText(timeOf(fields.updated_at ?? fields.created_at ?? startedAt)),
    version: String(fields.version ?? 1),
    is_removed: String(fields.is_removed ?? 0),
  }
  for (const [name, type] of Object.entries(columns)) {
    row[name] = columnText(type as SummaryColumnType, given[name])
  }
  const names = [...COMMON_HEAD, ...Object.keys(columns), ...COMMON_TAIL]
  const line = names.map((name) => row[name]).join('\t')
  await harness.clickhouse.insert(table, names, Buffer.from(`${line}\n`))
  return id
}

/** Stores the stream of a workout past the upload paths. */
export async function storeStream(
  harness: Stores,
  userId: string,
  workoutId: string,
  stream: WorkoutStream,
): Promise<void> {
  const environmentId = await environmentOf(harness, userId)
  const listText = (list: readonly (number | null)[]): string =>
    `[${list.map((value) => value ?? 'NULL').join(',')}]`
  const lists = [stream.time, ...WORKOUT_STREAM_CHANNELS.map((name) => stream[name] ?? [])].map(
    listText,
  )
  const line = [environmentId, userId, workoutId, ...lists, 1].join('\t')
  const names = [
    'environment_id',
    'user_id',
    'workout_id',
    'time',
    ...WORKOUT_STREAM_CHANNELS,
    'version',
  ]
  await harness.clickhouse.insert('workout_streams', names, Buffer.from(`${line}\n`))
}
