import { DAY_MS, HOUR_SECONDS } from '@salus/contracts/time-units'
import type { PersonData, ReferenceTarget, StoredSummary } from './person-data.ts'
import { keepOneSource, sourceTypeRank } from './prioritise.ts'
import { localDay, type ReferenceRow, storedRows, summaryRow } from './reference-row.ts'
import type { WireConfig } from './wire-query.ts'

const BASELINE_DAYS = 21
const LEAST_NIGHTS = 7

interface Night {
  day: number
  row: ReferenceRow
  /** RMSSD where it is known, else SDNN; null without either. */
  hrv: { measure: 'rmssd' | 'sdnn'; ln: number } | null
  /** Of the sleep itself, else of the day. */
  restingHeartRate: number | null
  asleepHours: number | null
}

/**
 * docs/contract/09-aggregate.md#macros-and-readiness, derived_readiness: a row for each day that
 * has a long sleep.
 */
export function readinessRows(
  data: PersonData,
  config: WireConfig,
  target: ReferenceTarget,
): ReferenceRow[] {
  const sleeps = storedRows(data, 'sleep').filter((row) => row.values.type === 'long_sleep')
  const byDay = Map.groupBy(sleeps, (sleep) => localDay(sleep, target))
  const nights = [...byDay].map(([day, all]) => chooseNight(day, all, data, config, target))
  return nights.map((night) => toRow(night, nights))
}

function chooseNight(
  day: number,
  sleeps: readonly StoredSummary[],
  data: PersonData,
  config: WireConfig,
  target: ReferenceTarget,
): Night {
  const lengths = new Map<ReferenceRow, number>()
  for (const sleep of sleeps) {
    lengths.set(summaryRow(sleep, 'sleep', target), sleep.endedAt - sleep.startedAt)
  }
  const lengthOf = (row: ReferenceRow): number => lengths.get(row) ?? 0
  const kept = keepOneSource([...lengths.keys()], 'sleep', config, target)
  const longest = kept.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a))
  const { heart_rate_resting, stage_asleep_second } = longest.cells
  return {
    day,
    row: longest,
    hrv: hrvOf(longest),
    restingHeartRate:
      typeof heart_rate_resting === 'number'
        ? heart_rate_resting
        : restingOfDay(day, longest.provider, data, target),
    asleepHours:
      typeof stage_asleep_second === 'number' ? stage_asleep_second / HOUR_SECONDS : null,
  }
}

function hrvOf({ cells }: ReferenceRow): Night['hrv'] {
  for (const measure of ['rmssd', 'sdnn'] as const) {
    const milliseconds = cells[`hrv_mean_${measure}`]
    if (typeof milliseconds === 'number' && milliseconds > 0) {
      return { measure, ln: Math.log(milliseconds) }
    }
  }
  return null
}

/**
 * What the activity of the provider says of the day: the best source type, of it the newest row.
 */
function restingOfDay(
  day: number,
  provider: string,
  data: PersonData,
  target: ReferenceTarget,
): number | null {
  const known = storedRows(data, 'activity').filter(
    (row) =>
      row.provider === provider &&
      localDay(row, target) === day &&
      typeof row.values.heart_rate_resting === 'number',
  )
  known.sort(
    (a, b) =>
      sourceTypeRank(a.sourceType) - sourceTypeRank(b.sourceType) ||
      b.updatedAt - a.updatedAt ||
      (a.id < b.id ? -1 : 1),
  )
  return (known[0]?.values.heart_rate_resting ?? null) as number | null
}

interface Scores {
  recovery: number | null
  strain: number | null
}

function toRow(night: Night, nights: readonly Night[]): ReferenceRow {
  const { recovery, strain } = scoresOf(night, nights)
  const { cells, macros } = night.row
  return {
    ...night.row,
    index: night.day,
    cells: {
      date: night.day,
      chronotype: macros.chronotype ?? null,
      sleep_score: macros.sleep_score ?? null,
      recovery_score: recovery,
      stress_score: recovery === null ? null : 100 - recovery,
      recovery_zone: recovery === null ? null : zoneOf(recovery, [34, 67], RECOVERY_ZONES),
      strain_score: strain,
      strain_zone: strain === null ? null : zoneOf(strain, [7, 14, 18], STRAIN_ZONES),
      source_provider: cells.source_provider ?? null,
      source_type: cells.source_type ?? null,
      source_app_id: cells.source_app_id ?? null,
      source_device_id: cells.source_device_id ?? null,
    },
  }
}

const RECOVERY_ZONES = ['Red', 'Amber', 'Green']
const STRAIN_ZONES = ['Low', 'Moderate', 'High', 'Very High']

/** A zone reaches up to where the next begins. */
function zoneOf(score: number, beginnings: readonly number[], zones: readonly string[]): string {
  return zones[beginnings.filter((beginning) => score >= beginning).length] as string
}

function scoresOf(night: Night, nights: readonly Night[]): Scores {
  const nothing = { recovery: null, strain: null }
  const from = night.day - BASELINE_DAYS * DAY_MS
  const { hrv, restingHeartRate, asleepHours } = night
  if (hrv === null || restingHeartRate === null || asleepHours === null) return nothing
  const variabilities: number[] = []
  const restingRates: number[] = []
  for (const other of nights) {
    if (other.day < from || other.day >= night.day) continue
    if (other.hrv?.measure !== hrv.measure || other.restingHeartRate === null) continue
    variabilities.push(other.hrv.ln)
    restingRates.push(other.restingHeartRate)
  }
  if (variabilities.length < LEAST_NIGHTS) return nothing
  const usual = spreadOf(variabilities)
  const rest = spreadOf(restingRates)
  const z1 = (hrv.ln - usual.mean) / Math.max(usual.deviation, 0.05)
  const z2 = (rest.mean - restingHeartRate) / Math.max(rest.deviation, 1)
  const d = Math.min(asleepHours, 9) / 8 - 1
  const x = 0.5 * z1 + 0.3 * z2 + 0.8 * d
  const recovery = Math.round(100 / (1 + Math.exp(-(0.6 + 1.2 * x))))
  const load = 0.6 * Math.max(0, (66 - recovery) / 66) + 0.4 * Math.max(0, (8 - asleepHours) / 8)
  const strain = (21 * (1 - Math.exp(-3 * load))) / (1 - Math.exp(-3))
  return { recovery, strain: Math.round(strain * 10) / 10 }
}

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) }
}
