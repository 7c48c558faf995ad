import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import {
  eraseHiddenRows,
  eraseRows,
  eraseRowsIfAny,
  hideRows,
  type PersonRows,
  rowsOfPeople,
} from '@salus/kernel/clickhouse/remove-rows'

/** Tables of moved events and of attempts to deliver them; those of attempts come first. */
export const HISTORY_TABLES = ['webhook_attempt_history', 'event_history'] as const

/** Removes everything about users; it no longer exists when this returns. */
export async function eraseMovedEvents(
  clickhouse: ClickHouse,
  owners: readonly PersonRows[],
): Promise<void> {
  const rows = rowsOfPeople(owners)
  for (const table of HISTORY_TABLES) await eraseRowsIfAny(clickhouse, { table, ...rows })
}

interface EventsAbout {
  environmentId: string
  /** Ids of the records that the events are about. */
  ids: readonly string[]
  /** Whether the bytes are gone when this returns; else with the next daily retention. */
  isErasure: boolean
}

/** Removes events about records, with their attempts. */
export async function removeMovedAbout(
  clickhouse: ClickHouse,
  { environmentId, ids, isErasure }: EventsAbout,
): Promise<void> {
  const events = await clickhouse.queryRows<{ id: string }>(
    `select distinct id from event_history
    where environment_id = {environmentId:UUID} and hasAny(subject_ids, {ids:Array(UUID)})
    settings apply_deleted_mask = ${isErasure ? 0 : 1}`,
    { environmentId, ids },
  )
  if (events.length === 0) return
  const parameters = { environmentId, eventIds: events.map(({ id }) => id) }
  const remove = isErasure ? eraseRows : hideRows
  for (const table of HISTORY_TABLES) {
    const id = table === 'event_history' ? 'id' : 'event_id'
    const condition = `environment_id = {environmentId:UUID} and ${id} in {eventIds:Array(String)}`
    await remove(clickhouse, { table, condition, parameters })
  }
}

/** Removes the bytes of events that removeMovedAbout only hid. */
export async function eraseHiddenEvents(clickhouse: ClickHouse): Promise<void> {
  for (const table of HISTORY_TABLES) await eraseHiddenRows(clickhouse, table)
}
