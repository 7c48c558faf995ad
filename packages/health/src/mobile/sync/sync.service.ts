import { getUserRow, learnTimeZone, type UserRow } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import {
  formatInstant,
  isTimeZone,
  parseEndBound,
  parseInstant,
  startOfUtcDay,
} from '@salus/kernel/time/instants'
import { findConnection, recordPermissions } from '../../connections/index.ts'
import { startHistory } from '../../ingest/index.ts'
import { listPullPreferences, type PullPreferences } from '../../pulling/index.ts'
import { BACKFILL_TYPES, resourceOfBackfillType } from './backfill-types.ts'
import type {
  HistoricalStageBody,
  SyncProgressBody,
  SyncState,
  SyncStateBody,
} from './sync.schema.ts'
import { upsertSyncReport } from './sync-reports.repository.ts'

/** Seconds until the next request of a client, and between its reports. */
const EXPIRES_IN = 14_400
const REPORTING_INTERVAL = 3600

/**
 * Returns the synchronization state for a client. Stores the zone of the device and its
 * permissions.
 * @throws AppError 404 for the user
 */
export async function readSyncState(
  scope: Scope,
  { user_id: userId, provider }: { user_id: string; provider: string },
  body: SyncStateBody,
): Promise<SyncState> {
  const user = await getUserRow(scope, userId)
  const connection = await findConnection(scope, user.id, provider)
  if (connection?.status === 'connected') await learnFromDevice(scope, user, provider, body)
  const [preferences] = await listPullPreferences(scope, [provider])
  const { ingestion_start: start, ingestion_end: end } = user
  return {
    status: statusOf(connection?.status),
    // The client keeps its own anchor: one of ours would move its range back once more.
    request_start_date: null,
    request_end_date: end && formatInstant(parseEndBound(end) ?? startOfUtcDay(end)),
    ingestion_start: start && formatInstant(startOfUtcDay(start)),
    per_device_activity_ts: scope.environment.settings.sdk_per_device_activity_timeseries,
    expires_in: EXPIRES_IN,
    pull_preferences: preferences === undefined ? null : toPullPreferences(preferences),
    reporting_interval: REPORTING_INTERVAL,
    health_kit_params: null,
  }
}

/** Without a connection there is nothing to synchronize: the client stops. */
function statusOf(connection: string | undefined): SyncState['status'] {
  if (connection === 'connected') return 'active'
  return connection === 'paused' ? 'paused' : 'error'
}

async function learnFromDevice(
  scope: Scope,
  user: Pick<UserRow, 'id'>,
  provider: string,
  { tzinfo: timeZone, granted_permissions: permissions }: SyncStateBody,
): Promise<void> {
  if (isTimeZone(timeZone)) {
    await learnTimeZone(scope, user.id, { timeZone, source: provider, at: scope.clock.now() })
  }
  if (permissions) await recordPermissions(scope, user.id, provider, permissions)
}

/** Returns null where the team has no preference that clients can use. */
function toPullPreferences({
  days,
  resourceOverrides,
}: PullPreferences): SyncState['pull_preferences'] {
  if (days === null) return null
  const overrides = BACKFILL_TYPES.flatMap((type) => {
    const override = resourceOverrides[type] ?? resourceOverrides[resourceOfBackfillType(type)]
    return override === undefined ? [] : [[type, { historical_days_to_pull: override }] as const]
  })
  return {
    historical_days_to_pull: days,
    backfill_type_overrides: overrides.length === 0 ? null : Object.fromEntries(overrides),
  }
}

/**
 * Records that a client begins with the history of a resource.
 * @throws AppError 404 for the user, 400 `not_connected`, `invalid_date_range`
 */
export async function startHistoricalStage(
  scope: Scope,
  { user_id: userId, provider }: { user_id: string; provider: string },
  { range_start, range_end, backfill_type: type }: HistoricalStageBody,
): Promise<void> {
  const [from, to] = [toInstant(range_start), toInstant(range_end)]
  if (from > to) throw badRequest('invalid_date_range', 'range_start is later than range_end.')
  const user = await getUserRow(scope, userId)
  const connection = await findConnection(scope, user.id, provider)
  if (connection?.status !== 'connected') {
    throw badRequest('not_connected', 'The user is not connected to this provider.')
  }
  await startHistory(scope, {
    userId: user.id,
    provider,
    resource: resourceOfBackfillType(type),
    from,
    to,
  })
}

const toInstant = (text: string): Date => new Date(parseInstant(text)?.epochMilliseconds ?? 0)

/**
 * Stores the latest report, for diagnosing delayed data.
 * @throws AppError 404 for the user
 */
export async function storeSyncProgress(
  scope: Scope,
  { user_id: userId, provider }: { user_id: string; provider: string },
  report: SyncProgressBody,
): Promise<void> {
  const user = await getUserRow(scope, userId)
  const of = { userId: user.id, provider }
  await upsertSyncReport(scope, of, JSON.stringify(report), scope.clock.now())
}
