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
import type { SearchTerm, SearchTerms } from './search-terms.repository.ts'

const allTerms = ({ ids, words }: SearchTerms): SearchTerm[] => [...ids.map((id) => [id]), ...words]

/** What was found before the person's rows of PostgreSQL were deleted. */
type EarlySearch = Awaited<ReturnType<typeof searchBefore>>

/**
 * Looks for a person through what the end of an erasure does not change: ClickHouse and files, of
 * which theirs are gone by then, and the packed bodies of others. It takes by far the longest, and
 * no transaction waits for it.
 */
export async function searchBefore(
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
 * Looks once more through PostgreSQL for a person whose rows are gone, by all that they would be
 * found by.
 * @returns what was searched, and what was found: rows and files that no table of people says to be
 *   theirs
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
