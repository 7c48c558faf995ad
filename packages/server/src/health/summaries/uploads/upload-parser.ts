import { WorkSlice } from '../../../platform/time-slices.ts'
import { DeviceCollector, type ParsedUpload, type PutAsideReason } from '../../ingest/index.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { parseActivity } from './activity-parser.ts'
import { parseBody } from './body-parser.ts'
import { parseElectrocardiogram } from './electrocardiogram-parser.ts'
import { parseMeal } from './meal-parser.ts'
import { parseMenstrualCycle } from './menstrual-cycle-parser.ts'
import { emptyItem, type ItemContext, type ParsedItem } from './parsed-item.ts'
import { parseProfile } from './profile-parser.ts'
import { parseSleep } from './sleep-parser.ts'
import { parseWorkout } from './workout-parser.ts'

type ItemParser = (context: ItemContext, item: unknown) => ParsedItem | PutAsideReason

/** Turns one item of an upload into what is stored, or names the reason why it cannot be. */
export const ITEM_PARSERS: Readonly<Record<SummaryResource, ItemParser>> = {
  activity: parseActivity,
  sleep: parseSleep,
  workouts: parseWorkout,
  body: parseBody,
  meal: parseMeal,
  menstrual_cycle: parseMenstrualCycle,
  profile: parseProfile,
  electrocardiogram: parseElectrocardiogram,
}

export type ParsedSummaryUpload = Pick<ParsedUpload, 'problems' | 'devices'> &
  Omit<ParsedItem, 'devices'>

/** Parses the items of an upload one by one; what cannot be stored is put aside with a reason. */
export async function parseSummaryUpload(
  resource: SummaryResource,
  context: ItemContext,
  items: readonly unknown[],
): Promise<ParsedSummaryUpload> {
  const slice = new WorkSlice()
  const all = emptyItem()
  const problems: { index: number; reason: string }[] = []
  const devices = new DeviceCollector()
  for (const [index, item] of items.entries()) {
    if (slice.isOver()) await slice.rest()
    const parsed = ITEM_PARSERS[resource](context, item)
    if (typeof parsed === 'string') {
      all.putAside.push({ resource, reason: parsed, item })
      problems.push({ index, reason: parsed })
      continue
    }
    // Lists may be too long to be the arguments of one call.
    for (const summary of parsed.summaries) all.summaries.push(summary)
    for (const sample of parsed.samples) all.samples.push(sample)
    for (const [workoutId, stream] of parsed.streams) all.streams.set(workoutId, stream)
    for (const part of parsed.putAside) {
      all.putAside.push(part)
      problems.push({ index, reason: part.reason })
    }
    for (const named of parsed.devices) devices.add(context.provider, named.sourceType, named.item)
  }
  const { summaries, samples, streams, putAside } = all
  return { summaries, samples, streams, putAside, problems, devices: [...devices.devices.values()] }
}
