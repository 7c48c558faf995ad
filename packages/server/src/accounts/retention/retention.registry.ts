import { SERIES } from '../../health/series/index.ts'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../../health/summaries/index.ts'

/** What an environment can keep for a while only. */
export interface RetainedResource {
  name: string
  meaning: string
  /** Where in ClickHouse it is, and the condition by which a row is older than the instant `cutoff`. */
  stored: { table: string; isOlder: string; series?: string } | 'lab_reports'
}

const CUTOFF = 'parseDateTime64BestEffort({cutoff:String}, 3)'
const STARTED = `started_at < ${CUTOFF}`

/** Every resource with a rule of its own. */
export const RETAINED_RESOURCES: readonly RetainedResource[] = [
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
  {
    name: 'lab_report',
    meaning: 'Finished parsing jobs that were made before it, with their results and files.',
    stored: 'lab_reports',
  },
]
