import { SERIES } from '../../health/series/index.ts'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../../health/summaries/index.ts'
import { RETAINED_LAB_RECORDS, type RetainedRecords } from '../../lab/retention/index.ts'

/** What an environment can keep for a while only. */
export interface RetainedResource {
  name: string
  meaning: string
  /** A rule of fewer days is refused. */
  minimumDays: number
  stored: StoredRows | RetainedRecords
}

/** Where in ClickHouse it is, and the condition by which a row is older than the instant `cutoff`. */
export interface StoredRows {
  table: string
  isOlder: string
  series?: string
}

const CUTOFF = 'parseDateTime64BestEffort({cutoff:String}, 3)'
const STARTED = `started_at < ${CUTOFF}`

const IN_CLICKHOUSE: readonly { name: string; meaning: string; stored: StoredRows }[] = [
  ...SERIES.map(({ name }) => ({
    name,
    meaning: 'Samples that began before it.',
    stored: { table: 'samples', isOlder: STARTED, series: name },
  })),
  ...SUMMARY_RESOURCES.map((name) => ({
    name,
    meaning: 'Summaries of what began before it.',
    stored: { table: SUMMARY_TABLES[name].table, isOlder: STARTED },
  })),
  {
    name: 'workout_stream',
    meaning: 'Recordings that began before it.',
    stored: {
      table: 'workout_streams',
      isOlder: `notEmpty(time) and time[1] < toUnixTimestamp64Milli(${CUTOFF}) / 1000`,
    },
  },
  {
    name: 'put_aside',
    meaning: 'Items that could not be stored and came before it.',
    stored: { table: 'quarantined_items', isOlder: `received_at < ${CUTOFF}` },
  },
]

/** Every resource with a rule of its own. */
export const RETAINED_RESOURCES: readonly RetainedResource[] = [
  ...IN_CLICKHOUSE.map((resource) => ({ ...resource, minimumDays: 1 })),
  ...RETAINED_LAB_RECORDS.map((records) => {
    const { name, meaning, minimumDays } = records
    return { name, meaning, minimumDays, stored: records }
  }),
]
