import { HOUR_MS } from '@salus/contracts/time-units'
import { oxygenOn, pressuresOn, temperatureOn, type Weighing, weighingOn } from '../people/body.ts'
import type { Calendar } from '../people/days.ts'
import {
  CUFF,
  type Device,
  deviceId,
  type Fields,
  recordId,
  SCALE,
  secondsOf,
  THERMOMETER,
  WATCH,
} from './records.ts'

/** Groups of measures, each a function of the person, the day and the present time. */

type Measure = readonly [type: number, value: number, unit: number]

function groupOf(
  calendar: Calendar,
  { at, day, kind, device, measures }: Group,
  change: Fields = {},
): Fields {
  const id = device && deviceId(calendar, device.kind)
  return {
    grpid: recordId(calendar, day, kind),
    attrib: 0,
    date: secondsOf(at),
    created: secondsOf(at) + 20,
    modified: secondsOf(at) + 20,
    category: 1,
    deviceid: id ?? null,
    hash_deviceid: id ?? null,
    measures: measures.map(([type, value, unit]) => ({ value, type, unit, algo: 0, fm: 131 })),
    modelid: device?.modelId ?? null,
    model: device?.model ?? null,
    comment: null,
    timezone: calendar.zoneAt(at),
    ...change,
  }
}

interface Group {
  at: number
  day: number
  kind: number
  device: Device | undefined
  measures: readonly Measure[]
}

const grams = (type: number, kilograms: number): Measure => [type, Math.round(kilograms * 1000), -3]

const measuresOf = (weighing: Weighing): Measure[] => [
  grams(1, weighing.kilograms),
  grams(5, weighing.leanKilograms),
  [6, Math.round(weighing.fatPercent * 100), -2],
  grams(8, weighing.kilograms - weighing.leanKilograms),
  grams(76, weighing.muscleKilograms),
  grams(77, weighing.waterKilograms),
  grams(88, weighing.boneKilograms),
  [170, Math.round(weighing.visceralIndex * 10), -1],
]

/** A measure of a child that the scale took for the person's own is theirs only that long. */
const MISTAKEN_MS = 30 * HOUR_MS

/** Groups of a day that are not the person's: some vanish, some are ambiguous, some are goals. */
function othersOn(calendar: Calendar, day: number, now: number): Fields[] {
  const { seed, weightKilograms } = calendar.person
  const at = calendar.day(day).night.to + 10 * HOUR_MS
  const scale = { at, day, device: SCALE }
  const groups: Fields[] = []
  if ((day + seed) % 9 === 4 && now < at + MISTAKEN_MS) {
    groups.push(groupOf(calendar, { ...scale, kind: 10, measures: [grams(1, 24.3)] }))
  }
  if ((day + seed) % 9 === 6) {
    const ambiguous = { ...scale, kind: 11, measures: [grams(1, 62.1)] }
    groups.push(groupOf(calendar, ambiguous, { attrib: 1 }))
  }
  if ((day + seed) % 30 === 0) {
    const goal = {
      ...scale,
      kind: 12,
      device: undefined,
      measures: [grams(1, weightKilograms - 5)],
    }
    groups.push(groupOf(calendar, goal, { category: 2, attrib: 2 }))
  }
  return groups
}

/** Returns groups of measures of a day, the oldest first. */
export function groupsOn(calendar: Calendar, day: number, now: number): Fields[] {
  const weighing = weighingOn(calendar, day)
  const temperature = temperatureOn(calendar, day)
  const oxygen = oxygenOn(calendar, day)
  const groups: Fields[] = []
  if (weighing !== undefined) {
    const measures = measuresOf(weighing)
    groups.push(groupOf(calendar, { at: weighing.at, day, kind: 0, device: SCALE, measures }))
  }
  for (const { at, systolic, diastolic, beats } of pressuresOn(calendar, day)) {
    const measures: Measure[] = [
      [9, diastolic, 0],
      [10, systolic * 100, -2],
      [11, beats, 0],
    ]
    const group = { at, day, kind: 1, device: CUFF, measures }
    // The vendor's number of a good measurement with this model.
    groups.push(groupOf(calendar, group, { attrib: 17 }))
  }
  if (temperature !== undefined) {
    const measures: Measure[] = [
      [71, Math.round(temperature.value * 1000), -3],
      [73, 33_200, -3],
    ]
    const { at } = temperature
    groups.push(groupOf(calendar, { at, day, kind: 2, device: THERMOMETER, measures }))
  }
  if (oxygen !== undefined) {
    const measures: Measure[] = [[54, oxygen.value, 0]]
    groups.push(groupOf(calendar, { at: oxygen.at, day, kind: 3, device: WATCH, measures }))
  }
  const seconds = secondsOf(now)
  return [...groups, ...othersOn(calendar, day, now)]
    .filter(({ date }) => (date as number) <= seconds)
    .sort((one, other) => (one.date as number) - (other.date as number))
}
