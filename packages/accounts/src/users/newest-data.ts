import { MINUTE_MS } from '@salus/contracts/time-units'
import type { DataChangeListener } from '@salus/kernel/data-changes'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { type NewestData, recordNewestData } from './newest-data.global.repository.ts'

/** People whose newest data a process remembers. */
const MOST_KNOWN = 100_000

/**
 * Records when the newest data of each person were measured, in whole minutes, and of what they
 * are. Data of the future count as of now. Of a person who sends data all the time there is at most
 * one write a minute, and none for data that are older.
 */
export function createNewestData({ db, clock }: { db: Db; clock: Clock }): DataChangeListener {
  const known = new Map<string, number>()
  return {
    async willStore(changes) {
      const now = clock.now().getTime()
      const newest = new Map<string, NewestData & { to: number }>()
      for (const { environmentId, userId, resource, to } of changes) {
        const minute = Math.floor(Math.min(to, now) / MINUTE_MS) * MINUTE_MS
        const key = `${environmentId} ${userId}`
        if (minute <= (known.get(key) ?? Number.NEGATIVE_INFINITY)) continue
        if (to <= (newest.get(key)?.to ?? Number.NEGATIVE_INFINITY)) continue
        newest.set(key, { environmentId, userId, resource, at: new Date(minute), to })
      }
      if (newest.size === 0) return
      await recordNewestData(db, [...newest.values()])
      if (known.size + newest.size > MOST_KNOWN) known.clear()
      for (const [key, { at }] of newest) known.set(key, at.getTime())
    },
  }
}
