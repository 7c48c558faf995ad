import { median, printColumns, thousands } from '../measure.ts'
import type { Measured, MeasuredUpload } from './measure-peer.ts'

/** One kind of read, by so many clients. */
export interface ReadCase {
  job: string
  concurrency: number
  calls: number
}

/** What was seen of one peer, round by round. */
export interface Seen {
  name: string
  uploads: MeasuredUpload[]
  reads: (ReadCase & { measured: Measured })[]
  folderBytes: number
  mergedBytes: number
  megabytes: number
}

interface Line {
  job: string
  of(one: Seen): number
  show(value: number): string
}

const withUnit =
  (unit: string, digits = 0) =>
  (value: number): string =>
    `${value.toFixed(digits)} ${unit}`

/** Prints medians of the rounds, a column for each peer, with the ratio to the first one. */
export function printSeen(title: string, samples: number, seen: readonly Seen[]): void {
  const [first] = seen
  if (first === undefined) return
  const jobs = Map.groupBy(first.reads, ({ job }) => job)
  const cases = [...jobs.values()].flatMap(([read]) => read ?? [])
  const lines = [...uploadLines(samples), ...cases.flatMap(readLines), ...sizeLines(samples)]
  const toCell = ({ of, show }: Line, one: Seen): string => {
    const ratio = (of(one) / of(first)).toFixed(2)
    return one === first ? show(of(one)) : `${show(of(one))} (${ratio}×)`
  }
  printColumns(
    [title, ...seen.map(({ name }) => name)],
    lines.map((line) => [line.job, ...seen.map((one) => toCell(line, one))]),
  )
}

function uploadLines(samples: number): Line[] {
  const perSecond = ({ uploads }: Seen): number =>
    samples / uploads.length / median(uploads.map(({ seconds }) => seconds))
  const perSample = (of: (upload: MeasuredUpload) => number) => (one: Seen) =>
    (1e6 * median(one.uploads.map(of)) * one.uploads.length) / samples
  const show = withUnit('µs', 2)
  return [
    { job: 'upload, samples a second', of: perSecond, show: thousands },
    { job: 'processor time a sample', of: perSample(({ processor }) => processor), show },
    { job: 'the same, until the store rests', of: perSample(({ settled }) => settled), show },
  ]
}

function readLines({ job, concurrency, calls }: ReadCase): Line[] {
  const medianOf = (of: (measured: Measured) => number) => (one: Seen) =>
    median(one.reads.filter((read) => read.job === job).map(({ measured }) => of(measured)))
  const show = withUnit('ms', 2)
  const p50 = medianOf(({ milliseconds }) => median(milliseconds))
  const perSecond = medianOf(({ seconds }) => calls / seconds)
  return [
    concurrency === 1
      ? { job: `${job}, p50`, of: p50, show }
      : { job: `${job}, reads a second`, of: perSecond, show: thousands },
    {
      job: 'processor time of a read',
      of: medianOf(({ processor }) => (1000 * processor) / calls),
      show,
    },
  ]
}

function sizeLines(samples: number): Line[] {
  return [
    {
      job: 'bytes a sample after all merges',
      of: ({ mergedBytes }) => mergedBytes / samples,
      show: withUnit('B', 2),
    },
    {
      job: 'whole data folder after the uploads',
      of: ({ folderBytes }) => folderBytes / 1e6,
      show: withUnit('MB'),
    },
    {
      job: 'memory after the reads (RSS)',
      of: ({ megabytes }) => megabytes,
      show: withUnit('MB'),
    },
  ]
}
