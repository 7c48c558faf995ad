import type { PriorityListener } from '../../source-priorities/index.ts'
import { readsTable } from '../evaluating/query-shape.ts'
import { DATA_TYPES } from '../evaluating/query-target.service.ts'
import { beginAgain, listActiveQueries, type QueryRow } from '../managing/queries.repository.ts'
import { SCHEDULE } from '../schedule.ts'
import { invalidateResults } from './invalidations.global.repository.ts'

/** All that a result can hold, epoch milliseconds. */
const EVER = { from: Date.UTC(1900), to: Date.UTC(2200) }

/**
 * Which source counts first is a part of results. When a team's priorities change, the queries that
 * rest on them begin anew for everybody; when a person's do, those on merged series are evaluated
 * for that person.
 */
export const EVALUATE_BY_PRIORITIES: PriorityListener = {
  async prioritiesChanged(tx, userId, dataTypes) {
    const active = await listActiveQueries(tx)
    const reads = (table: string) => (query: QueryRow) => readsTable(query.query, table)
    if (userId === null) {
      const tables = DATA_TYPES.filter(([, dataType]) => dataTypes.has(dataType))
      const touched = active.filter((query) => tables.some(([table]) => reads(table)(query)))
      return beginAgain(
        tx,
        touched.map(({ id }) => id),
      )
    }
    // Rules of a person are those of merged reads alone.
    const resources = active.filter(reads('merged')).flatMap((query) => query.resource_dependencies)
    if (resources.length === 0) return
    const environmentId = tx.environment.id
    const changes = [...new Set(resources)].map((resource) => ({
      ...{ environmentId, userId, resource },
      ...EVER,
    }))
    await invalidateResults(tx.db, changes, tx.clock.now(), SCHEDULE)
  },
}
