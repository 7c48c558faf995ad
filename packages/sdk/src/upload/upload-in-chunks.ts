import type { UploadResult } from '../api/types.generated.ts'
import { SalusError } from '../client/errors.ts'

export interface ChunkOptions {
  /** Items of one request; 10,000 by default, far below the limits (docs/limits.md). */
  chunkSize?: number
  /** Number of items to skip at the beginning: `acknowledged` of an interrupted upload. */
  resumeFrom?: number
  /** Called after each stored chunk, with the number of stored items. */
  onProgress?: (acknowledged: number) => void
}

/** Sums of the results of all chunks. */
export type ChunksResult = Omit<UploadResult, 'success'>

/**
 * A chunk failed. Acknowledged items are stored; continue with `resumeFrom: error.acknowledged`.
 */
export class UploadInterruptedError extends SalusError {
  override name = 'UploadInterruptedError'
  /** Number of stored items from the beginning, including those of earlier runs. */
  readonly acknowledged: number
  /** Sums of the chunks that this run stored. */
  readonly result: ChunksResult

  constructor(acknowledged: number, result: ChunksResult, cause: unknown) {
    super(`The upload was interrupted after ${acknowledged} items.`, { cause })
    this.acknowledged = acknowledged
    this.result = result
  }
}

/**
 * Sends any number of items in requests of a bounded size, one after the other. Two chunks are in
 * memory. Sending items again has no further effect, so a chunk without a response is sent again.
 * @param send Uploads one chunk; `isLast` is the `is_final_chunk` of a history.
 * @returns The sums; `problems` with positions among all items.
 * @throws UploadInterruptedError
 */
export async function uploadInChunks<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  send: (chunk: Item[], isLast: boolean) => Promise<UploadResult>,
  { chunkSize = 10_000, resumeFrom = 0, onProgress }: ChunkOptions = {},
): Promise<ChunksResult> {
  if (!(chunkSize >= 1)) throw new TypeError('A chunk must have at least one item.')
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
    for await (const { chunk, isLast } of splitIntoChunks(items, chunkSize, resumeFrom)) {
      add(total, await send(chunk, isLast), acknowledged)
      acknowledged += chunk.length
      onProgress?.(acknowledged)
    }
  } catch (cause) {
    throw new UploadInterruptedError(acknowledged, total, cause)
  }
  return total
}

/** Reads one chunk ahead, to know which is the last; without items, yields an empty one. */
async function* splitIntoChunks<Item>(
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
