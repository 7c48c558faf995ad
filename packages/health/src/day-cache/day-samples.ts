/** What neighboring samples of a series have in common. Unknown texts are empty. */
export interface SampleOrigin {
  provider: string
  sourceType: string
  appId: string
  sampleType: string
  /** UUID of a workout, or empty. */
  workoutId: string
  sport: string
  /** Offset from UTC in seconds where the user was, or null when unknown. */
  timezoneOffset: number | null
  /** Extra fields of the series as a JSON object, or empty. */
  extra: string
}

/** Samples of one series and origin, as columns of equal length in any order. */
export interface OriginSamples {
  origin: SampleOrigin
  /** Epoch milliseconds; equal for a point. */
  startedAt: Float64Array
  endedAt: Float64Array
  /** In the unit of the series; systolic pressure for blood_pressure; 0 for a text series. */
  value: Float64Array
  /** Diastolic pressure in mmHg, otherwise 0. */
  diastolic: Float64Array
  version: Float64Array
  /** Values of a text series, otherwise null. */
  text: readonly string[] | null
}

/** Samples of several origins in overall order, each the newest version of its key. */
export interface OrderedSamples {
  pieces: readonly OriginSamples[]
  /** Index of the piece, and of the sample within it, of each sample. */
  pieceOf: Uint32Array
  indexOf: Uint32Array
}

/** Returns an element that is known to exist. */
const at = <Element>(list: { readonly [index: number]: Element }, index: number): Element =>
  list[index] as Element

/**
 * Orders samples by start, provider, source type, app, sample type and workout, as ClickHouse
 * orders the rows of `samples`, and keeps the newest version of each key: of equal versions the one
 * with the larger value, of equal values that of the later piece.
 */
export function orderSamples(pieces: readonly OriginSamples[]): OrderedSamples {
  if (followEachOther(pieces)) return { pieces, ...inTurn(pieces) }
  const rows = listRows(pieces)
  const order = mergeRuns(rows)
  let kept = 0
  for (const row of order) {
    const last = kept === 0 ? -1 : at(order, kept - 1)
    const isOlderVersion = last !== -1 && rows.isSameKey(last, row)
    if (!isOlderVersion) order[kept++] = row
  }
  const newest = order.subarray(0, kept)
  return {
    pieces,
    pieceOf: newest.map((row) => at(rows.pieceOf, row)),
    indexOf: newest.map((row) => at(rows.indexOf, row)),
  }
}

/** Whether each start of all pieces is later than the one before it, so that all keys differ. */
function followEachOther(pieces: readonly OriginSamples[]): boolean {
  let last = Number.NEGATIVE_INFINITY
  for (const { startedAt } of pieces) {
    for (let index = 0; index < startedAt.length; index++) {
      const start = at(startedAt, index)
      if (start <= last) return false
      last = start
    }
  }
  return true
}

function inTurn(pieces: readonly OriginSamples[]): Pick<OrderedSamples, 'pieceOf' | 'indexOf'> {
  const count = pieces.reduce((sum, { startedAt }) => sum + startedAt.length, 0)
  const [pieceOf, indexOf] = [new Uint32Array(count), new Uint32Array(count)]
  let order = 0
  for (const [piece, { startedAt }] of pieces.entries()) {
    for (let index = 0; index < startedAt.length; index++) {
      pieceOf[order] = piece
      indexOf[order++] = index
    }
  }
  return { pieceOf, indexOf }
}

/** Whether each start is later than the one before it, so that all keys of a source differ. */
function isAscending(startedAt: Float64Array): boolean {
  for (let index = 1; index < startedAt.length; index++) {
    if (at(startedAt, index - 1) >= at(startedAt, index)) return false
  }
  return true
}

interface Rows {
  pieceOf: Uint32Array
  indexOf: Uint32Array
  /** Runs of rows in order: one of each piece. */
  runs: Uint32Array[]
  compare(a: number, b: number): number
  isSameKey(a: number, b: number): boolean
}

