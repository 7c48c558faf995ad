import type { FileStore } from '@salus/kernel/files/file-store'
import type { RowScope } from '@salus/kernel/scope'
import type { PersonRowsScope } from '../../person-data/index.ts'
import type { ErasureSearch } from '../erasure.schema.ts'
import { countOutdatedParts, searchClickHouse } from './search-clickhouse.global.repository.ts'
import { searchFiles } from './search-files.ts'
import { searchPostgres } from './search-postgres.global.repository.ts'
import type { SearchTerm, SearchTerms } from './search-terms.repository.ts'

/**
 * Looks once more through all stores for somebody whose rows are gone, by all that they would be found by.
 * @returns what was searched, and what was found: rows and files that no table of people says to be theirs
 */
export async function findRemains(
  { db, clickhouse }: RowScope & PersonRowsScope,
  files: FileStore,
  userId: string,
  terms: SearchTerms,
): Promise<ErasureSearch> {
  const all: SearchTerm[] = [...terms.ids.map((id) => [id]), ...terms.words]
  const rows = await searchPostgres(db, all)
  const stored = await searchClickHouse(clickhouse, userId, terms)
  const found = await searchFiles(db, files, all)
  const of = (
    store: 'postgresql' | 'clickhouse' | 'files',
    { remains }: typeof rows | typeof found,
  ) => remains.map((one) => ({ store, ...one }))
  return {
    searched: {
      postgresql_tables: rows.tables,
      clickhouse_tables: stored.tables,
      files: found.files,
      ids: terms.ids.length,
      words: terms.words.length,
    },
    remaining: [...of('postgresql', rows), ...of('clickhouse', stored), ...of('files', found)],
    outdated: await countOutdatedParts(clickhouse),
  }
}
