import { randomUUID } from 'node:crypto'
import { systemClock } from './time/clock.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns a new random identifier, in lower case. */
export function newId(): string {
  return randomUUID()
}

/**
 * Returns a new random identifier that begins with the time (UUID version 7), in real milliseconds,
 * also where a sandbox has a clock of its own: a cluster finds the shard of a user by it.
 */
export function newTimedId(): string {
  const random = randomUUID()
  const time = systemClock.now().getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/** Returns what is less than every id that newTimedId made since a time ago. */
export function leastTimedId(millisecondsAgo: number): string {
  const time = systemClock.now().getTime() - millisecondsAgo
  const digits = Math.max(0, time).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** True for a UUID in either case (iOS writes upper case). */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
