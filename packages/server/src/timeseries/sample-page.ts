/** Place of a sample in the overall order: time, provider, source, type, workout. */
export type SamplePosition = [
  startedAt: number,
  provider: string,
  sourceType: string,
  appId: string,
  sampleType: string,
  workoutId: string,
]

/** Samples of one source, formatted. */
export interface SampleGroup {
  provider: string
  sourceType: string
  appId: string
  sport: string
  workoutId: string
  /** JSON objects with a comma between each two; the pieces want one between them too. */
  data: Buffer[]
}

export interface SamplePage {
  groups: SampleGroup[]
  /** Position of the last sample when more follow. */
  last: SamplePosition | null
}

const TAB = 9
const NEWLINE = 10
const COMMA = 44
const SOURCE_COLUMNS = 5
const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

/** Neighboring samples of one source; their JSON lies from `start` to `end`. */
interface Run {
  group: Omit<SampleGroup, 'data'> & { runs: Run[] }
  /** The columns of the source as they stand on each line. */
  source: Buffer
  start: number
  end: number
}

/**
 * Cuts the lines of a page, in overall order, into groups by source. A line holds the five columns
 * of the source, the time in milliseconds, the sample type and the sample's JSON.
 *
 * Nothing is decoded: within a run each sample is moved up behind the one before it, over the
 * columns that are not needed any more, so the bytes of the engine become the bytes of the answer.
 * @param bytes Is overwritten.
 * @param pageSize A line more than this only tells that more samples follow.
 */
export function readPage(bytes: Buffer, pageSize: number): SamplePage {
  const groups = new Map<string, Run['group']>()
  let last: SamplePosition | null = null
  let run: Run | undefined
  let start = 0
  for (let line = 1; start < bytes.length && last === null; line++) {
    const end = bytes.indexOf(NEWLINE, start)
    if (run === undefined || !hasAt(bytes, start, run.source)) run = startRun(bytes, start, groups)
    const time = start + run.source.length
    const sample = afterTabs(bytes, time, 2)
    if (line === pageSize && end + 1 < bytes.length) last = readPosition(bytes, time, sample, run)
    if (run.end > run.start) bytes[run.end++] = COMMA
    bytes.copyWithin(run.end, sample, end)
    run.end += end - sample
    start = end + 1
  }
  const finished = [...groups.values()].map(({ runs, ...source }) => ({
    ...source,
    data: runs.map((part) => bytes.subarray(part.start, part.end)),
  }))
  return { groups: finished, last }
}

function hasAt(bytes: Buffer, start: number, text: Buffer): boolean {
  return bytes.compare(text, 0, text.length, start, start + text.length) === 0
}

function afterTabs(bytes: Buffer, start: number, count: number): number {
  let at = start
  for (let tab = 0; tab < count; tab++) at = bytes.indexOf(TAB, at) + 1
  return at
}

function startRun(bytes: Buffer, start: number, groups: Map<string, Run['group']>): Run {
  // A copy, because the line is overwritten.
  const source = Buffer.from(bytes.subarray(start, afterTabs(bytes, start, SOURCE_COLUMNS)))
  const key = source.toString('utf8', 0, source.length - 1)
  let group = groups.get(key)
  if (group === undefined) {
    const [provider = '""', sourceType = '', appId = '""', sport = '""', workout] = key.split('\t')
    group = {
      provider: JSON.parse(provider),
      sourceType,
      appId: JSON.parse(appId),
      sport: JSON.parse(sport),
      workoutId: workout === undefined || workout === NO_WORKOUT ? '' : workout,
      runs: [],
    }
    groups.set(key, group)
  }
  const run = { group, source, start, end: start }
  group.runs.push(run)
  return run
}

function readPosition(bytes: Buffer, time: number, sample: number, { group }: Run): SamplePosition {
  const [startedAt = '', sampleType = '""'] = bytes.toString('utf8', time, sample - 1).split('\t')
  const { provider, sourceType, appId, workoutId } = group
  const type = JSON.parse(sampleType)
  return [Number(startedAt), provider, sourceType, appId, type, workoutId || NO_WORKOUT]
}
