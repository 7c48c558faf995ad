import { hash } from 'node:crypto'
import type { SampleOwner } from '../ingest/index.ts'
import type { NewSummary } from './summary.ts'

/** Namespace of the ids of summaries: a random UUID that never changes. */
const NAMESPACE = Buffer.from('6f1f3c2e5f0b4e0b9f0c8c1f7f0f5a11', 'hex')

/** A UTF-16 unit is at most three bytes of UTF-8. */
const MOST_BYTES_PER_UNIT = 3
/** The namespace, and room for a name after it: names are short, and many are hashed. */
const room = Buffer.concat([NAMESPACE, Buffer.alloc(2_048)])

/** Derives a UUID from a text (RFC 9562, version 5). */
function nameToUuid(name: string): string {
  const digits = hash('sha1', namespaced(name), 'hex')
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) & 3]
  const third = `5${digits.slice(13, 16)}`
  const fourth = `${variant}${digits.slice(17, 20)}`
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${third}-${fourth}-${digits.slice(20, 32)}`
}

function namespaced(name: string): Buffer {
  if (NAMESPACE.length + name.length * MOST_BYTES_PER_UNIT > room.length) {
    return Buffer.concat([NAMESPACE, Buffer.from(name)])
  }
  return room.subarray(0, NAMESPACE.length + room.write(name, NAMESPACE.length))
}

/**
 * Returns the id under which a record of a source is stored, however often it is sent
 * (docs/contract/04-providers.md#primary-keys-and-replacement).
 */
export function summaryId(
  { userId, provider }: Pick<SampleOwner, 'userId' | 'provider'>,
  { resource, appId, recordId }: Pick<NewSummary, 'resource' | 'appId' | 'recordId'>,
): string {
  return nameToUuid(JSON.stringify([userId, provider, appId, resource, recordId]))
}

/** Returns the id of the sleep cycle that is stored with a sleep. */
export function sleepCycleId(sleepId: string): string {
  return nameToUuid(JSON.stringify(['sleep_cycle', sleepId]))
}
