import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { weighingOn } from '../people/body.ts'
import type { Calendar } from '../people/days.ts'
import { offsetText } from '../people/local-time.ts'
import { bitsAt, deriveSeed, unitAt } from '../people/noise.ts'

/** Measurements of the scales of Renpho, each a function of the person and the day. */

export type Fields = Record<string, unknown>

/** Number of days before now at which the data of an account begin. */
const PAST_DAYS = 400
/** Share of measurements that a scale uploads two days later. */
const LATE = 0.1

/** Ids are whole numbers of 19 digits. */
export const idOf = (seed: number, position: number): string =>
  String(2_130_000_000_000_000_000n + BigInt(bitsAt(seed, position)) * 1_000_003n)

export const userIdOf = ({ person }: Calendar): string => idOf(deriveSeed(person.seed, 960), 0)
/** A guest is measured on the same scale. */
export const guestIdOf = ({ person }: Calendar): string => idOf(deriveSeed(person.seed, 960), 1)

/** One of 16 tables. */
export const tableOf = ({ person }: Calendar): string =>
  `measurements_info_${(person.seed % 16).toString(16).toUpperCase()}`

/** Some scales also measure with the hands, and have a second list. */
export const hasHandles = ({ person }: Calendar): boolean => person.seed % 2 === 0

/** Versions of the app write the zone differently. */
function zoneText(calendar: Calendar, at: number): string {
  const offset = offsetText(calendar.offsetAt(at))
  const [hours = '', minutes = ''] = offset.split(':')
  const short = `${hours[0]}${Number(hours.slice(1))}${minutes === '00' ? '' : `:${minutes}`}`
  return [short, `GMT${short}`, calendar.zoneAt(at)][calendar.person.seed % 3] ?? short
}

function isUploaded(calendar: Calendar, at: number, day: number, now: number): boolean {
  if (calendar.person.traits.has('live')) return at <= now
  const isLate = unitAt(deriveSeed(calendar.person.seed, 961), day) < LATE
  return at + (isLate ? 2 * DAY_MS : 5 * MINUTE_MS) <= now
}

const FRAME = {
  deviceType: '02D3',
  mac: 'ED:67:27:00:00:01',
  scaleName: 'ES-CS20M',
  internalModel: '0A7E',
}

/** `toJson` removes the quotes of these ids, which are numbers in the JSON of this service. */
const unquoted = (id: string): string => `@${id}@`

/**
 * Returns what the scale measured of a person: only a weight on every fifth day, on which they wore
 * socks.
 */
function measurementOn(calendar: Calendar, day: number, isWhole: boolean): Fields | undefined {
  const weighing = weighingOn(calendar, day)
  if (weighing === undefined) return undefined
  const { at, kilograms, fatPercent, leanKilograms, muscleKilograms, boneKilograms } = weighing
  const isPlain = day % 5 === 0
  const only = (value: number): number => (isPlain ? 0 : value)
  return {
    id: unquoted(idOf(deriveSeed(calendar.person.seed, 962), day)),
    userId: unquoted(userIdOf(calendar)),
    timeStamp: Math.floor(at / 1000),
    timeZone: zoneText(calendar, at),
    weight: kilograms,
    bmi: Number((kilograms / calendar.person.heightMeters ** 2).toFixed(1)),
    bodyfat: only(fatPercent),
    water: only(Number(((100 * weighing.waterKilograms) / kilograms).toFixed(1))),
    muscle: only(Number((fatPercent * 1.7).toFixed(1))),
    fatFreeWeight: only(leanKilograms),
    bone: only(boneKilograms),
    ...(isWhole && {
      sinew: only(muscleKilograms),
      visfat: only(weighing.visceralIndex),
      heartRate: only(72),
      protein: isPlain ? '' : 17.2,
    }),
    bmr: only(1543),
    bodyage: only(calendar.person.age),
    ...FRAME,
  }
}

/** On every tenth day a guest steps on the scale a few minutes later. */
function guestOn(calendar: Calendar, day: number): Fields | undefined {
  const own = day % 10 === 3 ? measurementOn(calendar, day, false) : undefined
  if (own === undefined) return undefined
  return {
    ...own,
    id: unquoted(idOf(deriveSeed(calendar.person.seed, 963), day)),
    userId: unquoted(guestIdOf(calendar)),
    timeStamp: Number(own.timeStamp) + 240,
    weight: 58.4,
  }
}

/** The weight that the person typed in when they made the account. */
function typedIn(calendar: Calendar, day: number): Fields {
  const at = calendar.day(day).from + 9 * HOUR_MS
  return {
    id: unquoted(idOf(deriveSeed(calendar.person.seed, 964), 0)),
    userId: unquoted(userIdOf(calendar)),
    timeStamp: Math.floor(at / 1000),
    timeZone: zoneText(calendar, at),
    weight: Math.round(calendar.person.weightKilograms),
    bmi: 0,
    bodyfat: 0,
    deviceType: '00000',
    mac: '',
    scaleName: '',
  }
}

/** Lists of the service: of all scales, and of those with handles. */
export type ListName = 'all' | 'composition'

/** Returns all records of a list that were uploaded by now, the oldest first. */
export function recordsOf(calendar: Calendar, list: ListName, now: number): Fields[] {
  if (list === 'composition' && !hasHandles(calendar)) return []
  const last = calendar.dayAt(now).number
  const records: Fields[] = list === 'all' ? [typedIn(calendar, last - PAST_DAYS)] : []
  for (let day = last - PAST_DAYS; day <= last; day++) {
    const isWhole = list === 'composition' || !hasHandles(calendar)
    const guest = list === 'all' ? guestOn(calendar, day) : undefined
    for (const record of [measurementOn(calendar, day, isWhole), guest]) {
      if (record === undefined) continue
      const at = Number(record.timeStamp) * 1000
      if (isUploaded(calendar, at, day, now)) records.push(record)
    }
  }
  return records
}

/** Returns the JSON of the service. */
export const toJson = (content: unknown): string =>
  JSON.stringify(content).replaceAll(/"@(\d+)@"/g, '$1')
