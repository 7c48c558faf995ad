import { compareKeys, type OrderedSamples, type OriginSamples } from '../day-cache/index.ts'
import { SampleBytes, SampleWriter } from '../ingest/index.ts'
import type { SampleGroup, SamplePage, SamplePosition } from './sample-page.ts'
import type { SampleFilter } from './timeseries.repository.ts'

const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

type OpenGroup = Omit<SampleGroup, 'data'> & { bytes: SampleBytes }

/** Samples of one piece on their way into a page. */
interface Writing {
  group: OpenGroup
  write: PieceWriter
}

/** Which samples a filter selects, by their positions in the overall order. */
interface Selection {
  /** Positions of the period: the first, and the one after the last. */
  first: number
  end: number
  /** Whether a sample of the period is selected. */
  isSelected(order: number): boolean
}

/** Returns one page of samples in overall order, grouped by source, as readGroupedSamples does. */
export function pageOfDays(
  ordered: OrderedSamples,
  filter: SampleFilter,
  after: SamplePosition | null,
  pageSize: number,
): SamplePage {
  const { pieceOf, indexOf } = ordered
  const groups = new Map<string, OpenGroup>()
  const writings: Writing[] = []
  const { first, end, isSelected } = select(ordered, filter, after)
  let count = 0
  let last = -1
  for (let order = first; order < end; order++) {
    if (!isSelected(order)) continue
    if (count === pageSize) return { groups: finish(groups), last: positionOf(ordered, last) }
    const piece = pieceOf[order] as number
    const most = Math.min(end - order, pageSize - count)
    const writing = writings[piece] ?? openWriting(ordered, piece, filter, { groups, most })
    writings[piece] = writing
    writing.write(writing.group.bytes, indexOf[order] as number)
    count += 1
    last = order
  }
  return { groups: finish(groups), last: null }
}

function openWriting(
  { pieces }: OrderedSamples,
  piece: number,
  filter: SampleFilter,
  { groups, most }: { groups: Map<string, OpenGroup>; most: number },
): Writing {
  const samples = pieces[piece] as OriginSamples
  const { provider, sourceType, appId, sport, workoutId } = samples.origin
  const source = { provider, sourceType, appId, sport, workoutId }
  const key = JSON.stringify(source)
  const { write, sampleBytes } = writerOf(filter, samples)
  const capacity = sampleBytes * Math.min(most, samples.startedAt.length)
  const group = groups.get(key) ?? { ...source, bytes: new SampleBytes(capacity) }
  groups.set(key, group)
  return { group, write }
}

/** Returns the selected samples in overall order with commas between them, or undefined. */
export function flatOfDays(
  ordered: OrderedSamples,
  filter: SampleFilter,
  most: number,
): Buffer | undefined {
  const { pieces, pieceOf, indexOf } = ordered
  const writers: PieceWriter[] = []
  const { first, end, isSelected } = select(ordered, filter, null)
  const bytes = new SampleBytes()
  let count = 0
  for (let order = first; order < end; order++) {
    if (!isSelected(order)) continue
    if (count === most) return undefined
    count += 1
    const piece = pieceOf[order] as number
    const writer = writers[piece] ?? writerOf(filter, pieces[piece] as OriginSamples).write
    writers[piece] = writer
    writer(bytes, indexOf[order] as number)
  }
  return bytes.finish()
}

/** Adds a sample of a piece by its index in the columns. */
type PieceWriter = (to: SampleBytes, index: number) => void

function writerOf({ series, devices }: SampleFilter, samples: OriginSamples) {
  const { origin, startedAt, endedAt, value, diastolic, text } = samples
  const writer = new SampleWriter(series, origin, devices.get(origin.provider) ?? null)
  const write: PieceWriter = (to, index) =>
    writer.write(to, {
      startedAt: startedAt[index] as number,
      endedAt: endedAt[index] as number,
      value: value[index] as number,
      diastolic: diastolic[index] as number,
      text: text?.[index] ?? '',
    })
  return { write, sampleBytes: writer.usualBytes }
}

function select(
  { pieces, pieceOf, indexOf }: OrderedSamples,
  { from, to, provider, sampleType }: SampleFilter,
  after: SamplePosition | null,
): Selection {
  const isOfPiece = pieces.map(
    ({ origin }) =>
      (provider === '' || origin.provider === provider) &&
      (sampleType === '' || origin.sampleType === sampleType),
  )
  const isAfter = pieces.map(({ origin }) => after !== null && compareKeys(origin, after) > 0)
  const startOf = (order: number): number =>
    (pieces[pieceOf[order] as number] as OriginSamples).startedAt[
      indexOf[order] as number
    ] as number
  const count = indexOf.length
  const first = firstFrom(
    count,
    (order) => startOf(order) >= Math.max(from, after?.startedAt ?? from),
  )
  return {
    first,
    end: firstFrom(count, (order) => startOf(order) > to),
    isSelected(order) {
      const piece = pieceOf[order] as number
      if (!isOfPiece[piece]) return false
      return after === null || startOf(order) > after.startedAt || (isAfter[piece] ?? false)
    },
  }
}

/** Returns the first position from which on a condition holds, or the number of positions. */
function firstFrom(count: number, holds: (order: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

function finish(groups: Map<string, OpenGroup>): SampleGroup[] {
  return [...groups.values()].map(({ bytes, ...group }) => ({ ...group, data: [bytes.finish()] }))
}

function positionOf({ pieces, pieceOf, indexOf }: OrderedSamples, order: number): SamplePosition {
  const { origin, startedAt } = pieces[pieceOf[order] as number] as OriginSamples
  const { provider, sourceType, appId, sampleType, workoutId } = origin
  return {
    startedAt: startedAt[indexOf[order] as number] as number,
    ...{ provider, sourceType, appId, sampleType, workoutId: workoutId || NO_WORKOUT },
  }
}
