import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SampleTimes } from './sample-ranges.ts'
import { findExtents } from './samples.repository.ts'

/** First and last time of a stored series; the other way round when nothing is stored. */
interface Extent {
  from: number
  to: number
}

/** Series whose extent is remembered. */
const MOST_EXTENTS = 100_000

/**
 * Remembers where the series of people begin and end in the store. What lies outside is new without
 * a look-up, and nearly all data that arrives is newer than all that is stored.
 *
 * Only for a process that is alone in writing to the store: what another one adds goes unnoticed.
 */
export class SampleExtents {
  readonly #clickhouse: ClickHouse
  readonly #extents = new Map<string, Extent>()

  constructor(clickhouse: ClickHouse) {
    this.#clickhouse = clickhouse
  }

  /** The times that may be stored, and from now on counts all of them as stored. */
  async take(groups: Map<string, SampleTimes>): Promise<SampleTimes[]> {
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
      // The statement asks for every series of every person named, which may be more.
      if (this.#extents.has(key)) this.#extents.set(key, { from: first, to: last })
    }
  }
}
