import { type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { type ImportFile, type ImportFiles, lastWritten } from '../../files/import-files.ts'
import { ASK_TIME_ZONE, hasTimeZone } from '../../import-options.ts'
import type { ImportFormat } from '../import-format.ts'
import { DAY_FILES, WithingsDays } from './withings-days.ts'
import { addRawSamples, RAW_SERIES, STATE_FILES } from './withings-raw.ts'

/** What the files of an export are, by their names. */
export interface WithingsFiles {
  weights: CsvTable | undefined
  pressures: CsvTable | undefined
  heights: CsvTable | undefined
  nights: CsvTable | undefined
  activities: CsvTable | undefined
  /** Files of values by local day, by their names. */
  days: ReadonlyMap<string, CsvTable>
  /** Files of lists of values, by their names. */
  raw: ReadonlyMap<string, CsvTable>
}

const has = (head: readonly string[], ...patterns: readonly RegExp[]): boolean =>
  patterns.every((pattern) => head.some((name) => pattern.test(name)))

/** Head rows of the tables with names of their own, most particular first. */
const TABLES = [
  ['nights', 'sleep.csv', [/^from$/i, /^to$/i, /^light/i, /^deep/i]],
  ['activities', 'activities.csv', [/^from$/i, /^to$/i, /^activity type$/i]],
  ['pressures', 'bp.csv', [/^date$/i, /^systolic/i, /^diastolic/i]],
  ['weights', 'weight.csv', [/^date$/i, /^weight/i, /^(fat|bone|muscle) mass/i]],
  ['heights', 'height.csv', [/^date$/i, /^height/i]],
] as const

const DAY_HEAD = [/^date$/i, /^value$/i]
const RAW_HEAD = [/^start$/i, /^duration$/i, /^value$/i]

async function openTable(file: ImportFile): Promise<CsvTable | undefined> {
  try {
    return await openCsv(file)
  } catch (error) {
    if (error instanceof ImportFileError) return undefined
    throw error
  }
}

/**
 * Finds the tables of an export. A table that was uploaded alone has no name, and is known by its
 * head row.
 * @param isStrict Whether a table with a name of the export and other columns is an error; other
 *   exports have such names, too.
 * @throws ImportFileError for a table of the export with other columns
 */
async function findTables({ files }: ImportFiles, isStrict = true): Promise<WithingsFiles> {
  const days = new Map<string, CsvTable>()
  const raw = new Map<string, CsvTable>()
  const found: WithingsFiles = {
    ...{ weights: undefined, pressures: undefined, heights: undefined },
    ...{ nights: undefined, activities: undefined, days, raw },
  }
  for (const file of files) {
    const { name } = file
    if (name !== '' && !name.endsWith('.csv')) continue
    const isRaw = RAW_SERIES.has(name) || STATE_FILES.has(name)
    const isKnown = TABLES.some(([, known]) => known === name) || isRaw || DAY_FILES.has(name)
    if (name !== '' && !isKnown) continue
    const table = await openTable(file)
    if (table === undefined) continue
    const kind = TABLES.find(([, known, patterns]) => {
      // Two columns of height are too few to know a table by.
      const fits = name === known || (name === '' && known !== 'height.csv')
      return fits && has(table.head, ...patterns)
    })
    if (kind !== undefined) found[kind[0]] = table
    else if (DAY_FILES.has(name) && has(table.head, ...DAY_HEAD)) days.set(name, table)
    else if (isRaw && has(table.head, ...RAW_HEAD)) raw.set(name, table)
    else if (name !== '' && isStrict) {
      const hint = 'Tables of Withings are read with English head rows.'
      throw new ImportFileError('unknown_columns', { hint })
    }
  }
  return found
}

async function hasRows(table: CsvTable | undefined): Promise<boolean> {
  if (table === undefined) return false
  for await (const rows of table.batches()) if (rows.length > 0) return true
  return false
}

/** The data that Withings sends on request: a zip of tables. */
export const WITHINGS: ImportFormat = {
  slug: 'withings_export',
  title: 'Data export of Withings',
  howToExport:
    'In the Withings app or on account.withings.com: Settings, Your account, Download your data. The vendor sends a link to a zip file by e-mail.',
  provider: 'withings',
  notes: [
    'Weights with body composition, blood pressures with their heart rates, nights with the stages of their devices, days, workouts, and the values of trackers and sleep monitors by the minute.',
    'Shares of fat, water, muscle and bone are computed from the kilograms or pounds of the same row.',
    'Weights and blood pressures have local times without a zone; everything else has an offset or is a value of a local day.',
    'A day has its own summary even where the tracker has values by the minute; merged reads count them once.',
    'Heights, elevations and comments are left out.',
  ],
  options: ['time_zone'],
  async recognize(files) {
    if (files.files.length > 5000) return false
    const { days, raw, heights: _, ...tables } = await findTables(files, false)
    const isNamed = files.files.length > 1 || files.files[0]?.path !== ''
    if (isNamed && days.size + raw.size > 0) return true
    return Object.values(tables).some((table) => table !== undefined)
  },
  async ask({ files, options }) {
    if (hasTimeZone(options)) return []
    const { weights, pressures } = await findTables(files)
    const isLocal = (await hasRows(weights)) || (await hasRows(pressures))
    return isLocal ? [ASK_TIME_ZONE] : []
  },
  async read(context, out) {
    const { addPressures, addWeights } = await import('./withings-measures.ts')
    const { addNights, readNights } = await import('./withings-nights.ts')
    const { addActivities } = await import('./withings-activities.ts')
    const found = await findTables(context.files)
    out.exportedAt = lastWritten(context.files.files)
    await addWeights(found.weights, context, out)
    await addPressures(found.pressures, context, out)
    if (found.heights !== undefined) {
      for await (const rows of found.heights.batches()) {
        for (const _ of rows) out.type('heights', null).countNotSupported()
      }
    }
    const nights = await readNights(found.nights, context, out)
    for (const [name, table] of found.raw) await addRawSamples(name, table, nights, context, out)
    await addNights(nights, out)
    await addActivities(found.activities, context, out)
    const days = new WithingsDays(out, context.now)
    for (const [name, table] of found.days) await days.read(name, table)
    await days.store()
  },
}
