import type { ImportWriter } from '../../../running/import-writer.ts'
import { isPossibleTime } from '../../../running/possible-time.ts'
import type { FitFile } from './fit-file.ts'
import { at, pick, timeOf } from './fit-values.ts'

const KEPT = [
  'timestamp',
  'weight',
  'percent_fat',
  'percent_hydration',
  'bone_mass',
  'muscle_mass',
  'visceral_fat_rating',
  'bmi',
]

/** Adds the measurements of a scale. */
export function addWeights(file: FitFile, out: ImportWriter, now: Date): void {
  const data = out.type('weight', 'body')
  for (const message of file.all('weight_scale')) {
    data.count()
    const raw = pick(message, KEPT)
    const time = timeOf(message.timestamp)
    if (time === undefined || !isPossibleTime(time, now)) {
      data.quarantine('body', 'invalid_start_date', raw)
      continue
    }
    const reader = data.read('body', raw)
    if (reader === undefined) continue
    const weight = reader.measured('weight', 700)
    const share = (name: string): number | null => {
      const mass = reader.measured(name, 700)
      return mass === null || weight === null ? null : (100 * mass) / weight
    }
    const values = {
      weight_kilogram: weight,
      fat_mass_percentage: reader.measured('percent_fat', 100),
      water_percentage: reader.measured('percent_hydration', 100),
      muscle_mass_percentage: share('muscle_mass'),
      bone_mass_percentage: share('bone_mass'),
      body_mass_index: reader.measured('bmi', 150),
    }
    if (!data.isValid('body', reader, raw)) continue
    if (Object.values(values).every((value) => value === null)) {
      data.countNotSupported()
      continue
    }
    const frame = { start: at(time, null), sourceType: 'scale' } as const
    data.addSummary('body', { ...frame, recordId: String(time / 1000), values, raw })
    const fat = values.fat_mass_percentage
    if (weight !== null) data.addSample('body_weight', { ...frame, value: weight, unit: 'kg' })
    if (fat !== null) data.addSample('body_fat', { ...frame, value: fat, unit: '%' })
  }
}
