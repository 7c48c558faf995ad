import { DAY_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import { type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { type ImportFiles, lastWritten } from '../../files/import-files.ts'
import { ASK_DATE_ORDER, type DateOrder, type ImportQuestion } from '../../import-options.ts'
import { addEvidence, noEvidence, orderOf } from '../../running/local-dates.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'

/** The three tables of an export, any of which may be missing. */
interface Tables {
  meals?: CsvTable
  measurements?: CsvTable
  exercises?: CsvTable
}

/** Head rows of the tables. A measurement alone needs more columns than a date and a weight. */
const KINDS = [
  ['meals', /^nutrition[- ]summary/, [/^date$/i, /^meal$/i, /^(calories|energy)/i, /^protein/i]],
  ['exercises', /^exercise[- ]summary/, [/^date$/i, /^exercise$/i, /^exercise (calories|energy)/i]],
  [
    'measurements',
    /^measurement[- ]summary/,
    [/^date$/i, /^weight/i, /^(body fat|neck|waist|hips)/i],
  ],
] as const

async function findTables({ files }: ImportFiles): Promise<Tables> {
  const found: Tables = {}
  for (const file of files) {
    if (file.name !== '' && !file.name.endsWith('.csv')) continue
    const isMeasurement = /^measurement[- ]summary/.test(file.name)
    try {
      const table = await openCsv(file)
      const hasHead = (patterns: readonly RegExp[]): boolean =>
        patterns.every((pattern) => table.head.some((name) => pattern.test(name)))
      const kind = KINDS.find(([, , patterns]) => hasHead(patterns))
      if (kind !== undefined) found[kind[0]] ??= table
      else if (isMeasurement && hasHead([/^date$/i])) found.measurements ??= table
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error
    }
  }
  return found
}

/**
 * The vendor writes dates with the year first; spreadsheet programs save them in their own form.
 * @returns undefined where the order is not known
 * @throws ImportFileError for dates that contradict each other
 */
async function dateOrderOf(
  tables: Tables,
  { options }: ImportContext,
): Promise<DateOrder | undefined> {
  const evidence = noEvidence()
  for (const table of Object.values(tables) as CsvTable[]) {
    const date = table.head.find((name) => /^date$/i.test(name)) ?? ''
    for await (const rows of table.batches()) {
      for (const row of rows) addEvidence(evidence, row.get(date))
    }
  }
  const order = orderOf(evidence)
  if (order === null) {
    const hint = 'Some dates can only have the day first, others only the month.'
    throw new ImportFileError('malformed_file', { hint })
  }
  return order ?? options.date_order
}

/** Returns when an export was written, or else the end of the days that its names state. */
function exportTimeOf({ files }: ImportFiles): number | null {
  const ends = files.flatMap(({ name }) => /-to-(\d{4}-\d{2}-\d{2})\.csv$/.exec(name)?.[1] ?? [])
  const [last] = ends.sort().reverse()
  const end = last === undefined ? Number.NaN : startOfUtcDay(last) + DAY_MS
  return lastWritten(files) ?? (Number.isNaN(end) ? null : end)
}

const ASK_WEIGHT_UNIT: ImportQuestion = {
  option: 'weight_unit',
  reason: 'The file has weights in the unit of the account, which it does not name.',
  choices: ['kg', 'lb', 'st'],
}
const ASK_ENERGY_UNIT: ImportQuestion = {
  option: 'energy_unit',
  reason: 'The file has energies in a unit that it does not name.',
  choices: ['kcal', 'kJ'],
}

/** The export of MyFitnessPal: a zip of tables. */
export const MY_FITNESS_PAL: ImportFormat = {
  slug: 'my_fitness_pal_export',
  title: 'Data export of MyFitnessPal',
  howToExport:
    'On myfitnesspal.com with a Premium account: Reports, Export Data, choose the days. The vendor sends a link to a zip file by e-mail.',
  provider: 'my_fitness_pal',
  notes: [
    'Each meal of a day becomes one meal, at noon UTC of its day, because the file has no time that is sure. Its id is that of the cloud connection.',
    'Vitamins, calcium and iron are percentages of a daily value in the file, and are left out.',
    'Weights become samples and body summaries at noon UTC of their day. Their unit is the option `weight_unit` where the head row names none. Circumferences are read only where the head row names their unit.',
    'Exercises have a day and no time, and calories that trackers correct: they are left out.',
  ],
  options: ['weight_unit', 'energy_unit', 'date_order'],
  async recognize(files) {
    if (files.files.length > 100) return false
    return Object.keys(await findTables(files)).length > 0
  },
  async ask(context) {
    const { hasUnknownEnergy } = await import('./meals.ts')
    const { hasUnknownWeight } = await import('./measurements.ts')
    const { files, options } = context
    const tables = await findTables(files)
    const { meals, measurements } = tables
    const needsWeight = measurements !== undefined && (await hasUnknownWeight(measurements))
    const needsEnergy = meals !== undefined && hasUnknownEnergy(meals)
    return [
      ...((await dateOrderOf(tables, context)) === undefined ? [ASK_DATE_ORDER] : []),
      ...(needsWeight && options.weight_unit === undefined ? [ASK_WEIGHT_UNIT] : []),
      ...(needsEnergy && options.energy_unit === undefined ? [ASK_ENERGY_UNIT] : []),
    ]
  },
  async read(context, out) {
    const { addMeals } = await import('./meals.ts')
    const { addMeasurements } = await import('./measurements.ts')
    const tables = await findTables(context.files)
    const { meals, measurements, exercises } = tables
    const order = (await dateOrderOf(tables, context)) ?? 'year_first'
    out.exportedAt = exportTimeOf(context.files)
    if (meals !== undefined) await addMeals(meals, { ...context, order }, out)
    if (measurements !== undefined) await addMeasurements(measurements, { ...context, order }, out)
    if (exercises === undefined) return
    for await (const rows of exercises.batches()) {
      for (const _ of rows) out.type('exercises', null).countNotSupported()
    }
  },
}
