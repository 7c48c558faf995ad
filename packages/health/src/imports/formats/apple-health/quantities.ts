import { convertToCanonical, series, type UnitTable, unitTable } from '@salus/contracts/series'

export const METERS: UnitTable = series('distance').units
export const CENTIMETERS: UnitTable = series('waist_circumference').units
export const KILOCALORIES: UnitTable = series('calories_active').units
export const MINUTES: UnitTable = series('mindfulness_minutes').units
export const BEATS_PER_MINUTE: UnitTable = series('heartrate').units
export const COUNT: UnitTable = series('steps').units
export const MILLIVOLTS: UnitTable = series('electrocardiogram_voltage').units
export const WATTS: UnitTable = unitTable({ W: 1, kW: 1000 })
export const METERS_PER_SECOND: UnitTable = unitTable({
  'm/s': 1,
  'km/hr': [10, 36],
  'km/h': [10, 36],
  'mi/hr': 0.44704,
  'mi/h': 0.44704,
  'ft/s': 0.3048,
})

/** Returns a finite number, or undefined. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** Converts a value with a unit to the unit of the table; null where it is missing or unknown. */
export function quantityOf(
  table: UnitTable,
  value: string | undefined,
  unit: string | undefined,
): number | null {
  const number = numberOf(value)
  return number === undefined ? null : (convertToCanonical(table, unit ?? '', number) ?? null)
}

/** Parses a value with its unit behind it, as in metadata: `1234 cm`. */
export function quantityText(table: UnitTable, text: string | undefined): number | null {
  const [value, ...unit] = (text ?? '').trim().split(' ')
  return quantityOf(table, value, unit.join(' '))
}
