import { HOUR_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import { type VendorFood, valuesOfMeal } from '../../../connectors/index.ts'
import type { CsvRow, CsvTable } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { readDecimal, readNumber } from '../../files/table-numbers.ts'
import type { DateOrder } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'

const MILLIGRAM = 1e-3
const KILOJOULES_A_KILOCALORIE = 4.184
/** A meal for each hour of a century. */
const MOST_MEALS = 1_000_000

/** Nutrients by the beginning of their columns, with the grams of their usual unit. */
const NUTRIENTS = [
  [/^saturated fat/i, 'saturated_fat_gram', 1],
  [/^polyunsaturated fat/i, 'polyunsaturated_fat_gram', 1],
  [/^monounsaturated fat/i, 'monounsaturated_fat_gram', 1],
  [/^fat\b/i, 'total_fat_gram', 1],
  [/^cholesterol/i, 'cholesterol_gram', MILLIGRAM],
  [/^sodium/i, 'sodium_milligram', MILLIGRAM],
  [/^potassium/i, 'potassium_milligram', MILLIGRAM],
  [/^carbohydrates/i, 'carbohydrate_gram', 1],
  [/^fib(er|re)/i, 'fibre_gram', 1],
  [/^sugar/i, 'sugar_gram', 1],
  [/^protein/i, 'protein_gram', 1],
] as const
const GRAMS: ReadonlyMap<string, number> = new Map([
  ['g', 1],
  ['mg', MILLIGRAM],
])

const unitOf = (name: string): string | undefined => /\(([^)]*)\)/.exec(name)?.[1]?.trim()

interface Columns {
  date: string
  meal: string
  energy: string
  nutrients: { name: string; column: keyof VendorFood['grams']; gramsPerUnit: number }[]
}

function columnsOf({ head }: CsvTable): Columns {
  const find = (pattern: RegExp) => head.find((name) => pattern.test(name)) ?? ''
  const nutrients = NUTRIENTS.flatMap(([pattern, column, usual]) => {
    const name = find(pattern)
    const unit = unitOf(name)
    const gramsPerUnit = unit === undefined ? usual : GRAMS.get(unit)
    // Another unit, such as a percentage, is no amount.
    return name === '' || gramsPerUnit === undefined ? [] : [{ name, column, gramsPerUnit }]
  })
  return {
    ...{ date: find(/^date$/i), meal: find(/^meal$/i), energy: find(/^(calories|energy)/i) },
    nutrients,
  }
}

/** Returns the kilocalories of a unit of the column of energy; undefined where it names none. */
function kilocaloriesOf(name: string): number | undefined {
  const unit = unitOf(name)?.toLowerCase()
  if (unit === 'kj' || /kilojoule/i.test(name)) return 1 / KILOJOULES_A_KILOCALORIE
  if (unit === 'kcal' || unit === 'cal' || /^calories/i.test(name)) return 1
  return undefined
}

/** Whether the unit of energy is not known: calories are kilocalories. */
export const hasUnknownEnergy = (table: CsvTable): boolean =>
  kilocaloriesOf(columnsOf(table).energy) === undefined

interface Settings extends ImportContext {
  order: DateOrder
}

/** Adds the meals of the days. Rows of one meal are added up. */
export async function addMeals(
  table: CsvTable,
  { order, now, options }: Settings,
  out: ImportWriter,
): Promise<void> {
  const columns = columnsOf(table)
  const given = options.energy_unit === 'kJ' ? 1 / KILOJOULES_A_KILOCALORIE : 1
  const factor = kilocaloriesOf(columns.energy) ?? given
  const decimal = table.delimiter === ';' ? ',' : '.'
  const data = out.type('nutrition', 'meal')
  const meals = new Map<string, { date: string; name: string; foods: VendorFood[] }>()
  for await (const rows of table.batches()) {
    for (const row of rows) {
      data.count()
      const known = row.pick([columns.date, columns.energy])
      const date = readLocalDate(row.get(columns.date), order)?.slice(0, 10)
      if (date === undefined || !isPossibleTime(startOfUtcDay(date), now)) {
        data.quarantine('meal', 'invalid_date', known)
        continue
      }
      const food = foodOf(row, columns, { factor, decimal })
      if (typeof food === 'string') {
        data.quarantine('meal', food, known)
        continue
      }
      const name = row.get(columns.meal)
      const id = `${date}-${name}`
      const meal = meals.get(id) ?? { date, name, foods: [] }
      meal.foods.push(food)
      if (meals.size >= MOST_MEALS) throw new ImportFileError('file_too_large')
      meals.set(id, meal)
    }
    await out.settle()
  }
  for (const [id, meal] of meals) addMeal(data, id, meal)
  await out.settle()
}

function foodOf(
  row: CsvRow,
  columns: Columns,
  { factor, decimal }: { factor: number; decimal: '.' | ',' },
): VendorFood | 'invalid_value' | 'out_of_range' {
  let problem: 'invalid_value' | 'out_of_range' | undefined
  const read = (name: string): number | null => {
    const text = row.get(name)
    // An empty cell is an unknown amount, and not 0.
    if (text === '' || text === '--') return null
    const grouped = readNumber(text, decimal)
    const value = Number.isNaN(grouped) ? readDecimal(text) : grouped
    if (Number.isNaN(value)) problem ??= 'invalid_value'
    else if (value < 0) problem ??= 'out_of_range'
    return value
  }
  const energy = read(columns.energy)
  const grams: Partial<Record<keyof VendorFood['grams'], number>> = {}
  for (const { name, column, gramsPerUnit } of columns.nutrients) {
    const amount = read(name)
    if (amount !== null) grams[column] = amount * gramsPerUnit
  }
  return problem ?? { name: 'food', calories: energy === null ? null : energy * factor, grams }
}

function addMeal(
  data: TypeData,
  recordId: string,
  { date, name, foods }: { date: string; name: string; foods: VendorFood[] },
): void {
  data.addSummary('meal', {
    recordId,
    calendarDate: date,
    start: { at: startOfUtcDay(date) + 12 * HOUR_MS, offset: null },
    sourceType: 'app',
    values: valuesOfMeal(name === '' ? null : name.toWellFormed(), foods),
    raw: {
      ...{ date, meal_name: name },
      foods: foods.map(({ calories, grams }) => ({ calories, grams })),
    },
  })
}