function listRows(pieces: readonly OriginSamples[]): Rows {
  const count = pieces.reduce((sum, { startedAt }) => sum + startedAt.length, 0)
  const [pieceOf, indexOf] = [new Uint32Array(count), new Uint32Array(count)]
  const [start, version, value] = [0, 1, 2].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const ranks = rankKeys(pieces.map(({ origin }) => origin))
  const rankOf = (row: number): number => at(ranks, at(pieceOf, row))
  const compare = (a: number, b: number): number =>
    at(start, a) - at(start, b) ||
    rankOf(a) - rankOf(b) ||
    at(version, b) - at(version, a) ||
    at(value, b) - at(value, a) ||
    at(pieceOf, b) - at(pieceOf, a)
  const runs: Uint32Array[] = []
  let first = 0
  for (const [piece, samples] of pieces.entries()) {
    const length = samples.startedAt.length
    start.set(samples.startedAt, first)
    version.set(samples.version, first)
    value.set(samples.value, first)
    pieceOf.fill(piece, first, first + length)
    const run = new Uint32Array(length)
    for (let index = 0; index < length; index++) {
      indexOf[first + index] = index
      run[index] = first + index
    }
    runs.push(isAscending(samples.startedAt) ? run : run.sort(compare))
    first += length
  }
  const isSameKey = (a: number, b: number): boolean =>
    at(start, a) === at(start, b) && rankOf(a) === rankOf(b)
  return { pieceOf, indexOf, runs, compare, isSameKey }
}

function mergeRuns({ runs, compare }: Rows): Uint32Array {
  let list = runs
  while (list.length > 1) {
    const next: Uint32Array[] = []
    for (let index = 0; index < list.length; index += 2) {
      const [a, b] = [at(list, index), list[index + 1]]
      next.push(b === undefined ? a : mergeTwo(a, b, compare))
    }
    list = next
  }
  return list[0] ?? new Uint32Array()
}

function mergeTwo(
  a: Uint32Array,
  b: Uint32Array,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const merged = new Uint32Array(a.length + b.length)
  let [ofA, ofB] = [0, 0]
  for (let index = 0; index < merged.length; index++) {
    const takesA = ofB === b.length || (ofA < a.length && compare(at(a, ofA), at(b, ofB)) <= 0)
    merged[index] = takesA ? at(a, ofA++) : at(b, ofB++)
  }
  return merged
}

/** Columns of the key beside the start, in the order of the table. */
const KEY = ['provider', 'sourceType', 'appId', 'sampleType'] as const

/** Returns the position of each key in the order of the table; equal keys have the same one. */
function rankKeys(origins: readonly SampleOrigin[]): number[] {
  if (origins.length < 2) return origins.map(() => 0)
  const order = origins.map((_, index) => index)
  order.sort((a, b) => compareKeys(at(origins, a), at(origins, b)))
  const ranks = origins.map(() => 0)
  for (let index = 1; index < order.length; index++) {
    const [before, own] = [at(order, index - 1), at(order, index)]
    const isEqual = compareKeys(at(origins, before), at(origins, own)) === 0
    ranks[own] = at(ranks, before) + (isEqual ? 0 : 1)
  }
  return ranks
}

/** Compares the keys of two sources as ClickHouse does. */
export function compareKeys(
  a: Pick<SampleOrigin, (typeof KEY)[number] | 'workoutId'>,
  b: Pick<SampleOrigin, (typeof KEY)[number] | 'workoutId'>,
): number {
  for (const column of KEY) {
    const difference = compareBytes(a[column], b[column])
    if (difference !== 0) return difference
  }
  return compareUuids(a.workoutId, b.workoutId)
}

/** Compares two UUIDs as ClickHouse does. */
export function compareUuids(a: string, b: string): number {
  const [left, right] = [uuidOrder(a), uuidOrder(b)]
  return left < right ? -1 : Number(left > right)
}

function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const UUID_HALF = 16

/** ClickHouse compares the second half of a UUID first. */
function uuidOrder(uuid: string): string {
  const digits = uuid
    .replaceAll('-', '')
    .toLowerCase()
    .padStart(2 * UUID_HALF, '0')
  return digits.slice(UUID_HALF) + digits.slice(0, UUID_HALF)
}
