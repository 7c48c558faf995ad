import { compareKeys, type OrderedSamples, type OriginSamples } from '../day-cache/index.ts'
import { SampleBytes, SampleWriter } from '../ingest/index.ts'
import type { SampleGroup, SamplePage, SamplePosition } from './sample-page.ts'
import type { SampleFilter } from './timeseries.repository.ts'

const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

type OpenGroup = Omit<SampleGroup, 'data'> & { bytes: SampleBytes }

/** Samples of one piece on their way into a page. */
interface Writing {
  group: OpenGroup
  writer: PieceWriter
}

/** Whether a filter selects a sample, by its position in the overall order. */
type Selector = (order: number) => boolean

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
  const isSelected = selector(ordered, filter, after)
  let count = 0
  let last = -1
  for (let order = 0; order < indexOf.length; order++) {
    if (!isSelected(order)) continue
    if (count === pageSize) return { groups: finish(groups), last: positionOf(ordered, last) }
    const piece = pieceOf[order] as number
    const writing = writings[piece] ?? openWriting(ordered, piece, filter, groups)
    writings[piece] = writing
    writing.writer(writing.group.bytes, indexOf[order] as number)
    count += 1
    last = order
  }
  return { groups: finish(groups), last: null }
}

function openWriting(
  { pieces }: OrderedSamples,
  piece: number,
  filter: SampleFilter,
  groups: Map<string, OpenGroup>,
): Writing {
  const samples = pieces[piece] as OriginSamples
  const { provider, sourceType, appId, sport, workoutId } = samples.origin
  const source = { provider, sourceType, appId, sport, workoutId }
  const key = JSON.stringify(source)
  const group = groups.get(key) ?? { ...source, bytes: new SampleBytes() }
  groups.set(key, group)
  return { group, writer: writerOf(filter, samples) }
}

/** Returns the selected samples in overall order with commas between them, or undefined. */
export function flatOfDays(
  ordered: OrderedSamples,
  filter: SampleFilter,
  most: number,
): Buffer | undefined {
  const { pieces, pieceOf, indexOf } = ordered
  const writers: PieceWriter[] = []
  const bytes = new SampleBytes()
  const isSelected = selector(ordered, filter, null)
  let count = 0
  for (let order = 0; order < indexOf.length; order++) {
    if (!isSelected(order)) continue
    if (count === most) return undefined
    count += 1
    const piece = pieceOf[order] as number
    const writer = writers[piece] ?? writerOf(filter, pieces[piece] as OriginSamples)
    writers[piece] = writer
    writer(bytes, indexOf[order] as number)
  }
  return bytes.finish()
}

/** Adds a sample of a piece by its index in the columns. */
type PieceWriter = (to: SampleBytes, index: number) => void

function writerOf({ series, devices }: SampleFilter, samples: OriginSamples): PieceWriter {
  const { origin, startedAt, endedAt, value, diastolic, text } = samples
  const writer = new SampleWriter(series, origin, devices.get(origin.provider) ?? null)
  return (to, index) =>
    writer.write(to, {
      startedAt: startedAt[index] as number,
      endedAt: endedAt[index] as number,
      value: value[index] as number,
      diastolic: diastolic[index] as number,
      text: text?.[index] ?? '',
    })
}

function selector(
  { pieces, pieceOf, indexOf }: OrderedSamples,
  { from, to, provider, sampleType }: SampleFilter,
  after: SamplePosition | null,
): Selector {
  const isOfPiece = pieces.map(
    ({ origin }) =>
      (provider === '' || origin.provider === provider) &&
      (sampleType === '' || origin.sampleType === sampleType),
  )
  const isAfter = pieces.map(({ origin }) => after !== null && compareKeys(origin, after) > 0)
  return (order) => {
    const piece = pieceOf[order] as number
    if (!isOfPiece[piece]) return false
    const start = (pieces[piece] as OriginSamples).startedAt[indexOf[order] as number] as number
    if (start < from || start > to) return false
    if (after === null || start > after.startedAt) return true
    return start === after.startedAt && (isAfter[piece] ?? false)
  }
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
