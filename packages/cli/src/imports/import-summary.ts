import { CliError } from '../terminal/cli-error.ts'
import { formatBytes, formatCount, formatSeconds } from '../terminal/number-format.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import type {
  ClockReport,
  ImportJob,
  MissingReport,
  RecordTypeReport,
  SummaryReport,
} from './import-job.ts'

type CountName = Exclude<
  keyof RecordTypeReport,
  'type' | 'resource' | 'put_aside_reasons' | 'records'
>

/** Every record counts in exactly one column, so a line adds up to its records. */
const COUNTS: readonly { name: CountName; title: string; isRare?: boolean }[] = [
  { name: 'imported', title: 'Imported' },
  { name: 'updated', title: 'Updated' },
  { name: 'unchanged', title: 'Unchanged' },
  { name: 'merged', title: 'Merged', isRare: true },
  { name: 'out_of_bounds', title: 'Out of bounds', isRare: true },
  { name: 'put_aside', title: 'Quarantined' },
  { name: 'not_supported', title: 'Not supported' },
]

/** HealthKit's prefixes add nothing to the rest of the name. */
function shortType(type: string): string {
  return type.replace(/^HK(Quantity|Category|Correlation|Data)Type(Identifier)?/, '') || type
}

const APPLE_HEALTH = 'apple_health'

/** Formats the result of an import: the tables, reasons of quarantined items, the duration. */
export function formatImportSummary(job: ImportJob): string {
  const { types, missing = [] } = job.progress
  const parts = [formatHeadline(job), formatCounts(job)].filter((part) => part !== '')
  if (missing.length > 0) parts.push(describeMissing(job, missing))
  const reasons = formatReasons(types)
  if (reasons !== '') {
    const where = `GET /v2/user/${job.user_id}/put_aside lists them.`
    parts.push(`Quarantined items are kept unchanged. ${where}\n\n${reasons}`)
  }
  return parts.join('\n\n')
}

/** Formats the counts of an import, or of a dry run, by type and by summary. */
export function formatCounts({ source, progress }: Pick<ImportJob, 'source' | 'progress'>): string {
  const { types, summaries, clocks = {} } = progress
  const parts = []
  if (types.length > 0) {
    const rows = types.toSorted((a, b) => b.records - a.records || (a.type < b.type ? -1 : 1))
    parts.push(formatTable(columnsFor(types), rows, totalOf(types)))
  }
  if (summaries.length > 0) {
    // Only an export of Apple Health has none of its own.
    const title = source === APPLE_HEALTH ? 'Computed summaries' : 'Summaries'
    parts.push(formatTable(summaryColumns(title), summaries))
  }
  const origins = formatClocks(clocks)
  if (origins !== '') parts.push(origins)
  return parts.join('\n\n')
}

function describeMissing({ source }: ImportJob, missing: readonly MissingReport[]): string {
  const isRemoved = missing.every(({ removed }) => removed > 0)
  const what = isRemoved ? 'Removed' : 'It is kept; --remove-missing removes it'
  const where =
    source === APPLE_HEALTH
      ? 'Deleted on the phone since an earlier import'
      : 'Earlier files had these data, and this one lacks them'
  return `${where}. ${what}.\n\n${formatMissing(missing)}`
}

function formatHeadline(job: ImportJob): string {
  const { records, bytes_total: bytes } = job.progress
  const { source, provider } = job
  const { started_at: start, finished_at: end } = job
  const size = `${formatCount(records)} ${records === 1 ? 'record' : 'records'} of ${formatBytes(bytes)}`
  const what = source === APPLE_HEALTH ? '' : `\nFormat ${source}, provider ${provider}.`
  if (start === null || end === null) return `Import ${job.id}: ${size}.${what}`
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000
  return `Import ${job.id} is complete: ${size} in ${formatWholeSeconds(seconds)}.${what}`
}

/** The API has the times of a job in whole seconds, so there are no tenths. */
function formatWholeSeconds(seconds: number): string {
  if (seconds === 0) return 'less than 1 s'
  return seconds < 10 ? `${seconds} s` : formatSeconds(seconds)
}

