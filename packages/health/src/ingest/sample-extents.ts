import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SampleTimes } from './sample-ranges.ts'
import { findExtents } from './samples.repository.ts'

/** First and last time of a stored series; reversed when nothing is stored. */
interface Extent {
  from: number
  to: number
}

/** Number of series whose extent is cached. */
const MOST_EXTENTS = 100_000

/**
 * Caches the start and end of users' series in the store. Times outside are new without a look-up,
 * and nearly all arriving data are newer than everything stored.
 *
 * Only for a process that is alone in writing to the store: data of another one go unnoticed.
 */
export class SampleExtents {
  readonly #clickhouse: ClickHouse
  readonly #extents = new Map<string, Extent>()

  constructor(clickhouse: ClickHouse) {
    this.#clickhouse = clickhouse
  }

  /** Returns the times that may be stored already, and counts all of them as stored from now on. */
  async takeStoredTimes(groups: Map<string, SampleTimes>): Promise<SampleTimes[]> {
    await this.#load([...groups].filter(([key]) => !this.#extents.has(key)))
    return [...groups].map(([key, { owner, series, times }]) => {
      const extent = this.#extents.get(key) as Extent
      const { from, to } = extent
      for (const time of times) {
        if (time < extent.from) extent.from = time
        if (time > extent.to) extent.to = time
      }
      return { owner, series, times: times.filter((time) => time >= from && time <= to) }
    })
  }

  async #load(missing: [key: string, group: SampleTimes][]): Promise<void> {
    if (missing.length === 0) return
    if (this.#extents.size > MOST_EXTENTS) this.#extents.clear()
    const found = await findExtents(
      this.#clickhouse,
      missing.map(([, { owner, series }]) => ({ ...owner, series })),
    )
    for (const [key] of missing) this.#extents.set(key, { from: Infinity, to: -Infinity })
    for (const { environment_id, user_id, series, first, last } of found) {
      const key = `${environment_id} ${user_id} ${series}`
      // The statement covers every series of every named user, which may be more.
      if (this.#extents.has(key)) this.#extents.set(key, { from: first, to: last })
    }
  }
}
