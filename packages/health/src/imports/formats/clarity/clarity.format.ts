import { type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import {
  ASK_DATE_ORDER,
  ASK_TIME_ZONE,
  type DateOrder,
  hasTimeZone,
  type ImportQuestion,
} from '../../import-options.ts'
import { addEvidence, noEvidence, orderOf } from '../../running/local-dates.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { type ClarityColumns, columnsOf, type GlucoseUnit } from './clarity-columns.ts'

interface Table extends CsvTable {
  readonly columns: ClarityColumns
  /** Unit of glucose; undefined where the head row names none. */
  readonly unit: GlucoseUnit | undefined
}

async function openTable(file: ImportFile): Promise<Table | undefined> {
  if (!/^$|\.(csv|txt|tsv)$/.test(file.name)) return undefined
  try {
    const table = await openCsv(file, { isHead: (cells) => columnsOf(cells) !== undefined })
    const columns = columnsOf(table.head) as ClarityColumns
    const unit = /\((mg\/dL|mmol\/L)\)/i.exec(table.head[columns.glucose] ?? '')?.[1]?.toLowerCase()
    return {
      ...table,
      columns,
      unit: unit === undefined ? undefined : unit.startsWith('mg') ? 'mg/dL' : 'mmol/L',
    }
  } catch (error) {
    if (error instanceof ImportFileError) return undefined
    throw error
  }
}

async function* tablesOf({ files }: ImportFiles): AsyncGenerator<Table> {
  for (const file of files) {
    const table = await openTable(file)
    if (table !== undefined) yield table
  }
}

/** What the tables leave open together. */
interface Findings {
  /** Undefined where the dates prove nothing. */
  order: DateOrder | undefined
  hasTimes: boolean
  lacksUnit: boolean
  hasSeveralDevices: boolean
}

/** Findings by their files: questions and reading need them, and a table may have gigabytes. */
const FINDINGS = new WeakMap<ImportFiles, Promise<Findings>>()

/**
 * The vendor writes dates with the year first; spreadsheet programs save them in their own form.
 * @throws ImportFileError for dates that contradict each other
 */
async function lookThrough(files: ImportFiles): Promise<Findings> {
  const evidence = noEvidence()
  const devices = new Set<string>()
  let [hasTimes, lacksUnit] = [false, false]
  for await (const table of tablesOf(files)) {
    lacksUnit ||= table.unit === undefined
    for await (const rows of table.batches()) {
      for (const row of rows) {
        const text = row.at(table.columns.time)
        hasTimes ||= text !== ''
        addEvidence(evidence, text)
        if (devices.size < 2) devices.add(row.at(table.columns.device))
      }
    }
  }
  const order = orderOf(evidence)
  if (order === null) {
    const hint = 'Some dates can only have the day first, others only the month.'
    throw new ImportFileError('malformed_file', { hint })
  }
  return { order, hasTimes, lacksUnit, hasSeveralDevices: devices.size > 1 }
}

async function findingsOf({ files, options }: ImportContext): Promise<Findings> {
  const findings = FINDINGS.get(files) ?? lookThrough(files)
  FINDINGS.set(files, findings)
  const { order = options.date_order, ...others } = await findings
  return { order, ...others }
}

const ASK_GLUCOSE_UNIT: ImportQuestion = {
  option: 'glucose_unit',
  reason: 'The head row of the file does not name the unit of glucose.',
  choices: ['mg/dL', 'mmol/L'],
}

/** The glucose data of Dexcom Clarity, as a table. */
export const CLARITY: ImportFormat = {
  slug: 'dexcom_clarity',
  title: 'Glucose data of Dexcom Clarity',
  howToExport:
    'On clarity.dexcom.com: sign in, Export at the top of the page, choose the days, Export. The file is a CSV.',
  // The other provider of Dexcom has glucose only, and its cloud has a day of it.
  provider: 'dexcom_v3',
  notes: [
    'Readings of the sensor become glucose of the type automatic, calibrations and meter values of the type fingerprick, with insulin and carbohydrates. Exercise, health events and notes become notes.',
    'A reading that the phone and the receiver both have is one, where the file names transmitters; otherwise each device is a source of its own.',
    'Times are those that the device displayed, without a zone. With the zone they are the instants of the cloud connection.',
    'Low and High, and values beyond 40 and 400 mg/dL, are quarantined.',
  ],
  options: ['time_zone', 'date_order', 'glucose_unit'],
  async recognize({ files }) {
    if (files.length > 20) return false
    for (const file of files) if ((await openTable(file)) !== undefined) return true
    return false
  },
  async ask(context) {
    const { options } = context
    const { order, hasTimes, lacksUnit } = await findingsOf(context)
    return [
      ...(hasTimes && !hasTimeZone(options) ? [ASK_TIME_ZONE] : []),
      ...(order === undefined ? [ASK_DATE_ORDER] : []),
      ...(lacksUnit && options.glucose_unit === undefined ? [ASK_GLUCOSE_UNIT] : []),
    ]
  },
  async read(context, out) {
    const { files, clock, now, options } = context
    const { ClarityRecords } = await import('./clarity-records.ts')
    const { order = 'year_first', hasSeveralDevices } = await findingsOf(context)
    for await (const { columns, unit = options.glucose_unit, batches } of tablesOf(files)) {
      if (unit === undefined) throw new ImportFileError('unknown_columns')
      const records = new ClarityRecords(out, {
        ...{ columns, unit, order, clock, now, hasSeveralDevices },
      })
      for await (const rows of batches()) {
        for (const row of rows) records.add(row)
        await out.settle()
      }
      records.finish()
    }
  },
}
