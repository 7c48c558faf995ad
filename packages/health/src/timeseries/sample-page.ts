/** Position of a sample in the overall order: time, provider, source, type, workout. */
export interface SamplePosition {
  startedAt: number
  provider: string
  sourceType: string
  appId: string
  sampleType: string
  workoutId: string
}

/** Samples of one source, formatted. */
export interface SampleGroup {
  provider: string
  sourceType: string
  appId: string
  sport: string
  workoutId: string
  /** JSON objects with a comma between each two; the pieces need one between them too. */
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
const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

/**
 * Columns of a line: those of the source, two of the position within it, sport, the sample's JSON.
 */
const SOURCE_COLUMNS = 4
const POSITION_COLUMNS = 2

/** Neighboring samples of one source; their JSON is from `start` to `end`. */
interface Run {
  group: Omit<SampleGroup, 'data'> & { runs: Run[] }
  /** The columns of the source, and that of the sport, as on each line. */
  source: Buffer
  sport: Buffer
  start: number
  end: number
}

/** Where the parts of a line begin, and whether they equal those of the previous run. */
interface Line {
  start: number
  position: number
  sport: number
  sample: number
  end: number
  isSameSource: boolean
  isSameRun: boolean
}

/**
 * Splits the lines of a page into groups by source. Lines are in overall order, the newest version
 * of a sample before its older ones, which are left out. A line has provider, source type, app and
 * workout; time in milliseconds and sample type; sport; and the sample's JSON.
 *
 * Nothing is decoded: within a run each sample is moved up behind the previous one, over the
 * columns that are no longer needed, so the bytes of the engine become the bytes of the answer.
 * @param bytes Is overwritten.
 * @param pageSize A line beyond this only means that more samples follow.
 */
export function readPage(bytes: Buffer, pageSize: number): SamplePage {
  const groups = new Map<string, Run['group']>()
  let run: Run | undefined
  let position = ''
  let start = 0
  for (let lines = 0; start < bytes.length && lines < pageSize; lines++) {
    const line = findParts(bytes, start, run)
    const linePosition = bytes.toString('latin1', line.position, line.sport)
    const isOlderVersion = line.isSameSource && linePosition === position
    position = linePosition
    if (!isOlderVersion) {
      if (run === undefined || !line.isSameRun) run = startRun(bytes, line, groups)
      if (run.end > run.start) bytes[run.end++] = COMMA
      bytes.copyWithin(run.end, line.sample, line.end)
      run.end += line.end - line.sample
    }
    start = line.end + 1
  }
  const hasMore = run !== undefined && start < bytes.length
  const finished = [...groups.values()].map(({ runs, ...source }) => ({
    ...source,
    data: runs.map((part) => bytes.subarray(part.start, part.end)),
  }))
  return { groups: finished, last: hasMore ? positionOf(run as Run, position) : null }
}

function findParts(bytes: Buffer, start: number, run: Run | undefined): Line {
  const isSameSource = run !== undefined && hasAt(bytes, start, run.source)
  const position = isSameSource
    ? start + run.source.length
    : afterTabs(bytes, start, SOURCE_COLUMNS)
  const sport = afterTabs(bytes, position, POSITION_COLUMNS)
  const isSameRun = isSameSource && hasAt(bytes, sport, run.sport)
  const sample = isSameRun ? sport + run.sport.length : afterTabs(bytes, sport, 1)
  const newline = bytes.indexOf(NEWLINE, sample)
  const end = newline === -1 ? bytes.length : newline
  return { start, position, sport, sample, end, isSameSource, isSameRun }
}

function hasAt(bytes: Buffer, start: number, text: Buffer): boolean {
  return bytes.compare(text, 0, text.length, start, start + text.length) === 0
}

function afterTabs(bytes: Buffer, start: number, count: number): number {
  let at = start
  for (let tab = 0; tab < count; tab++) at = bytes.indexOf(TAB, at) + 1
  return at
}

function startRun(bytes: Buffer, line: Line, groups: Map<string, Run['group']>): Run {
  // Copies, because the line is overwritten.
  const source = Buffer.from(bytes.subarray(line.start, line.position))
  const sport = Buffer.from(bytes.subarray(line.sport, line.sample))
  const key = `${source}${sport}`
  let group = groups.get(key)
  if (group === undefined) {
    const [provider = '""', sourceType = '', appId = '""', workout, sportJson = '""'] =
      key.split('\t')
    group = {
      provider: JSON.parse(provider),
      sourceType,
      appId: JSON.parse(appId),
      sport: JSON.parse(sportJson),
      workoutId: workout === undefined || workout === NO_WORKOUT ? '' : workout,
      runs: [],
    }
    groups.set(key, group)
  }
  const run = { group, source, sport, start: line.start, end: line.start }
  group.runs.push(run)
  return run
}

/**
 * Returns the position of the last sample, from its run and from the columns of its position, read
 * as Latin-1.
 */
function positionOf({ group }: Run, position: string): SamplePosition {
  const text = Buffer.from(position, 'latin1').toString('utf8')
  const [startedAt = '', sampleType = '""'] = text.split('\t')
  const { provider, sourceType, appId, workoutId } = group
  const source = { provider, sourceType, appId, workoutId: workoutId || NO_WORKOUT }
  return { startedAt: Number(startedAt), sampleType: JSON.parse(sampleType), ...source }
}
