import type { Tone } from '../../../components/status-badge.tsx'
import type { ImportJob } from './import-queries.ts'

export const JOB_STATES: Readonly<Record<ImportJob['status'], { tone: Tone; title: string }>> = {
  queued: { tone: 'neutral', title: 'Waiting' },
  running: { tone: 'info', title: 'Reading' },
  needs_options: { tone: 'warning', title: 'Has a question' },
  completed: { tone: 'good', title: 'Done' },
  failed: { tone: 'bad', title: 'Failed' },
}

/** Titles of the options of an import. */
const OPTIONS: Readonly<Record<string, string>> = {
  time_zone: 'Time zone of the file',
  date_order: 'Order of day and month',
  weight_unit: 'Unit of weights',
  distance_unit: 'Unit of distances',
  glucose_unit: 'Unit of glucose values',
  energy_unit: 'Unit of energies',
  aggregation: 'Time over which values were summed',
  template_id: 'Template',
  remove_missing: 'Removal of missing data',
}

const CHOICES: Readonly<Record<string, string>> = {
  day_first: 'Day first, such as 31.12.2026',
  month_first: 'Month first, such as 12/31/2026',
  year_first: 'Year first, such as 2026-12-31',
  kg: 'Kilograms',
  lb: 'Pounds',
  st: 'Stones',
  km: 'Kilometers',
  mi: 'Miles',
  m: 'Meters',
  kcal: 'Kilocalories',
  kJ: 'Kilojoules',
  cal: 'Calories',
  J: 'Joules',
  minutes: 'Minutes',
  hours: 'Hours',
  days: 'Days',
}

export const optionTitle = (option: string): string => OPTIONS[option] ?? option
export const choiceTitle = (choice: string): string => CHOICES[choice] ?? choice

/** `12.3 MB`. */
export const formatSize = (bytes: number): string =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`
