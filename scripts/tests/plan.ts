import { canShareProcess, ringOf } from './files.ts'

/** Seconds that test files took, by path. */
export type TestTimes = Readonly<Record<string, number>>

/**
 * Estimate for an unmeasured file. A long file that starts late ends last, so the estimate is high.
 */
const UNKNOWN_SECONDS = { quick: 4, system: 40, long: 120 }

/**
 * Loading the server and opening the engine takes about this long, so smaller batches are not worth
 * it.
 */
const LEAST_BATCH_SECONDS = 10

/**
 * Loading the server is a small part of a longer system test, which begins early in a process of
 * its own.
 */
const MOST_SHARED_SECONDS = 30

/** Leftovers of files accumulate in a process. */
const MOST_FILES = 40

export interface Batch {
  /** Files that run one after the other in one process. */
  files: string[]
  seconds: number
}

export const secondsOf = (file: string, times: TestTimes): number =>
  times[file] ?? UNKNOWN_SECONDS[ringOf(file)]

/**
 * Distributes test files over processes, the longest first. Campaigns have a process each, and so
 * do system tests, except short ones that can share one. The others share some: large batches at
 * the beginning, and smaller ones towards the end, so that all processes end together.
 */
export function planBatches(
  files: string[],
  times: TestTimes,
  { concurrency, isCampaign = false }: { concurrency: number; isCampaign?: boolean },
): Batch[] {
  const all = files.map((file) => ({ files: [file], seconds: secondsOf(file, times) }))
  const isShared = (file: string, seconds: number) =>
    ringOf(file) === 'quick' || (seconds < MOST_SHARED_SECONDS && canShareProcess(file))
  const alone = all.filter(
    ({ files: [file = ''], seconds }) => isCampaign || !isShared(file, seconds),
  )
  const shared = joinBatches(
    all.filter((one) => !alone.includes(one)).sort(longestFirst),
    concurrency,
  )
  return [...alone, ...shared].sort(longestFirst)
}

const longestFirst = (a: Batch, b: Batch): number => b.seconds - a.seconds

/** Each batch takes two thirds of the share that each process still has to do. */
function joinBatches(single: Batch[], concurrency: number): Batch[] {
  const joined: Batch[] = []
  let left = single.reduce((sum, { seconds }) => sum + seconds, 0)
  let current: Batch | undefined
  let target = 0
  for (const { files, seconds } of single) {
    if (current === undefined || current.seconds >= target || current.files.length >= MOST_FILES) {
      target = Math.max(LEAST_BATCH_SECONDS, left / (1.5 * concurrency))
      current = { files: [], seconds: 0 }
      joined.push(current)
    }
    current.files.push(...files)
    current.seconds += seconds
    left -= seconds
  }
  return joined
}

/**
 * Returns the files of one of several machines. Each needs about the same time, and together they
 * run every file once.
 * @param shard - Such as `2/3`
 * @throws Error for another format
 */
export function chooseShard(files: string[], times: TestTimes, shard: string): string[] {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number)
  if (index < 1 || index > count) throw new Error(`A shard is written like 1/3, not ${shard}.`)
  const shards = Array.from({ length: count }, (): Batch => ({ files: [], seconds: 0 }))
  const longest = files.toSorted(
    (a, b) => secondsOf(b, times) - secondsOf(a, times) || (a < b ? -1 : 1),
  )
  for (const file of longest) {
    const least = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    least.files.push(file)
    least.seconds += secondsOf(file, times)
  }
  return shards[index - 1]?.files ?? []
}
