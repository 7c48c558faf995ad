import { leastEventId } from '@salus/kernel/events/event-id'
import { sql } from 'kysely'
import { type HistoryScope, queryHistory } from './event-history.repository.ts'
import {
  type HistoryState,
  readAtOneInstant,
  readHistoryState,
} from './history-state.global.repository.ts'

/** Beginnings of the types of events that bring new data of a person. */
const PREFIXES = ['daily.data.', 'historical.data.'] as const

interface DayCount {
  date: string
  total: number
}

/**
 * Counts the events with new data of each UTC day that has some, by the day as YYYY-MM-DD. An event
 * that was sent again may count twice until ClickHouse merges its rows.
 */
export async function countDataEvents(
  { db, clickhouse, environment }: HistoryScope,
  since: Date,
): Promise<Map<string, number>> {
  const state = await readHistoryState(db)
  const rows =
    state.moves === 0
      ? await countRecent({ db, clickhouse, environment }, since)
      : await readAtOneInstant(db, async (at, moved) => {
          const instant = { db: at, clickhouse, environment }
          const recent = await countRecent(instant, since)
          return [...recent, ...(await countMoved(instant, moved, since))]
        })
  const counts = new Map<string, number>()
  for (const { date, total } of rows) counts.set(date, (counts.get(date) ?? 0) + total)
  return counts
}

async function countRecent({ db, environment }: HistoryScope, since: Date): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*) as total
    from events
    where environment_id = ${environment.id} and id >= ${leastEventId(since.getTime())}
      and event_type like any(${PREFIXES.map((prefix) => `${prefix}%`)}::text[])
    group by 1`.execute(db)
  return rows
}

function countMoved(scope: HistoryScope, state: HistoryState, since: Date): Promise<DayCount[]> {
  return queryHistory(
    scope,
    state,
    `select toString(toDate(created_at)) as date, count() as total from event_history
    where environment_id = {environmentId:UUID} and move <= {moves:UInt64}
      and created_at >= fromUnixTimestamp64Milli({since:Int64})
      and (${PREFIXES.map((prefix) => `startsWith(event_type, '${prefix}')`).join(' or ')})
    group by date`,
    { since: since.getTime() },
  )
}
