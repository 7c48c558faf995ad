import { SUMMARY_TABLES, type SummaryResource, type SummaryValues } from '@salus/health/summaries'
import type { Harness } from '../harness.ts'

export type StoredRow<R extends SummaryResource> = SummaryValues<R> & {
  id: string
  provider: string
  source_type: string
  app_id: string
  device_model: string
  external_id: string
  calendar_date: string | null
  started_at: string
  ended_at: string
  timezone_offset: number | null
  time_zone: string
  raw: string
  updated_at: string
}

/** Summaries of a person as they lie in the store, in order of time. */
export function summariesOf<R extends SummaryResource>(
  salus: Harness,
  userId: string,
  resource: R,
): Promise<StoredRow<R>[]> {
  return salus.clickhouse.queryRows<StoredRow<R>>(
    `select * from ${SUMMARY_TABLES[resource].table} final
    where user_id = {userId:UUID} and is_removed = 0 order by started_at, id`,
    { userId },
  )
}

/** What a person would see change: everything but versions. */
export async function contentOf(salus: Harness, userId: string): Promise<unknown> {
  const tables = Object.values(SUMMARY_TABLES).map(({ table }) =>
    salus.clickhouse.queryRows(
      `select * except(version) from ${table} final where user_id = {userId:UUID} order by id`,
      { userId },
    ),
  )
  const streams = salus.clickhouse.queryRows(
    `select * except(version) from workout_streams final where user_id = {userId:UUID}
    order by workout_id`,
    { userId },
  )
  return Promise.all([...tables, streams])
}

export interface StoredStream {
  workout_id: string
  time: number[]
  lat: (number | null)[]
  lng: (number | null)[]
  altitude: (number | null)[]
  velocity_smooth: (number | null)[]
  distance: (number | null)[]
  heartrate: (number | null)[]
}

export function streamsOf(salus: Harness, userId: string): Promise<StoredStream[]> {
  return salus.clickhouse.queryRows<StoredStream>(
    'select * from workout_streams final where user_id = {userId:UUID}',
    { userId },
  )
}
