import { sameColumns, selectSql, subquerySql } from '../select-sql.ts'
import { localDaySql, localMsOfDateSql } from './floating-sql.ts'
import { byName, type QuerySource, scalarColumn } from './query-source.ts'
import { SLEEP_MACROS } from './sleep-macros.ts'
import { SOURCE_CODE, sourceOrderSql, TYPE_POSITION } from './source-rank-sql.ts'
import { OF_PERSON, SUMMARY_SOURCE_COLUMNS } from './stored-sources.ts'

/**
 * Readiness: one row for each day with a long sleep
 * (docs/contract/09-aggregate.md#macros-and-readiness). The scores are a plain published formula,
 * not medical advice. Heart rate variability is RMSSD, otherwise SDNN, and a night is only compared
 * with nights of the same kind; the resting heart rate is that of the sleep, otherwise that of the
 * day (docs/decisions/0018-readiness-of-apple-health.md).
 */

const STORED = ['provider', 'source_type', 'app_id', 'updated_at', 'id']
const SCORED = [...STORED, 'day', 'chronotype', 'sleep_score']
const BASELINE_DAYS = 21
const LEAST_NIGHTS = 7

/** Long sleeps with the inputs of the scores; the day is a number of days since 1970. */
const longSleeps = selectSql({
  columns: {
    ...sameColumns(STORED),
    day: `toInt32(${localDaySql('ended_at')})`,
    chronotype: SLEEP_MACROS.chronotype.sql,
    sleep_score: SLEEP_MACROS.sleep_score.sql,
    length: 'ended_at - started_at',
    has_rmssd: 'ifNull(hrv_mean_rmssd > 0, false)',
    ln_hrv: 'log(multiIf(has_rmssd, hrv_mean_rmssd, hrv_mean_sdnn > 0, hrv_mean_sdnn, null))',
    sleep_resting: 'toFloat64(heart_rate_resting)',
    hours: 'stage_asleep_second / 3600',
    code: SOURCE_CODE,
    sleeps: 'count() over (partition by day, code)',
  },
  from: 'sleep_summaries final',
  where: [...OF_PERSON, "type = 'long_sleep'"],
})

/** One for each day: the longest of the source that counts. */
const nights = selectSql({
  columns: sameColumns([...SCORED, 'has_rmssd', 'ln_hrv', 'sleep_resting', 'hours']),
  from: subquerySql(longSleeps),
  orderBy: ['day', ...sourceOrderSql('code', 'sleeps'), 'length desc', 'id'],
  firstBy: ['day'],
})

/** One resting heart rate for each day and provider: the newest of the best source type. */
const dayRates = selectSql({
  columns: {
    rate_day: `toInt32(${localDaySql('started_at')})`,
    rate_provider: 'provider',
    day_resting: 'heart_rate_resting',
  },
  from: 'activity_summaries final',
  where: [...OF_PERSON, 'heart_rate_resting is not null'],
  orderBy: ['rate_day', 'provider', TYPE_POSITION, 'updated_at desc', 'toString(id)'],
  firstBy: ['rate_day', 'provider'],
})

const measured = selectSql({
  columns: {
    ...sameColumns([...SCORED, 'has_rmssd', 'ln_hrv', 'hours']),
    resting: 'coalesce(sleep_resting, day_resting)',
  },
  from: `${subquerySql(nights)} as night left join ${subquerySql(dayRates)} as day_rate
    on day = rate_day and provider = rate_provider`,
})

const isMeasured = 'ln_hrv is not null and resting is not null'
const before = `over (partition by has_rmssd order by day
  range between ${BASELINE_DAYS} preceding and 1 preceding)`
const baseline = (func: string, column: string): string =>
  `${func}If(${column}, ${isMeasured}) ${before}`

const compared = selectSql({
  columns: {
    ...sameColumns([...SCORED, 'hours']),
    has_baseline: `countIf(${isMeasured}) ${before} >= ${LEAST_NIGHTS}`,
    hrv_score: `(ln_hrv - ${baseline('avg', 'ln_hrv')})
      / ${atLeast(baseline('stddevSampStable', 'ln_hrv'), 0.05)}`,
    resting_score: `(${baseline('avg', 'resting')} - resting)
      / ${atLeast(baseline('stddevSampStable', 'resting'), 1)}`,
    sleep_surplus: `${atMost('hours', 9)} / 8 - 1`,
  },
  from: subquerySql(measured),
})

const recovered = selectSql({
  columns: {
    ...sameColumns([...SCORED, 'hours']),
    recovery: `if(has_baseline, floor(100 / (1 + exp(-(0.6 + 1.2 *
      (0.5 * hrv_score + 0.3 * resting_score + 0.8 * sleep_surplus)))) + 0.5), null)`,
  },
  from: subquerySql(compared),
})

const strained = selectSql({
  columns: {
    ...sameColumns([...SCORED, 'recovery']),
    load: `0.6 * ${atLeast('(66 - recovery) / 66', 0)} + 0.4 * ${atLeast('(8 - hours) / 8', 0)}`,
    strain: 'floor(210 * (1 - exp(-3 * load)) / (1 - exp(-3)) + 0.5) / 10',
  },
  from: subquerySql(recovered),
})

const DATE = scalarColumn('date', 'date', 'toDate32(day)', 'known')

const RECOVERY_ZONE = `multiIf(isNull(recovery), null, recovery < 34, 'Red',
  recovery < 67, 'Amber', 'Green')`
const STRAIN_ZONE = `multiIf(isNull(strain), null, strain < 7, 'Low', strain < 14, 'Moderate',
  strain < 18, 'High', 'Very High')`

export const READINESS_SOURCE: QuerySource = {
  table: 'derived_readiness',
  series: null,
  resources: ['sleep', 'activity'],
  columns: byName([
    DATE,
    scalarColumn('chronotype', 'text', 'chronotype', 'known'),
    scalarColumn('sleep_score', 'number', 'toFloat64(sleep_score)'),
    scalarColumn('recovery_score', 'number', 'recovery'),
    scalarColumn('stress_score', 'number', '100 - recovery'),
    scalarColumn('recovery_zone', 'text', RECOVERY_ZONE),
    scalarColumn('strain_score', 'number', 'strain'),
    scalarColumn('strain_zone', 'text', STRAIN_ZONE),
    ...SUMMARY_SOURCE_COLUMNS,
  ]),
  macros: new Map(),
  index: { ...DATE, name: 'timestamp' },
  localMs: localMsOfDateSql(DATE.sql),
  updated: 'updated_at',
  tieBreak: ['updated_at', 'id'],
  dataType: 'sleep',
  merged: null,
  relation: { from: subquerySql(strained), conditions: [], instantKey: null },
}

/**
 * Returns SQL of the larger number; null stays null, where `greatest` of the engine would ignore
 * it.
 */
function atLeast(number: string, least: number): string {
  return `if(${number} < ${least}, ${least}, ${number})`
}

/** Returns SQL of the smaller number; null stays null. */
function atMost(number: string, most: number): string {
  return `if(${number} > ${most}, ${most}, ${number})`
}
