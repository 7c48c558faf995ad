import { WorkSlice } from '@salus/kernel/time-slices'
import type { Sample, SampleOwner } from './sample.ts'
import { contentText, keyAfterTime, keyBeforeTime, readTimestamp } from './sample-rows.ts'

/** A version of a key: stored already, or about to be. */
export interface Version {
  value: number
  version: number
  /** Index of its row in the insert of its flush, or -1 when it is in the store already. */
  row: number
  /** The sample of a row; its content is only written when it has to be compared. */
  sample: Sample | undefined
  /** The content of a stored one. */
  content: string
}

/** The keys of one user, series and source: one for each time. */
export class SourceSeries {
  /** Identifies the source series: all key columns but the time. */
  readonly name: string
  readonly #versions = new Map<number, Version>()
  /** Versions later than all before them wait here: most are never looked up again. */
  #tailStarts: number[] = []
  #tail: Version[] = []
  #latest = Number.NEGATIVE_INFINITY

  constructor(name: string) {
    this.name = name
  }

  find(startedAt: number): Version | undefined {
    if (startedAt > this.#latest) return undefined
    if (this.#tail.length > 0) this.#mergeTail()
    return this.#versions.get(startedAt)
  }

  set(startedAt: number, version: Version): void {
    if (startedAt > this.#latest) {
      this.#latest = startedAt
      this.#tailStarts.push(startedAt)
      this.#tail.push(version)
    } else {
      this.#mergeTail()
      this.#versions.set(startedAt, version)
    }
  }

  #mergeTail(): void {
    for (const [index, version] of this.#tail.entries()) {
      this.#versions.set(this.#tailStarts[index] as number, version)
    }
    this.#tailStarts = []
    this.#tail = []
  }
}

/** Source series by the key columns other than the time. */
export type SourceSeriesByName = Map<string, SourceSeries>

export function contentOf({ sample, content }: Version): string {
  return sample === undefined ? content : contentText(sample)
}

/** Whether `a` replaces `b`. Content breaks ties, so that the order of arrival never matters. */
export function isNewer(a: Version, b: Version): boolean {
  if (a.version !== b.version) return a.version > b.version
  if (a.value !== b.value) return a.value > b.value
  return contentOf(a) > contentOf(b)
}

function openSourceSeries(byName: SourceSeriesByName, name: string): SourceSeries {
  let series = byName.get(name)
  if (series === undefined) {
    series = new SourceSeries(name)
    byName.set(name, series)
  }
  return series
}

function isSameSourceSeries(a: Sample, b: Sample): boolean {
  return (
    a.series === b.series &&
    a.sourceType === b.sourceType &&
    a.appId === b.appId &&
    a.sampleType === b.sampleType &&
    a.workoutId === b.workoutId
  )
}

/** Finds the source series of each sample of one owner; consecutive samples mostly share it. */
export function createSourceSeriesFinder(byName: SourceSeriesByName, owner: SampleOwner) {
  let last: { sample: Sample; series: SourceSeries } | undefined
  return (sample: Sample): SourceSeries => {
    if (last !== undefined && isSameSourceSeries(last.sample, sample)) return last.series
    const name = `${keyBeforeTime(owner, sample)}\t${keyAfterTime(owner, sample)}`
    const series = openSourceSeries(byName, name)
    last = { sample, series }
    return series
  }
}

/** Lines between two checks of the time. */
const LINES_A_LOOK = 256

const COLUMNS_BEFORE_TIME = 3
const COLUMNS_AFTER_TIME = 5

function afterTabs(line: string, start: number, count: number): number {
  let at = start
  for (let tab = 0; tab < count; tab++) at = line.indexOf('\t', at) + 1
  return at
}

/**
 * Reads stored samples, TabSeparated in the order of SAMPLE_COLUMNS; the newest of a key counts.
 */
export async function readSourceSeries(
  stored: string,
  slice = new WorkSlice(),
): Promise<SourceSeriesByName> {
  const byName: SourceSeriesByName = new Map()
  for (let start = 0, lines = 0; start < stored.length; lines++) {
    if (lines % LINES_A_LOOK === 0 && slice.isOver()) await slice.rest()
    const end = stored.indexOf('\n', start)
    const line = stored.slice(start, end)
    const time = afterTabs(line, 0, COLUMNS_BEFORE_TIME)
    const after = line.indexOf('\t', time) + 1
    const content = afterTabs(line, after, COLUMNS_AFTER_TIME)
    const versionAt = line.lastIndexOf('\t')
    const valueAt = line.lastIndexOf('\t', versionAt - 1)
    const series = openSourceSeries(byName, line.slice(0, time) + line.slice(after, content - 1))
    const entry: Version = {
      value: Number(line.slice(valueAt + 1, versionAt)),
      version: Number(line.slice(versionAt + 1)),
      row: -1,
      sample: undefined,
      content: line.slice(content, valueAt),
    }
    const startedAt = readTimestamp(line.slice(time, after - 1))
    const other = series.find(startedAt)
    if (other === undefined || isNewer(entry, other)) series.set(startedAt, entry)
    start = end + 1
  }
  return byName
}
