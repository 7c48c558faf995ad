import type { PriorityListener } from '../../source-priorities/index.ts'
import { isMerged, readsTable } from '../evaluating/query-shape.ts'
import { DATA_TYPES } from '../evaluating/query-target.service.ts'
import { listActiveQueries, type QueryRow, restartQueries } from '../managing/queries.repository.ts'
import { SCHEDULE } from '../schedule.ts'
import { invalidateResults } from './invalidations.global.repository.ts'

/** The whole range of a result, epoch milliseconds. */
const EVER = { from: Date.UTC(1900), to: Date.UTC(2200) }

/**
 * Invalidates results when source priorities change. A team's change starts the queries that depend
 * on its priorities anew for every user; a user's change invalidates that user's queries that merge
 * sources.
 */
export const EVALUATE_BY_PRIORITIES: PriorityListener = {
  async prioritiesChanged(tx, userId, dataTypes) {
    const active = await listActiveQueries(tx)
    const reads = (table: string) => (query: QueryRow) => readsTable(query.query, table)
    if (userId === null) {
      const tables = DATA_TYPES.filter(([, dataType]) => dataTypes.has(dataType))
      const touched = active.filter((query) => tables.some(([table]) => reads(table)(query)))
      return restartQueries(
        tx,
        touched.map(({ id }) => id),
      )
    }
    // A user's rules only apply to merged reads.
    const merged = active.filter(({ query }) => isMerged(query))
    const resources = merged.flatMap((query) => query.resource_dependencies)
    if (resources.length === 0) return
    const environmentId = tx.environment.id
    const changes = [...new Set(resources)].map((resource) => ({
      ...{ environmentId, userId, resource },
      ...EVER,
    }))
    await invalidateResults(tx.db, changes, tx.clock.now(), SCHEDULE)
  },
}
