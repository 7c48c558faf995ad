import type { DueDelivery } from './delivery.repository.ts'

/**
 * Deliveries of one endpoint that are being worked on, until their outcome is stored. First
 * attempts for one user run one after the other, in order of their events
 * (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily); those for other users
 * and further attempts do not wait for them.
 */
export class DeliveryBuffer {
  readonly #waiting: DueDelivery[] = []
  readonly #known = new Set<string>()
  readonly #busyUsers = new Set<string>()

  /** Number of deliveries that have not started. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Ids of all deliveries in the buffer. */
  get known(): ReadonlySet<string> {
    return this.#known
  }

  add(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      this.#known.add(delivery.event_id)
      this.#waiting.push(delivery)
    }
  }

  /** Whether one of them may start. */
  get hasReady(): boolean {
    return this.#waiting.some((delivery) => !this.#isBlocked(delivery))
  }

  /** Returns the next delivery that may start; its user is blocked until `free`. */
  takeNext(): DueDelivery | undefined {
    const index = this.#waiting.findIndex((delivery) => !this.#isBlocked(delivery))
    if (index === -1) return undefined
    const [delivery] = this.#waiting.splice(index, 1)
    if (delivery !== undefined && isFirst(delivery)) this.#busyUsers.add(userOf(delivery))
    return delivery
  }

  /** Marks its attempt as over. */
  free(delivery: DueDelivery): void {
    if (isFirst(delivery)) this.#busyUsers.delete(userOf(delivery))
  }

  /** Removes a delivery whose outcome is stored. */
  forget(eventId: string): void {
    this.#known.delete(eventId)
  }

  /** Removes deliveries that have not started: they are read again, if they are still due. */
  clear(): void {
    for (const { event_id: id } of this.#waiting.splice(0)) this.#known.delete(id)
  }

  #isBlocked(delivery: DueDelivery): boolean {
    return isFirst(delivery) && this.#busyUsers.has(userOf(delivery))
  }
}

const isFirst = (delivery: DueDelivery): boolean => delivery.next_attempt_at === null

/** Events about no user keep their order among themselves. */
const userOf = (delivery: DueDelivery): string => delivery.user_id ?? ''
