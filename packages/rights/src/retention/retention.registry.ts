import { SERIES } from '@salus/contracts/series'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '@salus/health/summaries'
import { RETAINED_LAB_RECORDS, type RetainedRecords } from '@salus/lab/retention'

/** Kinds of resources, for lists of them. */
export const RETAINED_KINDS = ['series', 'summary', 'other', 'laboratory'] as const
type RetainedKind = (typeof RETAINED_KINDS)[number]

/** Maximum number of days; data without a rule are kept forever. */
export const MOST_DAYS = 36_500

/** Data that an environment can keep for a limited time. */
export interface RetainedResource {
  name: string
  kind: RetainedKind
  /** Data that the rule removes; "earlier" means before the days of the rule. */
  meaning: string
  /** A rule with fewer days is refused. */
  minimumDays: number
  stored: StoredRows | RetainedRecords
}

/** Table of ClickHouse, and the condition by which a row is older than the instant `cutoff`. */
export interface StoredRows {
  table: string
  isOlder: string
  series?: string
}

const CUTOFF = 'parseDateTime64BestEffort({cutoff:String}, 3)'
const STARTED = `started_at < ${CUTOFF}`

const IN_CLICKHOUSE: readonly (Omit<RetainedResource, 'minimumDays'> & { stored: StoredRows })[] = [
  ...SERIES.map(({ name }) => ({
    name,
    kind: 'series' as const,
    meaning: 'Samples that began earlier.',
    stored: { table: 'samples', isOlder: STARTED, series: name },
  })),
  ...SUMMARY_RESOURCES.map((name) => ({
    name,
    kind: 'summary' as const,
    meaning: 'Summaries of what began earlier.',
    stored: { table: SUMMARY_TABLES[name].table, isOlder: STARTED },
  })),
  {
    name: 'workout_stream',
    kind: 'other',
    meaning: 'Recordings that began earlier.',
    stored: {
      table: 'workout_streams',
      isOlder: `notEmpty(time) and time[1] < toUnixTimestamp64Milli(${CUTOFF}) / 1000`,
    },
  },
  {
    name: 'put_aside',
    kind: 'other',
    meaning: 'Items that could not be stored and came earlier.',
    stored: { table: 'quarantined_items', isOlder: `received_at < ${CUTOFF}` },
  },
]

/** Every resource with a rule of its own. */
export const RETAINED_RESOURCES: readonly RetainedResource[] = [
  ...IN_CLICKHOUSE.map((resource) => ({ ...resource, minimumDays: 1 })),
  ...RETAINED_LAB_RECORDS.map((records) => {
    const { name, meaning, minimumDays } = records
    return { name, kind: 'laboratory' as const, meaning, minimumDays, stored: records }
  }),
]

/** Tables of ClickHouse with rules. */
export const RETAINED_TABLES: ReadonlySet<string> = new Set(
  IN_CLICKHOUSE.map(({ stored }) => stored.table),
)
