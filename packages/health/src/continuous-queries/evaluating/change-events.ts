import type { UserReference } from '@salus/accounts/users'
import { JsonText, type NewEvent, newEvent } from '@salus/kernel/events/events'
import { resultTableChanged } from '../continuous-queries.events.ts'
import type { ResultColumn } from '../continuous-queries.tables.ts'
import { toTable } from './result-rows.ts'
import type { ResultRow } from './results.repository.ts'

/**
 * Maximum of rows, and approximate bytes of them, in one event; as for samples
 * (docs/contract/08-webhooks-and-events.md#event-types).
 */
const MOST_ROWS = 1_000
const MOST_BYTES = 200 * 1024

interface ChangedTable {
  query: { id: string; slug: string }
  user: UserReference
  columns: readonly ResultColumn[]
  rows: readonly ResultRow[]
}

/** Returns the events about new and changed rows, in the order of the rows. */
export function changeEvents({ query, user, columns, rows }: ChangedTable): NewEvent[] {
  return cutIntoParts(rows).map((part) => {
    const data = toTable(
      columns,
      part.map(({ json }) => JSON.parse(json) as unknown[]),
    )
    const change = [{ query_id: query.id, query_slug: query.slug, data }]
    return newEvent({ type: resultTableChanged, user, data: new JsonText(JSON.stringify(change)) })
  })
}

function cutIntoParts(rows: readonly ResultRow[]): ResultRow[][] {
  const parts: ResultRow[][] = []
  let bytes = 0
  for (const row of rows) {
    const size = Buffer.byteLength(row.json)
    const last = parts.at(-1)
    if (last === undefined || last.length === MOST_ROWS || bytes + size > MOST_BYTES) {
      parts.push([row])
      bytes = size
    } else {
      last.push(row)
      bytes += size
    }
  }
  return parts
}
