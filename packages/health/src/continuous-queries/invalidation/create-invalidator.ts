import type { DataChange, DataChangeListener } from '@salus/kernel/data-changes'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { SCHEDULE } from '../schedule.ts'
import { invalidateResults, listWatchedResources } from './invalidations.global.repository.ts'

/** Maximum number of environments whose watched resources are cached. */
const MOST_ENVIRONMENTS = 10_000

/**
 * How long the watched resources of an environment are cached. A query that is created meanwhile
 * loses nothing: its first evaluation begins 60 s after its creation, covers all users and reads
 * everything stored by then; later changes find the query here.
 */
const BELIEVED_MS = 5_000

interface Watched {
  resources: ReadonlySet<string>
  staleAt: number
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Creates the function that invalidates the results of continuous queries before data are stored: a
 * crash in between costs an evaluation without changes, and never loses one. Environments without
 * such queries cost one small statement every few seconds and nothing for an upload.
 */
export function createInvalidator({ db, clock }: { db: Db; clock: Clock }): DataChangeListener {
  const watched = new Map<string, Watched>()

  async function learn(environmentIds: Set<string>, now: number): Promise<void> {
    const stale = [...environmentIds].filter((id) => !((watched.get(id)?.staleAt ?? 0) > now))
    if (stale.length === 0) return
    const found = await listWatchedResources(db, stale)
    if (watched.size > MOST_ENVIRONMENTS) watched.clear()
    for (const id of stale) {
      watched.set(id, { resources: found.get(id) ?? NOTHING, staleAt: now + BELIEVED_MS })
    }
  }

  return {
    async willStore(changes: readonly DataChange[]): Promise<void> {
      if (changes.length === 0) return
      const now = clock.now()
      await learn(new Set(changes.map(({ environmentId }) => environmentId)), now.getTime())
      const isWatched = ({ environmentId, resource }: DataChange): boolean =>
        watched.get(environmentId)?.resources.has(resource) ?? false
      const relevant = changes.filter(isWatched)
      if (relevant.length > 0) await invalidateResults(db, relevant, now, SCHEDULE)
    },
  }
}
