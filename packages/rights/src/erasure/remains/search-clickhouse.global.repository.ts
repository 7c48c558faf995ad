import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { UNSEARCHED_HISTORY } from './search-exceptions.registry.ts'
import type { Remains } from './search-postgres.global.repository.ts'
import type { SearchTerms } from './search-terms.repository.ts'

interface StoredTable {
  name: string
  has_person: number
}

/** Parts of ClickHouse besides rows that queries reach. */
export interface OutdatedParts {
  /**
   * Parts with rows from before they were rewritten without the user; removed after some minutes.
   */
  clickhouse_outdated_parts: number
  /** Parts that were detached from their tables by hand, or were broken. */
  clickhouse_detached_parts: number
}

/**
 * Searches every table for a user, as the catalog lists them: by the column of the user where there
 * is one, so that rows of other users are not read, and else by every word and id.
 */
export async function searchClickHouse(
  clickhouse: ClickHouse,
  userId: string,
  { ids, words }: SearchTerms,
): Promise<{ tables: number; remains: Remains[] }> {
  const remains = new Map<string, number>()
  let tables = 0
  const needles = [...ids, ...words.flatMap((term) => (term.length === 1 ? term : []))]
  for (const server of serversOf(clickhouse)) {
    const stored = await server.queryRows<StoredTable>(
      `select t.name as name, max(c.name = 'user_id') as has_person
      from system.tables t join system.columns c on c.database = t.database and c.table = t.name
      where t.database = currentDatabase() and t.engine like '%MergeTree'
      group by t.name order by t.name`,
    )
    tables = Math.max(tables, stored.length)
    for (const { name, has_person: hasPerson } of stored) {
      if (name in UNSEARCHED_HISTORY) continue
      const [found] = await server.queryRows<{ rows: number }>(
        hasPerson
          ? `select toUInt32(count()) as rows from ${name} where user_id = {userId:UUID}`
          : `select toUInt32(count()) as rows from ${name}
            where multiSearchAnyCaseInsensitiveUTF8(toString(tuple(*)), {needles:Array(String)})`,
        hasPerson ? { userId } : { needles },
      )
      if (found && found.rows > 0) remains.set(name, (remains.get(name) ?? 0) + found.rows)
    }
  }
  return { tables, remains: [...remains].map(([table, rows]) => ({ table, rows })) }
}

/** Counts the parts, on all servers, that no query about rows reaches. */
export async function countOutdatedParts(clickhouse: ClickHouse): Promise<OutdatedParts> {
  const counted = await Promise.all(
    serversOf(clickhouse).map((server) =>
      server.queryRows<OutdatedParts>(
        `select toUInt32((select count() from system.parts
            where database = currentDatabase() and not active)) as clickhouse_outdated_parts,
          toUInt32((select count() from system.detached_parts
            where database = currentDatabase())) as clickhouse_detached_parts`,
      ),
    ),
  )
  const sum = (name: keyof OutdatedParts) =>
    counted.flat().reduce((total, parts) => total + parts[name], 0)
  return {
    clickhouse_outdated_parts: sum('clickhouse_outdated_parts'),
    clickhouse_detached_parts: sum('clickhouse_detached_parts'),
  }
}

const serversOf = (clickhouse: ClickHouse): readonly ClickHouse[] =>
  clickhouse.cluster?.servers ?? [clickhouse]
