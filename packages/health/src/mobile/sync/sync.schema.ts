import { DateTime, DateTimeInput, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { BACKFILL_TYPES } from './backfill-types.ts'

const SDK_STORES = ['apple_health_kit', 'health_connect', 'samsung_health'] as const

export const ByUserAndStore = Type.Object({ user_id: Uuid, provider: TextEnum(SDK_STORES) })

export const SyncStateBody = Type.Object(
  {
    tzinfo: Type.String({ maxLength: 255, description: 'IANA time zone of the device.' }),
    request_start_date: Type.Optional(Nullable(DateTimeInput)),
    request_end_date: Type.Optional(Nullable(DateTimeInput)),
    granted_permissions: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 1000 }))),
  },
  { title: 'SdkSyncStateRequest' },
)
export type SyncStateBody = Type.Static<typeof SyncStateBody>

const DaysToPull = Type.Object({ historical_days_to_pull: Type.Integer() })

const PullPreferences = Type.Object({
  historical_days_to_pull: Type.Integer(),
  backfill_type_overrides: Nullable(Type.Record(Type.String(), DaysToPull)),
})

const ChunkSizes = Type.Object({
  timeseries: Type.Integer(),
  activity_timeseries: Type.Integer(),
  electrocardiogram: Type.Integer(),
  workout: Type.Integer(),
  sleep: Type.Integer(),
})

const HealthKitParams = Type.Object({
  query_chunk_sizes_background: ChunkSizes,
  query_chunk_sizes_foreground: ChunkSizes,
  workout_stream: Type.Boolean(),
  workout_heart_rate: Type.Boolean(),
})

export const SyncState = Type.Object(
  {
    status: TextEnum(['active', 'paused', 'error']),
    request_start_date: Nullable(DateTime),
    request_end_date: Nullable(DateTime),
    ingestion_start: Nullable(DateTime),
    per_device_activity_ts: Type.Boolean(),
    expires_in: Type.Integer(),
    pull_preferences: Nullable(PullPreferences),
    reporting_interval: Nullable(Type.Number()),
    health_kit_params: Nullable(HealthKitParams),
  },
  { title: 'SdkSyncState' },
)
export type SyncState = Type.Static<typeof SyncState>

export const HistoricalStageBody = Type.Object(
  {
    range_start: DateTimeInput,
    range_end: DateTimeInput,
    backfill_type: TextEnum(BACKFILL_TYPES),
  },
  { title: 'SdkHistoricalStage' },
)
export type HistoricalStageBody = Type.Static<typeof HistoricalStageBody>

/** Stored unchanged: clients may send further fields. */
const SyncProgress = Type.Object({
  backfill_types: Type.Optional(Type.Record(Type.String(), Type.Object({}))),
  system_events: Type.Optional(Type.Array(Type.Object({}))),
  data_count: Type.Optional(Type.Number()),
})

const DeviceInfo = Type.Object({
  os_version: Type.Optional(Nullable(Type.String())),
  model: Type.Optional(Nullable(Type.String())),
  app_bundle: Type.Optional(Nullable(Type.String())),
  app_version: Type.Optional(Nullable(Type.String())),
  app_build: Type.Optional(Nullable(Type.String())),
})

export const SyncProgressBody = Type.Object(
  { sync_progress: SyncProgress, device_info: DeviceInfo },
  { title: 'SdkSyncProgress' },
)
export type SyncProgressBody = Type.Static<typeof SyncProgressBody>
