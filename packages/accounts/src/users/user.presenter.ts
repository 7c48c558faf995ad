import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { ShownConnections } from './connections-of-users.ts'
import type { UserRow } from './users.repository.ts'
import type { User } from './users.schema.ts'

/**
 * Returns a stored user as the API shows it.
 * @param connections Undefined for a user without connections.
 */
export function toUser(
  { environment }: Scope,
  row: UserRow,
  connections: ShownConnections | undefined,
): User {
  return {
    user_id: row.id,
    team_id: environment.teamId,
    client_user_id: row.client_user_id,
    created_on: formatInstant(row.created_at),
    connected_sources: connections?.connectedSources ?? [],
    fallback_time_zone: fallbackTimeZone(row),
    fallback_birth_date: fallbackBirthDate(row),
    ingestion_start: row.ingestion_start,
    ingestion_end: row.ingestion_end,
    units: row.units,
  }
}

function fallbackTimeZone(row: UserRow): User['fallback_time_zone'] {
  if (row.fallback_time_zone === null || row.fallback_time_zone_updated_at === null) return null
  return {
    id: row.fallback_time_zone,
    source_slug: row.fallback_time_zone_source ?? 'manual',
    updated_at: formatInstant(row.fallback_time_zone_updated_at),
  }
}

function fallbackBirthDate(row: UserRow): User['fallback_birth_date'] {
  if (row.fallback_birth_date === null || row.fallback_birth_date_updated_at === null) return null
  return {
    value: row.fallback_birth_date,
    source_slug: row.fallback_birth_date_source ?? 'manual',
    updated_at: formatInstant(row.fallback_birth_date_updated_at),
  }
}
