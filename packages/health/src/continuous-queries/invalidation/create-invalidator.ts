import type { DataChange, DataChangeListener } from '@salus/kernel/data-changes'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { SCHEDULE } from '../schedule.ts'
import { invalidateResults, listWatchedResources } from './invalidations.global.repository.ts'

/** Environments of which it is known what they watch. */
const MOST_ENVIRONMENTS = 10_000

/**
 * How long it is believed what an environment watches. A query that is created meanwhile loses
 * nothing by it: its first evaluation begins 60 s after its creation, reads everything that is
 * stored by then, and is of all people there are by then; what comes later finds the query here.
 */
const BELIEVED_MS = 5_000

interface Watched {
  resources: ReadonlySet<string>
  staleAt: number
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Invalidates what continuous queries have to evaluate again, before the data are stored: a crash
 * between the two costs an evaluation that finds nothing, and never a change. Environments without
 * such queries cost one small statement every few seconds and nothing an upload.
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
