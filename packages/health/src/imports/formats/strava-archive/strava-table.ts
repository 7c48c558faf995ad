import { type CsvRow, type CsvTable, openCsv, readFirstRows } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'

/** Columns that are read, with their English names. */
const NAMES = {
  id: 'Activity ID',
  date: 'Activity Date',
  title: 'Activity Name',
  type: 'Activity Type',
  filename: 'Filename',
  elapsed: 'Elapsed Time',
  moving: 'Moving Time',
  distance: 'Distance',
  maximumSpeed: 'Max Speed',
  meanSpeed: 'Average Speed',
  gain: 'Elevation Gain',
  lowest: 'Elevation Low',
  highest: 'Elevation High',
  maximumRate: 'Max Heart Rate',
  meanRate: 'Average Heart Rate',
  maximumPower: 'Max Watts',
  meanPower: 'Average Watts',
  weightedPower: 'Weighted Average Power',
  calories: 'Calories',
} as const
export type StravaColumn = keyof typeof NAMES

/** Positions in tables in other languages, whose names are translated. */
const POSITIONS: Readonly<Partial<Record<StravaColumn, number>>> = {
  id: 0,
  date: 1,
  title: 2,
  type: 3,
  filename: 12,
  elapsed: 15,
  moving: 16,
  distance: 17,
  maximumSpeed: 18,
  meanSpeed: 19,
  gain: 20,
  lowest: 22,
  highest: 23,
  maximumRate: 30,
  meanRate: 31,
  maximumPower: 32,
  meanPower: 33,
  calories: 34,
}
/** Names that occur twice, with both positions. */
const DOUBLED = [
  [5, 15],
  [6, 17],
  [7, 30],
] as const

const TABLE = 'activities.csv'

/** The table of activities. */
export interface StravaTable {
  table: CsvTable
  columns: Readonly<Partial<Record<StravaColumn, number>>>
  isEnglish: boolean
  /** Whether the only distance is that of the display, whose unit the table does not have. */
  isDistanceShown: boolean
}

/** Returns the tables of activities, the one nearest to the root first. */
export const tablesOf = (files: readonly ImportFile[]): ImportFile[] =>
  files
    .filter(({ name, path }) => name === TABLE || path === '')
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)

/** What the head row of a table of activities says; undefined for a table of another kind. */
export async function readStravaLayout(
  file: ImportFile,
): Promise<Omit<StravaTable, 'table'> | undefined> {
  const [head = []] = await readFirstRows(file)
  const isEnglish = head.includes(NAMES.id) && head.includes(NAMES.date)
  if (isEnglish) {
    const columns = Object.fromEntries(
      Object.entries(NAMES).flatMap(([column, name]) => {
        // Of two columns of one name the second one has the unit of the interface.
        const index = head.lastIndexOf(name)
        return index < 0 ? [] : [[column, index]]
      }),
    )
    const isDistanceShown = head.indexOf(NAMES.distance) === head.lastIndexOf(NAMES.distance)
    return { columns, isEnglish, isDistanceShown }
  }
  // A name that occurs twice, at the same positions in all languages.
  const isTranslated = DOUBLED.every(([a, b]) => (head[a] ?? '') !== '' && head[a] === head[b])
  return isTranslated ? { columns: POSITIONS, isEnglish, isDistanceShown: false } : undefined
}

/**
 * Opens a table of activities.
 * @throws ImportFileError `unknown_columns` for an unknown layout
 */
export async function openStravaTable(file: ImportFile): Promise<StravaTable> {
  const layout = await readStravaLayout(file)
  if (layout !== undefined) return { ...layout, table: await openCsv(file) }
  const hint = 'The table activities.csv has an unknown layout; export it again in English.'
  throw new ImportFileError('unknown_columns', { hint })
}

/** Returns the cell of a column; empty where the table does not have it. */
export const cellOf = (row: CsvRow, { columns }: StravaTable, column: StravaColumn): string =>
  row.at(columns[column] ?? -1)

/**
 * Returns the number of a cell; null for an empty one, NaN for another text. In English a comma
 * separates thousands. In other languages the last separator is that of the decimals, unless it
 * occurs more than once.
 */
export function readStravaNumber(text: string, isEnglish: boolean): number | null {
  if (text === '') return null
  const plain = isEnglish ? plainEnglish(text) : plainTranslated(text)
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(plain) ? Number(plain) : Number.NaN
}

function plainEnglish(text: string): string {
  const isGrouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)
  return isGrouped ? text.replaceAll(',', '') : text.replace(',', '.')
}

function plainTranslated(text: string): string {
  const spaceless = text.replace(/[\s\u00a0\u202f]/g, '')
  const last = Math.max(spaceless.lastIndexOf(','), spaceless.lastIndexOf('.'))
  const separator = spaceless[last]
  if (separator === undefined) return spaceless
  const whole = spaceless.slice(0, last)
  if (whole.includes(separator)) return spaceless.replaceAll(separator, '')
  return `${whole.replace(/[,.]/g, '')}.${spaceless.slice(last + 1)}`
}

/** Distances of these are shown in meters, or yards, in all accounts. */
export const SHOWN_IN_METERS = /swim|row/i
