import { SERIES, type Series } from '@salus/contracts/series'
import { knownOffsetSql, localMsSql, localSql } from './floating-sql.ts'
import { byName, type Column, type QuerySource, scalarColumn } from './query-source.ts'
import { APP_ID, OF_PERSON, PROVIDER, SOURCE_TYPE, textOrNullSql } from './stored-sources.ts'

const NO_WORKOUT = "toUUID('00000000-0000-0000-0000-000000000000')"

const DURATION = scalarColumn(
  'duration',
  'integer',
  'intDiv(toUnixTimestamp64Milli(ended_at) - toUnixTimestamp64Milli(started_at), 1000)',
  'known',
)
const TIMESTAMP = scalarColumn('timestamp', 'datetime', localSql('started_at'), 'known')

const EVERY_SERIES: readonly Column[] = [
  TIMESTAMP,
  scalarColumn('timezone_offset', 'integer', `toInt64(${knownOffsetSql('started_at')})`),
  scalarColumn('type', 'text', textOrNullSql('sample_type')),
  PROVIDER,
  SOURCE_TYPE,
  APP_ID,
  scalarColumn(
    'source_workout_id',
    'text',
    `if(workout_id = ${NO_WORKOUT}, null, toString(workout_id))`,
  ),
  scalarColumn('source_sport', 'text', textOrNullSql('sport')),
]

/** Makes a column for a field in the JSON of a sample. */
function extraColumn({ name, kind }: Series['extraFields'][number]): Column {
  const field = `JSONExtract(toString(extra), '${name}', `
  return kind === 'list'
    ? { kind: 'list', name, sql: `${field}'Array(String)')`, elements: { kind: 'texts' } }
    : scalarColumn(name, 'text', `${field}'Nullable(String)')`)
}

/** Series with a value and no duration. */
const DISCRETE: ReadonlySet<string> = new Set([
  'glucose',
  'heartrate',
  'hrv',
  'ige',
  'igg',
  'cholesterol',
  'weight',
  'fat',
  'blood_oxygen',
  'electrocardiogram_voltage',
  'respiratory_rate',
  'stress_level',
])

function ownColumns({ resource, shape, valueKind, extraFields }: Series): Column[] {
  const extras = extraFields.map(extraColumn)
  if (valueKind === 'text')
    return [scalarColumn('content', 'text', 'text_value', 'known'), ...extras]
  if (shape === 'blood_pressure') {
    return [
      scalarColumn('systolic', 'number', 'value', 'known'),
      scalarColumn('diastolic', 'number', 'diastolic', 'known'),
    ]
  }
  const value = scalarColumn('value', 'number', 'value', 'known')
  return DISCRETE.has(resource) ? [value] : [value, DURATION, ...extras]
}

function seriesSource(series: Series): QuerySource {
  return {
    table: 'timeseries',
    series: series.resource,
    resources: [series.name],
    columns: byName([...ownColumns(series), ...EVERY_SERIES]),
    macros: new Map(),
    index: TIMESTAMP,
    localMs: localMsSql('started_at'),
    updated: 'version',
    tieBreak: ['started_at', 'provider', 'source_type', 'app_id', 'sample_type', 'workout_id'],
    dataType: 'timeseries',
    merged: null,
    relation: {
      from: 'samples final',
      conditions: [...OF_PERSON, `series = '${series.name}'`],
      instantKey: 'started_at',
    },
  }
}

/**
 * docs/contract/09-aggregate.md#tables-and-columns: every series except deprecated ones, by its
 * name in queries.
 */
export const SERIES_SOURCES: ReadonlyMap<string, QuerySource> = new Map(
  SERIES.filter(({ deprecated }) => !deprecated).map((series) => [
    series.resource,
    seriesSource(series),
  ]),
)
