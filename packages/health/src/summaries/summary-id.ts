import { createHash } from 'node:crypto'
import type { SampleOwner } from '../ingest/index.ts'
import type { NewSummary } from './summary.ts'

/** Namespace of the ids of summaries: a random UUID that never changes. */
const NAMESPACE = Buffer.from('6f1f3c2e5f0b4e0b9f0c8c1f7f0f5a11', 'hex')

/** Derives a UUID from a text (RFC 9562, version 5). */
function nameToUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
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
