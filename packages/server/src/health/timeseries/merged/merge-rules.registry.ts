import type { SeriesName } from '../../series/index.ts'

/**
 * sum: amounts that add up over time, so each instant may count once. level: readings, of which a
 * slot shows the mean. none: cannot be merged.
 */
type MergeKind = 'sum' | 'level' | 'none'

/** How samples of several sources become one series. */
export interface MergeRule {
  kind: MergeKind
  /**
   * Of a sum: a source that has samples at most this far apart was there in between as well, and what
   * a lower one reports for that time is not added. Milliseconds.
   */
  coverageGapMs: number
  /** A sample that is a whole number is split into whole numbers. */
  isWhole: boolean
}

const MINUTE_MS = 60_000

/** docs/decisions/0017-merging-sources.md has the measurements behind eight minutes. */
const USUAL_GAP_MS = 8 * MINUTE_MS

const sum = (coverageGapMs: number, isWhole = false): MergeRule => ({
  kind: 'sum',
  coverageGapMs,
  isWhole,
})

/** Counted by sensors all the time; a sensor that is quiet for minutes is still worn. */
const counted = sum(USUAL_GAP_MS, true)
/** Measured by sensors all the time, in fractions. */
const measured = sum(USUAL_GAP_MS)
/** Basal energy flows day and night and comes in hourly portions: reports up to two hours apart are one. */
const basal = sum(120 * MINUTE_MS)
/** Single events, mostly typed in: between two of them nothing is covered. */
const events = sum(0, true)
const intake = sum(0)
const level: MergeRule = { kind: 'level', coverageGapMs: 0, isWhole: false }
const none: MergeRule = { kind: 'none', coverageGapMs: 0, isWhole: false }

/** How each series is merged. */
export const MERGE_RULES: Readonly<Record<SeriesName, MergeRule>> = {
  // A share of time, not an amount.
  afib_burden: level,
  basal_body_temperature: level,
  blood_oxygen: level,
  // Two values a sample: a mean of pairs that were not measured together means little.
  blood_pressure: none,
  body_fat: level,
  body_mass_index: level,
  body_temperature: level,
  body_temperature_delta: level,
  body_weight: level,
  caffeine: intake,
  calories_active: measured,
  calories_basal: basal,
  carbohydrates: intake,
  cholesterol: level,
  daylight_exposure: measured,
  distance: measured,
  // A wave form: it is read as it is.
  electrocardiogram_voltage: none,
  fall: events,
  floors_climbed: counted,
  forced_expiratory_volume_1: level,
  forced_vital_capacity: level,
  glucose: level,
  handwashing: events,
  heart_rate_alert: events,
  heart_rate_recovery_one_minute: level,
  heartrate: level,
  hrv: level,
  // A code, and of sleep: sleep has a reconciler of its own.
  hypnogram: none,
  ige: level,
  igg: level,
  inhaler_usage: events,
  insulin_injection: intake,
  lean_body_mass: level,
  mindfulness_minutes: measured,
  // A text.
  note: none,
  peak_expiratory_flow_rate: level,
  respiratory_rate: level,
  sleep_apnea_alert: events,
  sleep_breathing_disturbance: events,
  stand_duration: measured,
  // One sample an hour, whoever made it.
  stand_hour: events,
  steps: counted,
  stress_level: level,
  uv_exposure: level,
  vo2_max: level,
  waist_circumference: level,
  water: intake,
  wheelchair_push: counted,
  workout_distance: measured,
  workout_duration: measured,
  workout_swimming_stroke: counted,
}
