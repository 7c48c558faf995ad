import type { components } from '../../../../api/openapi.generated.d.ts'
import { MAPPABLE_SERIES, type MappableSeries } from './mappable-series.generated.ts'

export type Preview = components['schemas']['CsvPreview']
export type Column = Preview['columns'][number]
export type Template = components['schemas']['CsvTemplate']

/** A value of each row, as the form has it; empty where it is not chosen. */
export interface DraftValue {
  id: number
  series: string
  column: string
  diastolic: string
  unit: string
  type: string
}

/** A template while it is made. */
export interface Draft {
  dateColumn: string
  timeColumn: string
  dateFormat: string
  decimal: string
  zone: string
  values: readonly DraftValue[]
}

const DATE_KINDS = ['date_time', 'date', 'instant', 'epoch_seconds', 'epoch_milliseconds']

export const findSeries = (name: string): MappableSeries | undefined =>
  MAPPABLE_SERIES.find((series) => series.name === name)

let valuesMade = 0

/** Returns a new value of a draft. */
export function newValue(fields: Partial<DraftValue> = {}): DraftValue {
  valuesMade += 1
  return { id: valuesMade, series: '', column: '', diastolic: '', unit: '', type: '', ...fields }
}

/**
 * Returns what the rows prove: the column of dates, and their order where only one is possible.
 * What they do not prove is left to the person at the screen.
 */
export function draftOf({ columns }: Preview): Draft {
  const dates = columns.filter(({ kind }) => DATE_KINDS.includes(kind))
  const [date] = dates
  const time = date?.kind === 'date' ? columns.find(({ kind }) => kind === 'time') : undefined
  return {
    dateColumn: dates.length === 1 && date ? date.name : '',
    timeColumn: time?.name ?? '',
    dateFormat: dates.length === 1 && date ? formatOf(date) : '',
    decimal: columns.some(({ decimals }) => decimals.join() === ',') ? ',' : '.',
    zone: '',
    values: [],
  }
}

/** Returns the only date format in which all cells of a column are valid, or nothing. */
export function formatOf({ kind, date_orders: orders }: Column): string {
  if (kind.startsWith('epoch')) return kind
  if (kind === 'instant') return 'year_first'
  return orders.length === 1 ? (orders[0] ?? '') : ''
}

/** Returns the template of a draft; undefined while something is missing. */
export function templateOf(draft: Draft, { delimiter, has_head }: Preview): Template | undefined {
  const { dateColumn, timeColumn, dateFormat, decimal, zone, values } = draft
  const made = values.map(toValue)
  const isWhole = made.length > 0 && made.every((value) => value !== undefined)
  if (dateColumn === '' || dateFormat === '' || !isWhole) return undefined
  return {
    delimiter,
    has_head,
    decimal,
    date_format: dateFormat,
    ...(zone !== '' && { time_zone: zone }),
    start: { column: dateColumn, ...(timeColumn !== '' && { time_column: timeColumn }) },
    values: made,
  } as Template
}

const FIELDS_OF_VALUE = ['series', 'column', 'diastolic_column', 'unit', 'type']

/** Returns the draft of a saved template; undefined where a value has parts without fields here. */
export function draftOfTemplate(template: Template): Draft | undefined {
  const isSimple = template.values.every((value) =>
    Object.keys(value).every((name) => FIELDS_OF_VALUE.includes(name)),
  )
  if (!isSimple) return undefined
  return {
    dateColumn: template.start.column,
    timeColumn: template.start.time_column ?? '',
    dateFormat: template.date_format,
    decimal: template.decimal ?? '.',
    zone: template.time_zone ?? '',
    values: template.values.map(({ series, column, diastolic_column: diastolic, unit, type }) =>
      newValue({
        ...{ series, column: column ?? '', diastolic: diastolic ?? '' },
        ...{ unit: unit ?? '', type: type ?? '' },
      }),
    ),
  }
}

/**
 * Returns a saved template with the fields of a draft; what has no fields here, such as an end or a
 * duration, stays as it was.
 */
export function changeTemplate(
  { time_zone: _, ...saved }: Template,
  draft: Draft,
  preview: Preview,
): Template | undefined {
  const made = templateOf(draft, preview)
  return made && { ...saved, ...made }
}

function toValue({ series, column, diastolic, unit, type }: DraftValue): object | undefined {
  const known = findSeries(series)
  if (known === undefined || column === '') return undefined
  const lacksUnit = known.units.length > 0 && unit === ''
  const lacksType = known.types?.isRequired === true && type === ''
  if (lacksUnit || lacksType || (known.isPressure && diastolic === '')) return undefined
  return {
    series,
    column,
    ...(unit !== '' && { unit }),
    ...(type !== '' && { type }),
    ...(known.isPressure && { diastolic_column: diastolic }),
  }
}
