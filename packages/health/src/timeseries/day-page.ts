import type { Series } from '@salus/contracts/series'
import { compareKeys, type OrderedSamples, type OriginSamples } from '../day-cache/index.ts'
import type { SampleGroup, SamplePage, SamplePosition } from './sample-page.ts'
import { createSampleWriter, type SampleValues } from './sample-text.ts'
import type { SampleFilter } from './timeseries.repository.ts'

const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'

/** Samples of one piece on their way into a page. */
interface Writing {
  samples: OriginSamples
  group: { texts: string[] }
  write: (sample: SampleValues) => string
}

/** Returns the position of a sample among those that a filter selects. */
type Selected = (order: number) => boolean

/** Returns one page of samples in overall order, grouped by source, as readGroupedSamples does. */
export function pageOfDays(
  ordered: OrderedSamples,
  filter: SampleFilter,
  after: SamplePosition | null,
  pageSize: number,
): SamplePage {
  const groups = new Map<string, Omit<SampleGroup, 'data'> & { texts: string[] }>()
  const writings: Writing[] = []
  const isSelected = selector(ordered, filter, after)
  const open = (piece: number): Writing => {
    const samples = ordered.pieces[piece] as OriginSamples
    const { provider, sourceType, appId, sport, workoutId } = samples.origin
    const source = { provider, sourceType, appId, sport, workoutId }
    const key = JSON.stringify(source)
    const group = groups.get(key) ?? { ...source, texts: [] }
    groups.set(key, group)
    const write = writerOf(filter, samples)
    const writing = { samples, group, write }
    writings[piece] = writing
    return writing
  }
  let count = 0
  let last = -1
  for (let order = 0; order < ordered.indexOf.length; order++) {
    if (!isSelected(order)) continue
    if (count === pageSize) return { groups: finish(groups), last: positionOf(ordered, last) }
    const piece = ordered.pieceOf[order] as number
    const { samples, group, write } = writings[piece] ?? open(piece)
    group.texts.push(write(sampleAt(samples, ordered.indexOf[order] as number)))
    count += 1
    last = order
  }
  return { groups: finish(groups), last: null }
}

/** Returns the selected samples in overall order with commas between them, or undefined. */
export function flatOfDays(
  ordered: OrderedSamples,
  filter: SampleFilter,
  most: number,
): Buffer | undefined {
  const writers: ((sample: SampleValues) => string)[] = []
  const texts: string[] = []
  const isSelected = selector(ordered, filter, null)
  for (let order = 0; order < ordered.indexOf.length; order++) {
    if (!isSelected(order)) continue
    if (texts.length === most) return undefined
    const piece = ordered.pieceOf[order] as number
    const samples = ordered.pieces[piece] as OriginSamples
    writers[piece] ??= writerOf(filter, samples)
    const write = writers[piece]
    texts.push(write(sampleAt(samples, ordered.indexOf[order] as number)))
  }
  return Buffer.from(texts.join(','))
}

function writerOf({ series, devices }: { series: Series } & SampleFilter, samples: OriginSamples) {
  return createSampleWriter(series, samples.origin, devices.get(samples.origin.provider) ?? null)
}

function sampleAt(samples: OriginSamples, index: number): SampleValues {
  return {
    startedAt: samples.startedAt[index] as number,
    endedAt: samples.endedAt[index] as number,
    value: samples.value[index] as number,
    diastolic: samples.diastolic[index] as number,
    text: samples.text?.[index] ?? '',
  }
}

function selector(
  { pieces, pieceOf, indexOf }: OrderedSamples,
  { from, to, provider, sampleType }: SampleFilter,
  after: SamplePosition | null,
): Selected {
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

function finish(
  groups: Map<string, Omit<SampleGroup, 'data'> & { texts: string[] }>,
): SampleGroup[] {
  return [...groups.values()].map(({ texts, ...group }) => ({
    ...group,
    data: [Buffer.from(texts.join(','))],
  }))
}

function positionOf({ pieces, pieceOf, indexOf }: OrderedSamples, order: number): SamplePosition {
  const { origin, startedAt } = pieces[pieceOf[order] as number] as OriginSamples
  const { provider, sourceType, appId, sampleType, workoutId } = origin
  return {
    startedAt: startedAt[indexOf[order] as number] as number,
    ...{ provider, sourceType, appId, sampleType, workoutId: workoutId || NO_WORKOUT },
  }
}
