import { roundMeasured } from '@salus/contracts/series'
import type { VendorInstant } from '../../../connectors/index.ts'
import type { CsvRow, CsvTable } from '../../files/csv.ts'
import { readDecimal } from '../../files/table-numbers.ts'
import { zoneOf } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'

const POUND = 0.45359237
/** Kilograms of each unit in head rows. */
const UNITS: Readonly<Record<string, number>> = { kg: 1, lb: POUND, lbs: POUND, st: 14 * POUND }

/** Columns of masses, by the beginning of their names. */
const MASSES = {
  weight: /^weight/i,
  fat: /^fat mass/i,
  bone: /^bone mass/i,
  muscle: /^muscle mass/i,
  water: /^(hydration|water)/i,
  lean: /^fat[ -]?free mass/i,
} as const
type Mass = keyof typeof MASSES

interface MassColumn {
  name: string
  /** Kilograms of a unit of the column. */
  factor: number
}

function massColumns(head: readonly string[]): Partial<Record<Mass, MassColumn>> {
  const found: Partial<Record<Mass, MassColumn>> = {}
  for (const [mass, pattern] of Object.entries(MASSES) as [Mass, RegExp][]) {
    const name = head.find((each) => pattern.test(each))
    const unit =
      /\(([^)]*)\)/
        .exec(name ?? '')?.[1]
        ?.trim()
        .toLowerCase() ?? ''
    const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
    if (name !== undefined && factor !== undefined) found[mass] = { name, factor }
  }
  return found
}

/** Returns the instant of a row's local time, or quarantines the row. */
function startOf(
  text: string,
  { clock, now }: ImportContext,
  [data, resource, known]: readonly [TypeData, string, unknown],
): VendorInstant | undefined {
  const local = readLocalDate(text, 'year_first')
  const start = local?.includes('T') ? clock.local(local) : undefined
  if (start !== undefined && isPossibleTime(start.at, now)) return start
  data.quarantine(resource, 'invalid_start_date', known)
  return undefined
}

/** Adds weights, with the composition of the body that the same row has. */
export async function addWeights(
  table: CsvTable | undefined,
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  if (table === undefined) return
  const columns = massColumns(table.head)
  const date = table.head.find((name) => /^date$/i.test(name)) ?? ''
  const data = out.type('weight', 'weight')
  for await (const rows of table.batches()) {
    for (const row of rows) {
      data.count()
      const known = row.pick([date, ...Object.values(columns).map(({ name }) => name)])
      const start = startOf(row.get(date), context, [data, 'weight', known])
      if (start !== undefined) addWeight(data, row, { columns, known, start, context })
    }
    await out.settle()
  }
}

interface WeightRow {
  columns: Partial<Record<Mass, MassColumn>>
  known: unknown
  start: VendorInstant
  context: ImportContext
}

function addWeight(data: TypeData, row: CsvRow, { columns, known, start, context }: WeightRow) {
  const masses: Partial<Record<Mass, number>> = {}
  for (const [mass, column] of Object.entries(columns) as [Mass, MassColumn][]) {
    const text = row.get(column.name)
    const kilograms = roundMeasured(readDecimal(text) * column.factor)
    // No measure is 0 unless it is missing.
    if (text === '' || kilograms === 0) continue
    if (Number.isNaN(kilograms) || kilograms < 0) {
      data.quarantine(mass === 'weight' ? 'weight' : 'body', 'invalid_value', known)
      return
    }
    masses[mass] = kilograms
  }
  const { weight, lean } = masses
  if (columns.weight === undefined) {
    data.quarantine('weight', 'unknown_unit', known)
    return
  }
  const frame = { start, sourceType: 'scale' } as const
  const shareOf = (mass: Mass): number | null => {
    const part = masses[mass]
    return part === undefined || weight === undefined ? null : roundMeasured((100 * part) / weight)
  }
  const values = {
    weight_kilogram: weight ?? null,
    fat_mass_percentage: shareOf('fat'),
    water_percentage: shareOf('water'),
    muscle_mass_percentage: shareOf('muscle'),
    bone_mass_percentage: shareOf('bone'),
    lean_body_mass_kilogram: lean ?? null,
  }
  const shares = [
    values.fat_mass_percentage,
    values.water_percentage,
    values.muscle_mass_percentage,
  ]
  const isSound = (weight ?? 0) <= 700 && shares.every((share) => (share ?? 0) <= 100)
  if (!isSound) {
    data.quarantine('body', 'out_of_range', known)
    return
  }
  if (weight !== undefined) data.addSample('body_weight', { ...frame, value: weight, unit: 'kg' })
  const fat = values.fat_mass_percentage
  if (fat !== null) data.addSample('body_fat', { ...frame, value: fat, unit: '%' })
  if (Object.values(values).every((value) => value === null)) return
  const zone = zoneOf(context.options)
  data.addSummary('body', {
    ...frame,
    // The cloud connection names groups that have no id by their seconds.
    recordId: String(Math.round(start.at / 1000)),
    ...(zone !== null && { timeZone: zone }),
    values,
    raw: known,
  })
}

/** Adds blood pressures and the heart rates beside them. */
export async function addPressures(
  table: CsvTable | undefined,
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  if (table === undefined) return
  const find = (pattern: RegExp) => table.head.find((name) => pattern.test(name)) ?? ''
  const names = [/^date$/i, /^heart rate/i, /^systolic/i, /^diastolic/i].map(find)
  const [date = '', rate = '', upper = '', lower = ''] = names
  const data = out.type('blood pressure', 'blood_pressure')
  for await (const rows of table.batches()) {
    for (const row of rows) {
      data.count()
      const known = row.pick(names)
      const start = startOf(row.get(date), context, [data, 'blood_pressure', known])
      if (start === undefined) continue
      const frame = { start, sourceType: 'cuff' } as const
      const value = readDecimal(row.get(rate))
      const [systolic, diastolic] = [readDecimal(row.get(upper)), readDecimal(row.get(lower))]
      const isPair = [upper, lower].filter((name) => row.get(name) !== '').length !== 1
      if (!isPair) data.quarantine('blood_pressure', 'unpaired', known)
      else if (row.get(upper) !== '') {
        data.addBloodPressure({ ...frame, systolic, diastolic, unit: 'mmHg' }, known)
      }
      // 0 means that there is none.
      if (row.get(rate) === '' || value === 0) continue
      data.addSample('heartrate', { ...frame, value, unit: 'bpm' }, known)
    }
    await out.settle()
  }
}
