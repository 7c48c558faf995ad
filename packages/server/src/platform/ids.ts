import { randomUUID } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A new random identifier, lower case. */
export function newId(): string {
  return randomUUID()
}

/** True for a UUID in either case (iOS writes upper case). */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
