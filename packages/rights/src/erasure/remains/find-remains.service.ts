import type { FileStore } from '@salus/kernel/files/file-store'
import type { RowScope } from '@salus/kernel/scope'
import type { PersonRowsScope } from '../../person-data/index.ts'
import type { ErasureSearch } from '../erasure.schema.ts'
import { countOutdatedParts, searchClickHouse } from './search-clickhouse.global.repository.ts'
import { searchFiles } from './search-files.ts'
import {
  type Remains,
  searchPostgres,
  searchUnownedBytes,
} from './search-postgres.global.repository.ts'
import { allTerms, type SearchTerms } from './search-terms.repository.ts'

/** Findings from before the user's rows of PostgreSQL were deleted. */
type EarlySearch = Awaited<ReturnType<typeof searchBeforeDelete>>

/**
 * Searches for a user in all data that the end of an erasure does not change: ClickHouse and files,
 * from which theirs are already removed, and the packed bodies of other users. It takes by far the
 * longest, and no transaction waits for it.
 */
export async function searchBeforeDelete(
  { db, clickhouse }: RowScope & PersonRowsScope,
  files: FileStore,
  userId: string,
  terms: SearchTerms,
) {
  const all = allTerms(terms)
  return {
    bytes: await searchUnownedBytes(db, all),
    stored: await searchClickHouse(clickhouse, userId, terms),
    found: await searchFiles(db, files, all, terms.ids),
    outdated: await countOutdatedParts(clickhouse),
  }
}

/**
 * Searches PostgreSQL again for a user whose rows are deleted, by all their search terms.
 * @returns the searched data, and the findings: rows and files that no table of users assigns to
 *   them
 */
export async function findRemains(
  db: RowScope['db'],
  terms: SearchTerms,
  { bytes, stored, found, outdated }: EarlySearch,
): Promise<ErasureSearch> {
  const rows = await searchPostgres(db, allTerms(terms))
  const of = (store: 'postgresql' | 'clickhouse' | 'files', remains: readonly Remains[]) =>
    remains.map((one) => ({ store, ...one }))
  return {
    searched: {
      postgresql_tables: rows.tables,
      clickhouse_tables: stored.tables,
      files: found.files,
      ids: terms.ids.length,
      words: terms.words.length,
    },
    remaining: [
      ...of('postgresql', [...rows.remains, ...bytes]),
      ...of('clickhouse', stored.remains),
      ...of('files', found.remains),
    ],
    outdated,
  }
}
