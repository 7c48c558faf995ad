import type { SlotDay } from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'

const FRESH_MS = 15 * MINUTE_MS
/** An entry has about 50 KB. */
const MOST_ENTRIES = 300

interface Entry {
  /** First day of the slots, and when they were fetched, in the environment's own time. */
  today: string
  at: Date
  days: SlotDay[]
}

/**
 * Caches the slots of sites for 15 minutes for requests with `allow_stale`
 * (docs/contract/14-appointments-and-psc.md#post-v3orderpscappointmentavailability). Each process
 * has its own cache.
 */
export class SlotCache {
  /** Oldest first; the oldest entry is evicted first. */
  readonly #entries = new Map<string, Entry>()

  /**
   * Returns the cached entry of the name if it is fresh; otherwise calls `load` and caches its
   * result.
   */
  async find(
    { name, today, now }: { name: string; today: string; now: Date },
    load: () => Promise<SlotDay[]>,
  ): Promise<SlotDay[]> {
    const kept = this.#entries.get(name)
    const age = kept && now.getTime() - kept.at.getTime()
    if (age !== undefined && age < FRESH_MS && kept?.today === today) return kept.days
    const days = await load()
    this.#entries.delete(name)
    this.#entries.set(name, { today, at: now, days })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MOST_ENTRIES) this.#entries.delete(oldest as string)
    return days
  }
}
