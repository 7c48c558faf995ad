import type { Scope } from '@salus/kernel/scope'
import type { Person } from '../reading/stored-rows.ts'
import {
  listSummaries,
  MOST_ROWS,
  parametersOf,
  personRowsSql,
  TOO_MANY_ROWS,
  toRow,
} from '../reading/summaries.repository.ts'
import type { DateFilter } from '../reading/summary-dates.ts'
import type { SummaryRow } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import type { SessionRecord, SessionResource } from './session-record.ts'

/** Columns that merging reads beside those of a summary. */
interface SessionColumns {
  own_offset: number | null
  own_day: string | null
  has_stages: 0 | 1
  known_sport: string
  known_seconds: number | null
  known_meters: number | null
  detail: number
}

const SLEEP = {
  has_stages: `notEmpty(stage_type) or
    ifNull(stage_light_second, 0) + ifNull(stage_rem_second, 0) + ifNull(stage_deep_second, 0) > 0`,
  known_sport: "''",
  known_seconds: 'coalesce(stage_asleep_second, duration_second)',
  known_meters: "cast(null, 'Nullable(Float64)')",
}
const WORKOUTS = {
  has_stages: 'false',
  known_sport: "ifNull(sport_slug, '')",
  known_seconds: 'duration_active_second',
  known_meters: 'distance_meter',
}

/**
 * Values by which a full record differs from a bare one. It takes twice as long to read all
 * columns.
 */
const DETAILS = {
  sleep: [
    ...(['heart_rate_mean', 'heart_rate_minimum', 'hrv_mean_rmssd', 'hrv_mean_sdnn'] as const),
    ...(['respiratory_rate', 'skin_temperature', 'score', 'efficiency', 'latency_second'] as const),
  ],
  workouts: [
    ...(['heart_rate_mean', 'distance_meter', 'calories', 'elevation_gain_meter'] as const),
    ...(['speed_mean', 'power_mean', 'steps', 'duration_active_second'] as const),
  ],
} as const satisfies { [R in SessionResource]: readonly (keyof SummaryValues<R>)[] }

/** Returns SQL of these columns, over the table of a resource. */
function sessionColumnsSql(resource: SessionResource): string {
  const known = DETAILS[resource].map((name) => `isNotNull(${name})`)
  const columns = {
    own_offset: 'timezone_offset',
    own_day: 'calendar_date',
    ...(resource === 'sleep' ? SLEEP : WORKOUTS),
    detail: known.join(' + '),
  }
  return Object.entries(columns)
    .map(([name, sql]) => `${name === 'has_stages' ? `toUInt8(${sql})` : sql} as ${name}`)
    .join(', ')
}

type IdentityColumns = Pick<
  SummaryRow,
  | 'id'
  | 'provider'
  | 'source_type'
  | 'app_id'
  | 'external_id'
  | 'calendar_date'
  | 'started_at'
  | 'ended_at'
>

/** The columns of a row from which a session is merged, with those of sessionColumnsSql. */
type SessionOutline = IdentityColumns & SessionColumns

function toSessionRecord(row: SessionOutline): SessionRecord {
  return {
    id: row.id,
    provider: row.provider,
    sourceType: row.source_type,
    appId: row.app_id,
    externalId: row.external_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    offset: row.own_offset,
    day: row.calendar_date,
    namesDay: row.own_day !== null,
    hasStages: row.has_stages === 1,
    sport: row.known_sport,
    seconds: row.known_seconds,
    meters: row.known_meters,
    detail: row.detail,
  }
}

/** Sleeps or workouts as merging compares them, and their rows at the same positions. */
interface Sessions<R extends SessionResource> {
  rows: SummaryRow<R>[]
  records: SessionRecord[]
}

/** Returns the sessions of a range, in the order of the filter. */
export async function listSessions<R extends SessionResource>(
  scope: Scope,
  resource: R,
  person: Person,
  provider: string,
  dates: DateFilter,
): Promise<Sessions<R>> {
  const further = `${sessionColumnsSql(resource)}, `
  const rows = (await listSummaries(
    ...([scope, resource, person, provider, dates, further] as const),
  )) as (SummaryRow<R> & SessionColumns)[]
  return { rows, records: rows.map(toSessionRecord) }
}

/**
 * Returns the sessions of a range without their rows, in no order.
 * @throws AppError 400 `range_too_large`
 */
export async function listSessionRecords(
  scope: Scope,
  resource: SessionResource,
  person: Person,
  dates: DateFilter,
): Promise<SessionRecord[]> {
  const rows = await scope.clickhouse.queryRows<object>(
    `select id, provider, source_type, app_id, external_id, local_day,
      toUnixTimestamp64Milli(started_at) as started_ms,
      toUnixTimestamp64Milli(ended_at) as ended_ms, ${sessionColumnsSql(resource)}
    from ${personRowsSql(resource, person.fallbackZone)}
    where ${dates.where}
    limit ${MOST_ROWS + 1}`,
    { ...parametersOf(scope, person, ''), ...dates.parameters },
  )
  if (rows.length > MOST_ROWS) throw TOO_MANY_ROWS
  return rows.map((row) => toSessionRecord(toRow(row) as unknown as SessionOutline))
}
