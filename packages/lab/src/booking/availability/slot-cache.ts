import type { SlotDay } from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'

const FRESH_MS = 15 * MINUTE_MS
/** Some 50 KB each. */
const MOST_ENTRIES = 300

interface Entry {
  /** The first day of the slots, and when they were asked for, in the environment's own time. */
  today: string
  at: Date
  days: SlotDay[]
}

/**
 * Slots of sites as they were up to 15 minutes ago, for those who take such
 * (docs/contract/14-appointments-and-psc.md#post-v3orderpscappointmentavailability). Each process
 * has its own.
 */
export class SlotCache {
  /** The one that was asked for first goes first. */
  readonly #entries = new Map<string, Entry>()

  /** What is kept by the name and still counts, else what `load` gives, which is kept. */
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
