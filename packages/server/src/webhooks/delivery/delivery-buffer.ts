import type { DueDelivery } from './delivery.repository.ts'

/**
 * Deliveries of one endpoint that are in hand, until their outcome is stored. First attempts of one
 * person go one after the other, in order of their events
 * (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily); those of others and
 * further attempts do not wait for them.
 */
export class DeliveryBuffer {
  readonly #waiting: DueDelivery[] = []
  readonly #known = new Set<string>()
  readonly #busyUsers = new Set<string>()

  /** Those not started yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Ids of all that are in hand. */
  get known(): ReadonlySet<string> {
    return this.#known
  }

  add(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      this.#known.add(delivery.event_id)
      this.#waiting.push(delivery)
    }
  }

  /** One of them may start. */
  get hasReady(): boolean {
    return this.#waiting.some((delivery) => !this.#isBlocked(delivery))
  }

  /** The next one that may start; its person is busy until `free`. */
  take(): DueDelivery | undefined {
    const index = this.#waiting.findIndex((delivery) => !this.#isBlocked(delivery))
    if (index === -1) return undefined
    const [delivery] = this.#waiting.splice(index, 1)
    if (delivery !== undefined && isFirst(delivery)) this.#busyUsers.add(userOf(delivery))
    return delivery
  }

  /** Its attempt is over. */
  free(delivery: DueDelivery): void {
    if (isFirst(delivery)) this.#busyUsers.delete(userOf(delivery))
  }

  /** Its outcome is stored. */
  forget(eventId: string): void {
    this.#known.delete(eventId)
  }

  /** Puts back what was not started: it is read again, if it is still due. */
  clear(): void {
    for (const { event_id: id } of this.#waiting.splice(0)) this.#known.delete(id)
  }

  #isBlocked(delivery: DueDelivery): boolean {
    return isFirst(delivery) && this.#busyUsers.has(userOf(delivery))
  }
}

const isFirst = (delivery: DueDelivery): boolean => delivery.next_attempt_at === null

/** Events about no person keep their order among themselves. */
const userOf = (delivery: DueDelivery): string => delivery.user_id ?? ''
