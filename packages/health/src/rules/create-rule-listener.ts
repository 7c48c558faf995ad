import { DAY_MS } from '@salus/contracts/time-units'
import type { DataChange, DataChangeListener } from '@salus/kernel/data-changes'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import {
  listWatchedResources,
  scheduleChecks,
  type WatchedResources,
} from './checks.global.repository.ts'
import { ANY_RESOURCE } from './rule-plan.ts'
import { DELAY_SECONDS, REST_SECONDS } from './schedule.ts'

/** Maximum number of environments whose watched resources are cached. */
const MOST_ENVIRONMENTS = 10_000
/** How long the watched resources of an environment are cached. */
const BELIEVED_MS = 5_000
/** Longest time that any rule looks back; older data change no judgement. */
const MOST_BACK_MS = 62 * DAY_MS

const NOTHING: WatchedResources = { all: new Set(), missed: new Set() }

/**
 * Creates the function that schedules checks of rules before data are stored: a crash in between
 * costs a check that finds nothing, and never loses one. Environments without rules cost one small
 * statement every few seconds and nothing for an upload.
 */
export function createRuleListener({ db, clock }: { db: Db; clock: Clock }): DataChangeListener {
  const watched = new Map<string, { resources: WatchedResources; staleAt: number }>()

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
      const relevant = changes.flatMap(({ environmentId, userId, resource, to }) => {
        const { all, missed } = watched.get(environmentId)?.resources ?? NOTHING
        const isIn = (names: ReadonlySet<string>) => names.has(resource) || names.has(ANY_RESOURCE)
        const isMissed = isIn(missed)
        const isJudged = isMissed || (all.has(resource) && to >= now.getTime() - MOST_BACK_MS)
        const change = { environmentId, userId, resource, to: new Date(to), isMissed, isJudged }
        return isMissed || isJudged ? [change] : []
      })
      if (relevant.length === 0) return
      const schedule = { now, delaySeconds: DELAY_SECONDS, restSeconds: REST_SECONDS }
      await scheduleChecks(db, relevant, schedule)
    },
  }
}
