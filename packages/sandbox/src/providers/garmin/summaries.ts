import type { Calendar, Span } from '../people/days.ts'
import { activitiesOn, detailsOn, editedOn } from './activities.ts'
import { bodiesOn, cyclesOn, metricsOn, pressuresOn } from './measurements.ts'
import { oxygenOn, skinTemperatureOn, sleepsListed, variabilityOn } from './nights.ts'
import type { Summary } from './place.ts'
import { dailiesOn, epochsOn, respirationOn, snapshotsOn, stressOn } from './wellness.ts'

export type Permission =
  | 'ACTIVITY_EXPORT'
  | 'HEALTH_EXPORT'
  | 'MCT_EXPORT'
  | 'HISTORICAL_DATA_EXPORT'

interface SummaryType {
  /** Name in messages. */
  readonly name: string
  /** Name in requests for the past; absent where there are none. */
  readonly backfill?: string
  readonly permission: Permission
  /** Summaries of a day, of what was uploaded until an instant. */
  readonly on: (calendar: Calendar, day: number, until: number) => Summary[]
}

const health = (name: string, on: SummaryType['on'], backfill = name): SummaryType => ({
  name,
  backfill,
  permission: 'HEALTH_EXPORT',
  on,
})

export const SUMMARY_TYPES: readonly SummaryType[] = [
  health('dailies', dailiesOn),
  health('epochs', epochsOn),
  health('sleeps', sleepsListed),
  health('hrv', variabilityOn),
  health('stressDetails', stressOn),
  health('allDayRespiration', respirationOn, 'respiration'),
  health('pulseox', oxygenOn, 'pulseOx'),
  health('bodyComps', bodiesOn),
  health('bloodPressures', pressuresOn),
  health('skinTemp', skinTemperatureOn),
  health('userMetrics', metricsOn),
  health('healthSnapshot', snapshotsOn),
  {
    name: 'menstrualCycleTracking',
    backfill: 'mct',
    permission: 'MCT_EXPORT',
    on: cyclesOn,
  },
  { name: 'activities', backfill: 'activities', permission: 'ACTIVITY_EXPORT', on: activitiesOn },
  {
    name: 'activityDetails',
    backfill: 'activityDetails',
    permission: 'ACTIVITY_EXPORT',
    on: detailsOn,
  },
  { name: 'manuallyUpdatedActivities', permission: 'ACTIVITY_EXPORT', on: editedOn },
]

/** Returns the summaries of the days that a span overlaps, the oldest first. */
export function summariesIn(
  { on }: SummaryType,
  calendar: Calendar,
  { from, to }: Span,
  until: number,
): Summary[] {
  const summaries: Summary[] = []
  const last = calendar.dayAt(Math.max(from, to - 1)).number
  for (let day = calendar.dayAt(from).number; day <= last; day++) {
    summaries.push(...on(calendar, day, until))
  }
  return summaries
}

/** Returns what the vendor has at the end of a span and did not have, or had otherwise, before. */
export function changesIn(type: SummaryType, calendar: Calendar, before: number, until: number) {
  // A night begins, and a person edits, on the day before.
  const span = { from: calendar.dayAt(before).from - 1, to: until }
  const known = new Set(summariesIn(type, calendar, span, before).map((one) => JSON.stringify(one)))
  return summariesIn(type, calendar, span, until).filter((one) => !known.has(JSON.stringify(one)))
}
