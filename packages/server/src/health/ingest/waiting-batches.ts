import type { AnnouncedBatch } from './announce/sample-announcer.ts'
import type { SampleBatch, WriteCounts } from './sample.ts'

/** A caller's samples, and who waits for them. */
export interface Waiting extends SampleBatch {
  settle: { resolve: (counts: WriteCounts) => void; reject: (error: unknown) => void }
}

/** Callers that share an insert, and how often it may still be halved. */
export interface Group {
  batches: Waiting[]
  retries: number
}

export const isAnnounced = <Batch extends SampleBatch>(
  batch: Batch,
): batch is Batch & AnnouncedBatch => batch.announcement !== undefined

export function resolveAll(batches: readonly Waiting[], counts: readonly WriteCounts[]): void {
  for (const [index, { settle }] of batches.entries()) settle.resolve(counts[index] as WriteCounts)
}

export function rejectAll(batches: readonly Waiting[], error: unknown): void {
  for (const { settle } of batches) settle.reject(error)
}
