import { isFields } from '../../../summaries/index.ts'
import { readJsonFile } from '../../files/json.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { GarminDays } from './garmin-days.ts'
import type { GarminMember } from './garmin-members.ts'
import type { GarminSleeps } from './garmin-sleeps.ts'
import { type Fields, offsetBetween, pickFields, readGmt } from './garmin-values.ts'

const WATCH = { sourceType: 'watch' } as const

interface Targets {
  out: ImportWriter
  days: GarminDays
  sleeps: GarminSleeps
  now: Date
}

/**
 * Reads an answer of Garmin Connect: heart rates, variability, a night, a day, days of steps, or
 * weights. @throws ImportFileError `malformed_json`
 */
export async function readAnswer({ file }: GarminMember, targets: Targets): Promise<void> {
  const answer = await readJsonFile(file)
  const { out, days, sleeps, now } = targets
  for (const item of Array.isArray(answer) ? answer : [answer]) {
    if (!isFields(item)) continue
    const { dailySleepDTO: night } = item
    if (Array.isArray(item.heartRateValues)) addRates(item, item.heartRateValues, targets)
    else if (Array.isArray(item.hrvReadings)) addVariability(item.hrvReadings, targets)
    else if (Array.isArray(item.dateWeightList)) addWeights(item.dateWeightList, targets)
    else if (isFields(night))
      sleeps.add(file.path, nightOf(night), out.type('sleepData', 'sleep'), now)
    else if (item.totalSteps !== undefined) {
      const { totalDistance: totalDistanceMeters } = item
      const day = totalDistanceMeters === undefined ? item : { ...item, totalDistanceMeters }
      days.add(day, out.type('UDSFile', 'activity'), now)
    }
  }
}

/** Returns a night with the names of the export. */
function nightOf(night: Fields): Fields {
  const { sleepScores: scores, unmeasurableSleepSeconds, averageRespirationValue } = night
  const overall = isFields(scores) && isFields(scores.overall) ? scores.overall.value : undefined
  return {
    ...night,
    unmeasurableSeconds: unmeasurableSleepSeconds,
    averageRespiration: averageRespirationValue,
    sleepScores: { overallScore: overall },
  }
}

/** Adds pairs of a time and a rate; null stands for none. */
function addRates(day: Fields, values: readonly unknown[], { out, now }: Targets): void {
  const data = out.type('heart rates', 'heartrate')
  const offsets = ['start', 'end'].map((name) =>
    offsetBetween(day[`${name}TimestampLocal`], day[`${name}TimestampGMT`]),
  )
  // On a day on which the clock changes the offset of a value is unknown.
  const offset = offsets[0] === offsets[1] ? (offsets[0] ?? null) : null
  for (const pair of values) {
    const [at, value] = Array.isArray(pair) ? pair : []
    if (value === null || value === undefined) {
      data.countNotSupported()
      continue
    }
    data.count()
    if (typeof at !== 'number' || !isPossibleTime(at, now)) {
      data.quarantine('heartrate', 'invalid_start_date', { at, value })
    } else data.addSample('heartrate', { ...WATCH, start: { at, offset }, value, unit: 'bpm' })
  }
}

function addVariability(readings: readonly unknown[], { out, now }: Targets): void {
  const data = out.type('variability', 'hrv')
  for (const reading of readings.filter(isFields)) {
    const { hrvValue: value, readingTimeGMT: gmt, readingTimeLocal: local } = reading
    const at = readGmt(gmt)
    data.count()
    if (at === undefined || !isPossibleTime(at, now)) {
      data.quarantine('hrv', 'invalid_start_date', { value, gmt })
      continue
    }
    const start = { at, offset: offsetBetween(local, gmt) }
    const extra = { method: 'rmssd' }
    data.addSample('hrv', { ...WATCH, start, value: value as number, unit: 'ms', extra })
  }
}

const WEIGHT = ['weight', 'bmi', 'bodyFat', 'bodyWater', 'boneMass', 'muscleMass', 'timestampGMT']

/** Adds weights, which are in grams, as the connector does. */
function addWeights(records: readonly unknown[], { out, now }: Targets): void {
  const data = out.type('weights', 'body')
  for (const item of records.filter(isFields)) {
    const raw = pickFields(item, WEIGHT)
    const at = readGmt(raw.timestampGMT)
    data.count()
    const reader = data.read('body', raw)
    if (at === undefined || !isPossibleTime(at, now) || reader === undefined) {
      data.quarantine('body', 'invalid_start_date', raw)
      continue
    }
    const grams = reader.measured('weight', 700_000)
    const percentOf = (name: string): number | null => {
      const mass = reader.measured(name, 700_000)
      return mass === null || grams === null ? null : (100 * mass) / grams
    }
    const fat = reader.measured('bodyFat', 100)
    const values = {
      weight_kilogram: grams === null ? null : grams / 1000,
      body_mass_index: reader.measured('bmi', 150),
      fat_mass_percentage: fat,
      water_percentage: reader.measured('bodyWater', 100),
      muscle_mass_percentage: percentOf('muscleMass'),
      bone_mass_percentage: percentOf('boneMass'),
    }
    if (!data.isValid('body', reader, raw)) continue
    const start = { at, offset: offsetBetween(item.date, at) }
    const frame = { start, sourceType: fat === null ? 'unknown' : 'scale' } as const
    data.addSummary('body', { ...frame, recordId: String(Math.floor(at / 1000)), values, raw })
    const { weight_kilogram: kilograms } = values
    if (kilograms !== null)
      data.addSample('body_weight', { ...frame, value: kilograms, unit: 'kg' })
    if (fat !== null) data.addSample('body_fat', { ...frame, value: fat, unit: '%' })
  }
}
