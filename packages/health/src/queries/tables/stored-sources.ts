import { knownOffsetSql } from './floating-sql.ts'
import { type ScalarColumn, scalarColumn } from './query-source.ts'

/** Rows of one user; parameters environmentId and userId. */
export const OF_PERSON = [
  'environment_id = {environmentId:UUID}',
  'user_id = {userId:UUID}',
] as const

const text = (column: string): string => `toString(${column})`

/** Returns a text that is empty when unknown as null. */
export const textOrNullSql = (column: string): string => `nullIf(${text(column)}, '')`

/** The id of the device; parameters deviceProviders and deviceIds. */
const DEVICE = `nullIf(transform(toString(provider), {deviceProviders:Array(String)},
  {deviceIds:Array(String)}, ''), '')`

export const PROVIDER: ScalarColumn = scalarColumn(
  'source_provider',
  'text',
  text('provider'),
  'known',
)
export const SOURCE_TYPE: ScalarColumn = scalarColumn(
  'source_type',
  'text',
  text('source_type'),
  'known',
)
export const APP_ID: ScalarColumn = scalarColumn('source_app_id', 'text', textOrNullSql('app_id'))
const DEVICE_ID: ScalarColumn = scalarColumn('source_device_id', 'text', DEVICE)

/** Columns of the source that every summary has. */
export const SUMMARY_SOURCE_COLUMNS = [SOURCE_TYPE, PROVIDER, APP_ID, DEVICE_ID] as const

/** Returns the zone of a stored row: IANA identifier, otherwise an offset such as +05:30. */
export function timeZoneSql(instant: string): string {
  const offset = knownOffsetSql(instant)
  const minutes = `intDiv(abs(${offset}), 60)`
  const twoDigits = (number: string): string => `leftPad(toString(${number}), 2, '0')`
  return `coalesce(${textOrNullSql('time_zone')}, concat(if(${offset} < 0, '-', '+'),
    ${twoDigits(`intDiv(${minutes}, 60)`)}, ':', ${twoDigits(`${minutes} % 60`)}))`
}
