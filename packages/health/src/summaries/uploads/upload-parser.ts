import { WorkSlice } from '@salus/kernel/time-slices'
import { DeviceCollector, type ParsedUpload } from '../../ingest/index.ts'
import { parseActivity } from '../activity/activity.parser.ts'
import { parseBody } from '../body/body.parser.ts'
import { parseElectrocardiogram } from '../electrocardiogram/electrocardiogram.parser.ts'
import { parseMeal } from '../meal/meal.parser.ts'
import { parseMenstrualCycle } from '../menstrual-cycle/menstrual-cycle.parser.ts'
import { parseProfile } from '../profile/profile.parser.ts'
import { parseSleep } from '../sleep/sleep.parser.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { parseWorkout } from '../workout/workout.parser.ts'
import { emptyItem, type ItemContext, type ItemOutcome, type ParsedItem } from './parsed-item.ts'

type ItemParser = (context: ItemContext, item: unknown) => ItemOutcome

/** Turns one item of an upload into what is stored, or returns the reason why it cannot be. */
const ITEM_PARSERS: Readonly<Record<SummaryResource, ItemParser>> = {
  activity: parseActivity,
  sleep: parseSleep,
  workouts: parseWorkout,
  body: parseBody,
  meal: parseMeal,
  menstrual_cycle: parseMenstrualCycle,
  profile: parseProfile,
  electrocardiogram: parseElectrocardiogram,
}

type ParsedSummaryUpload = Pick<ParsedUpload, 'problems' | 'devices'> & Omit<ParsedItem, 'devices'>

/** Parses the items of an upload one by one; what cannot be stored is quarantined with a reason. */
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
      all.quarantined.push({ resource, reason: parsed, item })
      problems.push({ index, reason: parsed })
      continue
    }
    // Lists may be too long to be the arguments of one call.
    for (const summary of parsed.summaries) all.summaries.push(summary)
    for (const sample of parsed.samples) all.samples.push(sample)
    for (const [workoutId, stream] of parsed.streams) all.streams.set(workoutId, stream)
    for (const part of parsed.quarantined) {
      all.quarantined.push(part)
      problems.push({ index, reason: part.reason })
    }
    for (const named of parsed.devices) devices.add(context.provider, named.sourceType, named.item)
  }
  return { ...all, problems, devices: [...devices.devices.values()] }
}
