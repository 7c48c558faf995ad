import { findProvider, type ProviderRef, toProviderRef } from '@salus/contracts/providers'
import { formatInstant } from '@salus/kernel/time/instants'
import type { DeviceRow } from '../../connections/index.ts'
import { deviceOf, type PresenterContext } from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import { sportOf } from '../workout/workout.presenter.ts'
import type { RawDevice, RawProfile } from './raw-summary.schema.ts'

type WithRaw<Row> = Row & {
  /** JSON text. */
  raw: string
}
export type RawResource = 'activity' | 'body' | 'sleep' | 'workouts'

function providerOf(slug: string, { baseUrl }: PresenterContext): ProviderRef {
  const provider = findProvider(slug)
  return provider === undefined ? { name: '', slug, logo: '' } : toProviderRef(baseUrl, provider)
}

/** Returns the item, or an empty object when the source sent none. */
function dataOf(json: string): object {
  const item: unknown = json === '' ? null : JSON.parse(json)
  return typeof item === 'object' && item !== null ? item : {}
}

/** Converts a stored item with the fields around it (docs/contract/06-summaries.md#raw-data). */
export function toRaw<R extends RawResource>(
  resource: R,
  row: WithRaw<SummaryRow<R>>,
  context: PresenterContext,
): object {
  const common = {
    id: row.id,
    user_id: context.userId,
    timestamp: formatInstant(row.started_at),
    data: dataOf(row.raw),
    provider_id: row.external_id,
    source_id: 0,
    priority_id: 0,
    source_device_id: deviceOf(row, context),
    source: providerOf(row.provider, context),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
  if (resource === 'activity') return common
  if (resource !== 'workouts') return { ...common, priority: null }
  const sport = sportOf(row as unknown as SummaryRow<'workouts'>)
  return { ...common, sport_id: sport.id, sport }
}

/**
 * Converts a profile as the provider sent it, in `data`; source_id and priority_id are always 0,
 * for clients that expect them.
 */
export function toRawProfile(
  row: WithRaw<SummaryRow<'profile'>>,
  context: PresenterContext,
): RawProfile {
  return {
    id: row.id,
    user_id: context.userId,
    data: dataOf(row.raw),
    source_id: 0,
    priority_id: 0,
    source: providerOf(row.provider, context),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

/**
 * Converts a device to the form of raw summaries; its own id replaces a missing one of the
 * provider.
 */
export function toRawDevice(device: DeviceRow, context: PresenterContext): RawDevice {
  const { source_type, app_id, device_manufacturer, device_model, device_version } = device
  return {
    id: device.id,
    user_id: context.userId,
    data: { source_type, app_id, device_manufacturer, device_model, device_version },
    provider_id: device.device_id ?? device.id,
    source_id: 0,
    source: providerOf(device.provider, context),
  }
}
