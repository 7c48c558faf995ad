import type { UserRow } from '@salus/accounts/users'
import { findProvider } from '@salus/contracts/providers'
import { SERIES_BY_UPLOAD_NAME } from '@salus/contracts/series'
import { type ConnectionRow, listConnections, listDevices } from '@salus/health/connections'
import { listHistoricalPulls, listResources } from '@salus/health/coverage'
import { listQuarantinedItems } from '@salus/health/ingest'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { FoundReason } from './reasons.registry.ts'

const DATA_EVENT = /^(daily|historical)\.data\.(.+)\.(created|updated)$/

/**
 * Explains events of a resource: reasons for which its data did not arrive, were not stored, or
 * emitted no event.
 */
export async function explainData(
  scope: Scope,
  user: UserRow,
  eventType: string,
): Promise<FoundReason[]> {
  const [, stage, resource = '', verb] = DATA_EVENT.exec(eventType) ?? []
  const names = namesOf(resource)
  const connections = await listConnections(scope, user.id)
  return [
    ...explainConnections(connections, names),
    ...explainBounds(user),
    ...(await explainStored(scope, user, names, verb === 'updated')),
    ...(await explainHistory(scope, user, names, stage === 'historical')),
    ...(await explainQuarantine(scope, user, names)),
  ]
}

/** Returns every name of a resource: in events, in uploads, in paths. */
function namesOf(resource: string): ReadonlySet<string> {
  const series = SERIES_BY_UPLOAD_NAME.get(resource)
  if (series === undefined) return new Set([resource])
  return new Set([resource, series.name, series.resource, ...series.uploadNames])
}

function explainConnections(
  connections: readonly ConnectionRow[],
  names: ReadonlySet<string>,
): FoundReason[] {
  if (connections.length === 0) return [{ code: 'no_connection' }]
  const offers = (slug: string) =>
    findProvider(slug)?.resources.some((resource) => names.has(resource)) ?? false
  const able = connections.filter(({ provider }) => offers(provider))
  if (able.length === 0) return [{ code: 'resource_not_offered' }]
  return able.flatMap(
    ({ provider, status, error_details: error, updated_at: at }): FoundReason[] => {
      if (status === 'error') {
        return [{ code: 'connection_error', provider, at: error?.errored_at ?? null }]
      }
      if (status !== 'paused') return []
      return [{ code: 'connection_paused', provider, at: formatInstant(at) }]
    },
  )
}

function explainBounds({ ingestion_start, ingestion_end }: UserRow): FoundReason[] {
  return ingestion_start === null && ingestion_end === null ? [] : [{ code: 'outside_bounds' }]
}

async function explainStored(
  scope: Scope,
  user: UserRow,
  names: ReadonlySet<string>,
  isUpdate: boolean,
): Promise<FoundReason[]> {
  const { data } = await listResources(scope, { user_id: user.id, user_limit: 1 })
  const known = Object.entries(data[0]?.provider ?? {}).flatMap(([provider, resources]) =>
    Object.entries(resources)
      .filter(([resource]) => names.has(resource))
      .map(([, statistics]) => ({ provider, ...statistics })),
  )
  const code = isUpdate ? 'never_changed' : 'unchanged'
  const stored = known.filter(({ newest_data: newest }) => newest !== null)
  return [
    ...known.flatMap(({ provider, last_attempt: attempt }): FoundReason[] => {
      if (attempt?.status !== 'failure') return []
      return [{ code: 'last_attempt_failed', provider, at: attempt.timestamp }]
    }),
    ...stored.map(({ provider, newest_data: at }) => ({ code, provider, at }) as const),
    ...(stored.length === 0 ? [{ code: 'nothing_came' } as const] : []),
  ]
}

async function explainHistory(
  scope: Scope,
  user: UserRow,
  names: ReadonlySet<string>,
  isHistorical: boolean,
): Promise<FoundReason[]> {
  const { data } = await listHistoricalPulls(scope, { user_id: user.id, user_limit: 1 })
  const pulls = Object.entries(data[0]?.provider ?? {}).flatMap(([provider, { pulled }]) =>
    Object.entries(pulled)
      .filter(([resource]) => names.has(resource))
      .map(([, statistics]) => ({ provider, ...statistics })),
  )
  if (pulls.length === 0) return isHistorical ? [{ code: 'no_history' }] : []
  const isSilent = !scope.environment.settings.push_historical_data
  return pulls.flatMap(({ provider, status, timeline }): FoundReason[] => {
    const at = timeline.ended_at ?? timeline.started_at ?? timeline.scheduled_at
    if (status === 'failure') return [{ code: 'history_failed', provider, at }]
    if (status !== 'success') return [{ code: 'history_running', provider, at }]
    if (isHistorical) return [{ code: 'history_done', provider, at }]
    return isSilent ? [{ code: 'history_silent', provider, at }] : []
  })
}

async function explainQuarantine(
  scope: Scope,
  user: UserRow,
  names: ReadonlySet<string>,
): Promise<FoundReason[]> {
  const pages = await Promise.all(
    [...names].map((resource) =>
      // The filter is one of our names, but its type does not know that of an event.
      listQuarantinedItems(scope, user.id, { resource: resource as never, limit: 1 }),
    ),
  )
  const item = pages.flatMap(({ items }) => items)[0]
  if (item === undefined) return []
  return [{ code: 'quarantined', provider: item.provider, at: item.received_at }]
}

/** Explains events of connections that were made, or ended with an error. */
export async function explainConnection(
  scope: Scope,
  user: UserRow,
  eventType: string,
): Promise<FoundReason[]> {
  const connections = await listConnections(scope, user.id)
  if (connections.length === 0) return [{ code: 'no_connection' }]
  if (eventType.endsWith('.created')) {
    return connections.map(({ provider, created_at: at }) => {
      return { code: 'already_connected', provider, at: formatInstant(at) }
    })
  }
  const failed = connections.filter(({ status }) => status === 'error')
  if (failed.length === 0) return [{ code: 'no_connection_error' }]
  return failed.map(({ provider, error_details: error }) => {
    return { code: 'connection_error', provider, at: error?.errored_at ?? null }
  })
}

/** Explains why no device was announced: `no_device` where none is known, else `device_known`. */
export async function explainDevice(scope: Scope, user: UserRow): Promise<FoundReason[]> {
  const devices = await listDevices(scope, user.id)
  return [{ code: devices.length === 0 ? 'no_device' : 'device_known' }]
}
