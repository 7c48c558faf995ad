import { SUMMARY_TABLES, type SummaryResource } from '../../summaries/index.ts'
import {
  knownOffsetSql,
  localDaySql,
  localMsOfDateSql,
  localMsOfTimeSql,
  localMsSql,
  localSql,
} from './floating-sql.ts'
import {
  byName,
  type Column,
  type QuerySource,
  type ScalarColumn,
  scalarColumn,
  type ValueType,
} from './query-source.ts'
import { SLEEP_MACROS } from './sleep-macros.ts'
import { OF_PERSON, SUMMARY_SOURCE_COLUMNS, textOrNullSql, timeZoneSql } from './stored-sources.ts'

type Fields = Readonly<Record<string, ValueType>>

/**
 * Fields of the elements of list columns (docs/contract/09-aggregate.md#tables-and-columns; types
 * of docs/contract/06-summaries.md#menstrual-cycle).
 */
const LIST_COLUMNS: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  menstrual_cycle: {
    menstrual_flow: { date: 'date', flow: 'text' },
    cervical_mucus: { date: 'date', quality: 'text' },
    intermenstrual_bleeding: { date: 'date' },
    contraceptive: { date: 'date', type: 'text' },
    detected_deviations: { date: 'date', deviation: 'text' },
    ovulation_test: { date: 'date', test_result: 'text' },
    home_pregnancy_test: { date: 'date', test_result: 'text' },
    home_progesterone_test: { date: 'date', test_result: 'text' },
    sexual_activity: { date: 'date', protection_used: 'boolean' },
    basal_body_temperature: { date: 'date', value: 'number' },
  },
}

const time = (name: string, instant: string): ScalarColumn =>
  scalarColumn(name, 'datetime', localSql(instant), 'known')
const day = (name: string, date: string): ScalarColumn => scalarColumn(name, 'date', date, 'known')

const SESSION = [time('session_start', 'started_at'), time('session_end', 'ended_at')]
const EXTERNAL_ID = scalarColumn('external_id', 'text', textOrNullSql('external_id'))
const DATE = day('date', localDaySql('started_at'))
const ZONE = scalarColumn('time_zone', 'text', timeZoneSql('started_at'))

/** Types of stored columns that are columns of a query unchanged. */
const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  text: 'text',
  long_text: 'text',
  date: 'date',
}

function storedColumns(resource: SummaryResource): Column[] {
  return Object.entries(SUMMARY_TABLES[resource].columns).flatMap(([name, stored]): Column[] => {
    const type = VALUE_TYPES[stored]
    if (type !== undefined) return [scalarColumn(name, type, name)]
    const fields = LIST_COLUMNS[resource]?.[name]
    if (fields === undefined) return []
    const elements = { kind: 'objects', fields } as const
    return [{ kind: 'list', name, sql: `JSONExtractArrayRaw(${name})`, elements }]
  })
}

type Own = Pick<QuerySource, 'table' | 'dataType'> & {
  resource: SummaryResource
  /** Columns beside those of the store; they replace stored ones of the same name. */
  columns: readonly ScalarColumn[]
  index: ScalarColumn
  localMs: string
  macros?: readonly ScalarColumn[]
}

function summarySource({ macros = [], ...own }: Own): QuerySource {
  const { table, resource, dataType, columns, index, localMs } = own
  const stored = storedColumns(resource)
  return {
    table,
    series: null,
    merged: null,
    resources: [resource],
    columns: byName([...stored, ...columns, ...SUMMARY_SOURCE_COLUMNS]),
    macros: byName(macros),
    index: { ...index, name: 'timestamp' },
    localMs,
    updated: 'updated_at',
    tieBreak: ['updated_at', 'id'],
    dataType,
    relation: {
      from: `${SUMMARY_TABLES[resource].table} final`,
      conditions: OF_PERSON,
      instantKey: null,
    },
  }
}

const MEASURED_AT = time('measured_at', 'started_at')
const MEAL_AT = time('timestamp', 'started_at')
const PERIOD_START = day('period_start', `coalesce(period_start, ${localDaySql('started_at')})`)
const CREATED_AT = scalarColumn('created_at', 'datetime', 'created_at', 'known')
const UPDATED_AT = scalarColumn('updated_at', 'datetime', 'updated_at', 'known')

/**
 * docs/contract/09-aggregate.md#tables-and-columns: stored tables. The time of a profile is UTC.
 */
export const SUMMARY_SOURCES: readonly QuerySource[] = [
  summarySource({
    table: 'sleep',
    resource: 'sleep',
    dataType: 'sleep',
    columns: [
      scalarColumn('id', 'text', 'toString(id)', 'known'),
      ...SESSION,
      scalarColumn('time_zone', 'text', timeZoneSql('ended_at')),
    ],
    index: time('session_end', 'ended_at'),
    localMs: localMsSql('ended_at'),
    macros: Object.values(SLEEP_MACROS),
  }),
  summarySource({
    table: 'activity',
    resource: 'activity',
    dataType: 'activity',
    columns: [
      DATE,
      ZONE,
      scalarColumn('time_zone_offset', 'integer', `toInt64(${knownOffsetSql('started_at')})`),
    ],
    index: DATE,
    localMs: localMsOfDateSql(DATE.sql),
  }),
  summarySource({
    table: 'workout',
    resource: 'workouts',
    dataType: 'workouts',
    columns: [...SESSION, EXTERNAL_ID, ZONE],
    index: time('session_start', 'started_at'),
    localMs: localMsSql('started_at'),
  }),
  summarySource({
    table: 'body',
    resource: 'body',
    dataType: 'body',
    columns: [MEASURED_AT, ZONE],
    index: MEASURED_AT,
    localMs: localMsSql('started_at'),
  }),
  summarySource({
    table: 'meal',
    resource: 'meal',
    dataType: null,
    columns: [DATE, MEAL_AT],
    index: MEAL_AT,
    localMs: localMsSql('started_at'),
  }),
  summarySource({
    table: 'menstrual_cycle',
    resource: 'menstrual_cycle',
    dataType: null,
    columns: [PERIOD_START],
    index: PERIOD_START,
    localMs: localMsOfDateSql(PERIOD_START.sql),
  }),
  summarySource({
    table: 'profile',
    resource: 'profile',
    dataType: null,
    columns: [CREATED_AT, UPDATED_AT],
    index: UPDATED_AT,
    localMs: localMsOfTimeSql(UPDATED_AT.sql),
  }),
]
