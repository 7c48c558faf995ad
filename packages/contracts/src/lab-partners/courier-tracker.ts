import type { Courier } from '../lab-gateway/index.ts'
import type { Scan } from '../order-lifecycle/index.ts'

/** What a courier reports of a parcel. */
export interface TrackedParcel {
  /** Null before the first scan of the courier. */
  scan: Scan | null
  /** Time of that scan; null when the courier gave none. */
  at: Date | null
}

/** A connection to a courier, whose parcels it looks up one by one. */
export interface CourierTracker {
  readonly courier: Courier
  /** Maximum number of look-ups in an hour. */
  readonly requestsPerHour: number
  /** Returns the URL at which the courier shows a parcel to people. */
  urlOf(trackingNumber: string): string
  /**
   * Returns what the courier answers about a parcel, unchanged; undefined when it does not know it
   * yet.
   * @throws PartnerFailure
   */
  lookUp(trackingNumber: string, signal?: AbortSignal): Promise<object | undefined>
  /** Reads such an answer; undefined for another shape. */
  read(answer: unknown): TrackedParcel | undefined
}