function columnsFor(types: readonly RecordTypeReport[]): Column<RecordTypeReport>[] {
  const number = (title: string, name: CountName | 'records'): Column<RecordTypeReport> => ({
    title,
    align: 'right',
    text: (row) => (row[name] === 0 ? '·' : formatCount(row[name])),
  })
  return [
    { title: 'Record type', text: ({ type }) => shortType(type) },
    { title: 'Resource', text: ({ resource, type }) => resource ?? (type === TOTAL ? '' : '–') },
    number('Records', 'records'),
    ...COUNTS.filter(({ name, isRare }) => !isRare || types.some((row) => row[name] > 0)).map(
      ({ title, name }) => number(title, name),
    ),
  ]
}

type SummaryCount = Exclude<keyof SummaryReport, 'resource'>

const summaryCount = (title: string, name: SummaryCount): Column<SummaryReport> => ({
  title,
  align: 'right',
  text: (row) => (row[name] === 0 ? '·' : formatCount(row[name])),
})

const summaryColumns = (title: string): Column<SummaryReport>[] => [
  { title, text: ({ resource }) => resource },
  summaryCount('New', 'imported'),
  summaryCount('Updated', 'updated'),
  summaryCount('Unchanged', 'unchanged'),
  summaryCount('Out of bounds', 'out_of_bounds'),
  summaryCount('Removed', 'replaced'),
]

/** In the order in which the rules apply. */
const CLOCKS: Readonly<Record<keyof ClockReport, string>> = {
  record_zone: 'zone of the record itself',
  record_offset: 'offset of the record, which changes within the file',
  zones_around: 'zones of records around it in time',
  fallback_zone: "the user's fallback time zone",
  nearest_zone: 'nearest zone in time, as the user has no fallback time zone',
  export_offset: 'offset of the export',
}

function formatClocks(clocks: Partial<ClockReport>): string {
  const rows = Object.entries(CLOCKS).flatMap(([rule, origin]) => {
    const count = clocks[rule as keyof ClockReport] ?? 0
    return count > 0 ? [{ origin, count }] : []
  })
  if (rows.length === 0) return ''
  const table = formatTable(
    [
      { title: 'Origin of the local time', text: ({ origin }) => origin },
      { title: 'Records', align: 'right', text: ({ count }) => formatCount(count) },
    ],
    rows,
  )
  if (!clocks.export_offset) return table
  const advice =
    'Days of records with the offset of the export may be wrong: phones write all times in it.'
  return `${table}\n\n${advice}\nSet the user's fallback_time_zone and import the file again.`
}

const formatMissing = (missing: readonly MissingReport[]): string =>
  formatTable(
    [
      { title: 'Resource', text: ({ resource }) => resource },
      { title: 'Missing', align: 'right', text: (row) => formatCount(row.missing) },
    ],
    missing,
  )

const TOTAL = 'Total'

function totalOf(types: readonly RecordTypeReport[]): RecordTypeReport {
  const total: RecordTypeReport = {
    type: TOTAL,
    resource: null,
    records: 0,
    imported: 0,
    updated: 0,
    unchanged: 0,
    out_of_bounds: 0,
    put_aside: 0,
    put_aside_reasons: {},
    merged: 0,
    not_supported: 0,
  }
  for (const row of types) {
    total.records += row.records
    for (const { name } of COUNTS) total[name] += row[name]
  }
  return total
}

function formatReasons(types: readonly RecordTypeReport[]): string {
  const rows = types.flatMap(({ type, put_aside_reasons: reasons }) =>
    Object.entries(reasons).map(([reason, count]) => ({ type, reason, count })),
  )
  if (rows.length === 0) return ''
  return formatTable(
    [
      { title: 'Record type', text: ({ type }) => shortType(type) },
      { title: 'Reason', text: ({ reason }) => reason },
      { title: 'Records', align: 'right', text: ({ count }) => formatCount(count) },
    ],
    rows,
  )
}

/** Prints a finished import. @throws CliError with the message of the server for a failed one */
export function reportImport(job: ImportJob, isJson: boolean): void {
  if (isJson) console.log(JSON.stringify(job, null, 2))
  if (job.status === 'failed') {
    const message = job.error?.error_message ?? 'The server reported no reason.'
    throw new CliError(`The import failed. ${message}`)
  }
  if (!isJson) console.log(formatImportSummary(job))
}
