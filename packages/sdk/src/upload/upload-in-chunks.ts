import type { UploadResult } from '../api/types.generated.ts'
import { SalusError } from '../client/errors.ts'

export interface ChunkOptions {
  /**
   * Items of one request; 10,000 by default, which stays far within the limits (docs/limits.md).
   */
  chunkSize?: number
  /** Items at the beginning that are left out: `acknowledged` of an upload that was interrupted. */
  resumeFrom?: number
  /** Called after each chunk that is stored, with how many items are. */
  onProgress?: (acknowledged: number) => void
}

/** What became of all chunks together. */
export type ChunksResult = Omit<UploadResult, 'success'>

/** A chunk failed. What was acknowledged is stored; go on with `resumeFrom: error.acknowledged`. */
export class UploadInterruptedError extends SalusError {
  override name = 'UploadInterruptedError'
  /** Items from the beginning that are stored, those of earlier runs counted. */
  readonly acknowledged: number
  /** Of the chunks that this run stored. */
  readonly result: ChunksResult

  constructor(acknowledged: number, result: ChunksResult, cause: unknown) {
    super(`The upload was interrupted after ${acknowledged} items.`, { cause })
    this.acknowledged = acknowledged
    this.result = result
  }
}

/**
 * Sends any number of items in requests of a bounded size, one after the other. Memory holds two
 * chunks of them. Sending items again changes nothing, so a chunk without an answer is sent again.
 * @param send Uploads one chunk; `isLast` belongs into `is_final_chunk` of a history.
 * @returns The sums; `problems` with positions among all items.
 * @throws UploadInterruptedError
 */
export async function uploadInChunks<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  send: (chunk: Item[], isLast: boolean) => Promise<UploadResult>,
  { chunkSize = 10_000, resumeFrom = 0, onProgress }: ChunkOptions = {},
): Promise<ChunksResult> {
  if (!(chunkSize >= 1)) throw new TypeError('A chunk has at least one item.')
  const total: ChunksResult = {
    inserted: 0,
    updated: 0,
    unchanged: 0,
    out_of_bounds: 0,
    put_aside: 0,
    problems: [],
  }
  let acknowledged = resumeFrom
  try {
    for await (const { chunk, isLast } of cut(items, chunkSize, resumeFrom)) {
      add(total, await send(chunk, isLast), acknowledged)
      acknowledged += chunk.length
      onProgress?.(acknowledged)
    }
  } catch (cause) {
    throw new UploadInterruptedError(acknowledged, total, cause)
  }
  return total
}

/** One chunk ahead, to know which is the last; without items, one that is empty. */
async function* cut<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
  skipped: number,
): AsyncGenerator<{ chunk: Item[]; isLast: boolean }> {
  let chunk: Item[] = []
  let position = 0
  for await (const item of items) {
    if (position++ < skipped) continue
    if (chunk.length >= size) {
      yield { chunk, isLast: false }
      chunk = []
    }
    chunk.push(item)
  }
  yield { chunk, isLast: true }
}

function add(total: ChunksResult, result: UploadResult, offset: number): void {
  total.inserted += result.inserted
  total.updated += result.updated
  total.unchanged += result.unchanged
  total.out_of_bounds += result.out_of_bounds
  total.put_aside += result.put_aside
  const problems = result.problems.map(({ index, reason }) => ({ index: index + offset, reason }))
  total.problems.push(...problems)
}
