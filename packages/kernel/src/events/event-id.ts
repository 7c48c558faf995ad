import { decodeTime, encodeTime, monotonicFactory } from 'ulid'

/** A clock that steps back by up to this much is only inexact; ids continue to count then. */
const WAVERING_MS = 1_000

let nextUlid = monotonicFactory()
let latest = 0

/**
 * Returns `msg_` and a ULID: message ids sort by time, and those of one process by order of
 * creation. When the clock is set back, they have its time from then on.
 */
export function newEventId(at: Date): string {
  const time = at.getTime()
  if (time <= latest - WAVERING_MS) {
    nextUlid = monotonicFactory()
    latest = 0
  }
  latest = Math.max(latest, time)
  return `msg_${nextUlid(time)}`
}

export const EVENT_ID = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/

const TIME_LENGTH = 10
const LEAST_RANDOMNESS = '0'.repeat(16)

/** Returns the smallest id that an event of that millisecond can have. */
export function leastEventId(epochMilliseconds: number): string {
  // ULIDs begin in 1970.
  return `msg_${encodeTime(Math.max(0, epochMilliseconds), TIME_LENGTH)}${LEAST_RANDOMNESS}`
}

const ULID_LENGTH = TIME_LENGTH + LEAST_RANDOMNESS.length

/** Returns the epoch milliseconds of an id, which more text may follow. */
export function timeOfEventId(id: string): number {
  const from = 'msg_'.length
  return decodeTime(id.slice(from, from + ULID_LENGTH))
}
