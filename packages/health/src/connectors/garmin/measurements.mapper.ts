import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset, startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'
import { type Fields, forEachSummary, recordsOf, textOf, WATCH } from './garmin-records.ts'

/** Maps the deviation of a night's skin temperature from the usual one. */
export function mapSkinTemperature(answer: unknown, data: PageData): void {
  const resource = 'body_temperature_delta'
  const kind = { data, resource, times: 'startTime' }
  forEachSummary(recordsOf(answer, ['skinTemp', 'skinTemps']), kind, (summary) => {
    const { record, reader, start, end } = summary
    const value = record.avgDeviationCelsius ?? null
    if (!data.isValid(resource, reader, record) || value === null) return
    const extra = { sensor_location: 'wrist' }
    const sample = { ...WATCH, start, end, value: value as number, unit: '°C', extra }
    data.addSample(resource, sample, record)
  })
}

/** Maps measurements of scales, and weights that were typed in. One instant has one. */
export function mapBodyCompositions(answer: unknown, data: PageData): void {
  const kind = { data, resource: 'body', times: 'measurementTime' }
  const names = ['bodyComps', 'bodyCompositions']
  forEachSummary(recordsOf(answer, names), kind, ({ record, reader, start }) => {
    const grams = reader.measured('weightInGrams', 700_000)
    const percentOf = (name: string): number | null => {
      const mass = reader.measured(name, 700_000)
      return mass === null || grams === null ? null : (100 * mass) / grams
    }
    const composition = {
      fat_mass_percentage: reader.measured('bodyFatInPercent', 100),
      water_percentage: reader.measured('bodyWaterInPercent', 100),
      muscle_mass_percentage: percentOf('muscleMassInGrams'),
      bone_mass_percentage: percentOf('boneMassInGrams'),
    }
    const values = {
      weight_kilogram: grams === null ? null : grams / 1000,
      body_mass_index: reader.measured('bodyMassIndex', 150),
      ...composition,
    }
    const isEmpty = Object.values(values).every((value) => value === null)
    if (!data.isValid('body', reader, record) || isEmpty) return
    const isOfScale = Object.values(composition).some((value) => value !== null)
    data.addSummary('body', {
      recordId: String(start.at / 1000),
      start,
      sourceType: isOfScale ? 'scale' : 'unknown',
      values,
      raw: record,
    })
  })
}

/** Maps blood pressures with their pulse. */
export function mapBloodPressures(answer: unknown, data: PageData): void {
  const kind = { data, resource: 'blood_pressure', times: 'measurementTime' }
  const records = recordsOf(answer, ['bloodPressures'])
  forEachSummary(records, kind, ({ record, reader, start }) => {
    if (!data.isValid('blood_pressure', reader, record)) return
    const { systolic, diastolic, pulse, sourceType: source, summaryId } = record
    const sourceType: SourceType =
      source === 'MANUAL' ? 'app' : source === 'DEVICE' ? 'cuff' : 'unknown'
    const pressure = { systolic: systolic as number, diastolic: diastolic as number }
    const recordId = textOf(summaryId) ?? ''
    data.addBloodPressure({ start, sourceType, recordId, ...pressure, unit: 'mmHg' }, record)
    if ((pulse ?? 0) === 0) return
    data.addSample('heartrate', { start, sourceType, value: pulse as number, unit: 'bpm' }, record)
  })
}

/** Maps the oxygen uptake of a day; that of cycling where there is none of running. */
export function mapUserMetrics(answer: unknown, data: PageData): void {
  for (const item of recordsOf(answer, ['userMetrics'])) {
    const { userAccessToken: _secret, ...record }: Fields = isFields(item) ? item : {}
    const reader = data.read('vo2_max', isFields(item) ? record : item)
    const day = reader && data.date('vo2_max', record.calendarDate, record)
    if (reader === undefined || day === undefined) continue
    const value = reader.measured('vo2Max', 120) ?? reader.measured('vo2MaxCycling', 120)
    if (!data.isValid('vo2_max', reader, record) || value === null) continue
    // A day without a time is placed at noon UTC, which is that day nearly everywhere.
    const start: VendorInstant = { at: startOfUtcDay(day) + DAY_MS / 2, offset: null }
    data.addSample('vo2_max', { ...WATCH, start, value, unit: 'mL/kg/min' }, record)
  }
}

/**
 * Maps cycles, which are sent again every day. The end of a period or cycle is stored when it has
 * passed, or of a cycle that is predicted as a whole: of those only the latest counts.
 */
export function mapMenstrualCycles(answer: unknown, data: PageData): void {
  for (const item of recordsOf(answer, ['mct', 'menstrualCycleTracking'])) {
    const { userAccessToken: _secret, ...record }: Fields = isFields(item) ? item : {}
    const reader = data.read('menstrual_cycle', isFields(item) ? record : item)
    const start = reader && data.date('menstrual_cycle', record.periodStartDate, record)
    if (reader === undefined || start === undefined) continue
    const isPredicted = reader.boolean('isPredictedCycle') ?? false
    const [periodDays, cycleDays] = [
      reader.integer('periodLength', 0, 365),
      reader.integer('predictedCycleLength', 0, 365),
    ]
    const day = reader.integer('dayInCycle', 0, 10_000)
    const changed = reader.number('lastUpdatedTimeInSeconds', 0, 10_413_792_000)
    if (!data.isValid('menstrual_cycle', reader, record)) continue
    const isOver = isPredicted || day === null || (periodDays !== null && day >= periodDays)
    const lastDay = (days: number | null, isKnown: boolean): string | null =>
      days && isKnown ? dateAtOffset(startOfUtcDay(start) + (days - 1) * DAY_MS, 0) : null
    const periodEnd = lastDay(periodDays, isOver)
    const cycleEnd = lastDay(cycleDays, isPredicted)
    data.addSummary('menstrual_cycle', {
      recordId: isPredicted ? 'predicted' : start,
      start: { at: startOfUtcDay(start), offset: null },
      end: { at: startOfUtcDay(cycleEnd ?? periodEnd ?? start), offset: null },
      sourceType: 'app',
      values: {
        period_start: start,
        period_end: periodEnd,
        cycle_end: cycleEnd,
        is_predicted: isPredicted,
      },
      raw: record,
      ...(changed !== null && { modifiedAt: changed * 1000 }),
    })
  }
}
