import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { parseRowStream } from '@salus/kernel/clickhouse/result-rows'
import { UNSEARCHED_HISTORY } from './search-exceptions.registry.ts'
import { matcherOf, type Remains } from './search-postgres.global.repository.ts'
import { allTerms, type SearchTerms } from './search-terms.repository.ts'

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

/** Person of rows that name none. */
const NO_PERSON = `toUUID('00000000-0000-0000-0000-000000000000')`

/**
 * Searches every table for a user, as the catalog lists them: by the column of the user where there
 * is one, so that rows of other users are not read; rows without a user by every word and id.
 */
export async function searchClickHouse(
  clickhouse: ClickHouse,
  userId: string,
  terms: SearchTerms,
): Promise<{ tables: number; remains: Remains[] }> {
  const remains = new Map<string, number>()
  let tables = 0
  const holds = matcherOf(allTerms(terms))
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
      let found = await countRows(
        server,
        `${name} ${hasPerson ? `where user_id = ${NO_PERSON}` : ''}`,
        holds,
      )
      if (hasPerson) {
        const [own] = await server.queryRows<{ rows: number }>(
          `select toUInt32(count()) as rows from ${name} where user_id = {userId:UUID}`,
          { userId },
        )
        found += own?.rows ?? 0
      }
      if (found > 0) remains.set(name, (remains.get(name) ?? 0) + found)
    }
  }
  return { tables, remains: [...remains].map(([table, rows]) => ({ table, rows })) }
}

/** Counts rows with one of the terms in any column. */
async function countRows(
  server: ClickHouse,
  rows: string,
  holds: (text: string) => boolean,
): Promise<number> {
  const stream = server.queryStream(`select * from ${rows}`, {}, 'JSONEachRow')
  let found = 0
  for await (const some of parseRowStream<Record<string, unknown>>(stream)) {
    found += some.filter((row) => holds(Object.values(row).join(' ').toLowerCase())).length
  }
  return found
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
