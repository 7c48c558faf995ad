import { PERSON_TABLES } from '../person-data/index.ts'
import type { ErasureStatement } from './erasure.schema.ts'
import type { FoundOfPerson } from './erasures.repository.ts'

/** Data that an erasure cannot reach, listed in every receipt. */
const NOT_COVERED = [
  'backups and exports that were made before',
  'deleted rows in files of the stores, until they are overwritten or cleaned up',
  'events that webhooks had delivered to endpoints of the team',
  'data that laboratories and providers hold themselves',
]

/**
 * Describes the data of a user: what an erasure removes from which store, what is kept and why, and
 * what it cannot reach.
 * @param found Null when nothing was counted.
 */
export function describeRemovedAndKept(
  found: FoundOfPerson | null,
): Pick<ErasureStatement, 'removed' | 'kept' | 'not_covered'> {
  const removed = (store: string): Record<string, number> =>
    Object.fromEntries(
      PERSON_TABLES.filter((table) => table.store === store).flatMap(({ name, erased }) => {
        const rows = found?.rows[name]
        return typeof erased === 'string' && rows !== undefined ? [[name, rows]] : []
      }),
    )
  return {
    removed: {
      postgresql: removed('postgresql'),
      clickhouse: removed('clickhouse'),
      files: found?.files ?? {},
    },
    kept: PERSON_TABLES.flatMap(({ name, erased }) =>
      typeof erased === 'string' ? [] : [{ table: name, reason: erased.kept }],
    ),
    not_covered: NOT_COVERED,
  }
}
