import { encodeTime, monotonicFactory } from 'ulid'

const nextUlid = monotonicFactory()

/** `msg_` and a ULID: message ids sort by time, and those of one process by order of making. */
export function newEventId(at: Date): string {
  return `msg_${nextUlid(at.getTime())}`
}

export const EVENT_ID = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/

const TIME_LENGTH = 10
const LEAST_RANDOMNESS = '0'.repeat(16)

/** The least id that an event of that millisecond can have. */
export function leastEventId(epochMilliseconds: number): string {
  // ULIDs begin in 1970.
  return `msg_${encodeTime(Math.max(0, epochMilliseconds), TIME_LENGTH)}${LEAST_RANDOMNESS}`
}
