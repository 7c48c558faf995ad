import { startOfUtcDay } from '@salus/kernel/time/instants'
import { type NewSummary, newSummary } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { readSource } from '../uploads/item-origin.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readList,
  readText,
  toDate,
} from '../uploads/item-reader.ts'
import {
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type ParsedItem,
} from '../uploads/parsed-item.ts'
import {
  CONTRACEPTIVES,
  DEVIATIONS,
  FLOWS,
  OVULATION_RESULTS,
  QUALITIES,
  TEST_RESULTS,
} from './menstrual-cycle.schema.ts'

/** Reads an entry beside its date; returns undefined for a value that is not allowed. */
type EntryReader = (entry: Fields) => Fields | undefined

const oneOf =
  (field: string, allowed: readonly string[]): EntryReader =>
  (entry) => {
    const value = readKey(entry, field)
    return allowed.includes(value as string) ? { [field]: value } : undefined
  }

/**
 * The lists of a cycle with the readers of their entries
 * (docs/contract/06-summaries.md#menstrual-cycle).
 */
const LISTS = {
  menstrual_flow: oneOf('flow', FLOWS),
  cervical_mucus: oneOf('quality', QUALITIES),
  intermenstrual_bleeding: () => ({}),
  contraceptive: oneOf('type', CONTRACEPTIVES),
  detected_deviations: oneOf('deviation', DEVIATIONS),
  ovulation_test: oneOf('test_result', OVULATION_RESULTS),
  home_pregnancy_test: oneOf('test_result', TEST_RESULTS),
  home_progesterone_test: oneOf('test_result', TEST_RESULTS),
  sexual_activity: (entry) => {
    const value = readKey(entry, 'protection_used') ?? null
    return value === null || typeof value === 'boolean' ? { protection_used: value } : undefined
  },
  basal_body_temperature: (entry) => {
    const value = readKey(entry, 'value')
    return typeof value === 'number' && Number.isFinite(value) ? { value } : undefined
  },
} as const satisfies Record<string, EntryReader>

type ListName = keyof typeof LISTS

/**
 * Parses one menstrual cycle (docs/contract/07-mobile-sync.md#menstrualcycle-upload). Its dates are
 * local dates of the user.
 */
export function parseMenstrualCycle(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const cycle = readKey(item, 'cycle') ?? item
  if (!isFields(cycle)) return 'not_an_object'
  const reader = new ItemReader(cycle)
  const [periodStart, periodEnd, cycleEnd] = ['period_start', 'period_end', 'cycle_end'].map(
    (name) => reader.date(name),
  ) as [string | null, string | null, string | null]
  const isPredicted = reader.boolean('is_predicted')
  if (periodStart === null) return 'invalid_date'
  if (reader.problem !== undefined) return reader.problem
  const lastDay = [periodEnd ?? periodStart, cycleEnd ?? periodStart].reduce((a, b) =>
    a > b ? a : b,
  )
  const source = sourceOf(context, item, cycle)
  if (source === undefined) return 'unknown_source_type'
  const parsed = emptyItem()
  parsed.summaries.push(
    newSummary(
      'menstrual_cycle',
      {
        ...source,
        recordId: readText(cycle, 'id') || periodStart,
        calendarDate: periodStart,
        startedAt: startOfUtcDay(periodStart),
        endedAt: startOfUtcDay(lastDay < periodStart ? periodStart : lastDay),
        raw: item,
      },
      {
        ...readLists(parsed, cycle),
        period_start: periodStart,
        period_end: periodEnd,
        cycle_end: cycleEnd,
        is_predicted: isPredicted ?? false,
      },
    ),
  )
  return parsed
}

/** Returns the source: the app is named beside the cycle, the source type within it, if at all. */
function sourceOf(
  context: ItemContext,
  item: Fields,
  cycle: Fields,
): Pick<NewSummary, 'sourceType' | 'appId' | 'deviceModel'> | undefined {
  const said = readKey(cycle, 'source')
  const type = isFields(said) ? readKey(said, 'type') : readKey(cycle, 'source_type')
  const source = readSource(context, { ...item, source_type: type ?? null })
  if (source === undefined) return undefined
  const appId = source.appId || (isFields(said) ? readText(said, 'app_id') : '')
  return { sourceType: source.sourceType, appId, deviceModel: source.deviceModel }
}

/** Reads the lists as JSON; an invalid entry is quarantined separately. */
function readLists(
  parsed: ParsedItem,
  cycle: Fields,
): Partial<Pick<SummaryValues<'menstrual_cycle'>, ListName>> {
  const lists: Partial<Record<ListName, string>> = {}
  for (const [name, readEntry] of Object.entries(LISTS) as [ListName, EntryReader][]) {
    const entries: Fields[] = []
    for (const entry of readList(cycle, name)) {
      const date = isFields(entry) ? toDate(readKey(entry, 'date')) : undefined
      const rest = isFields(entry) ? readEntry(entry) : undefined
      if (date === undefined || rest === undefined) {
        const reason = date === undefined ? 'invalid_date' : 'invalid_field'
        parsed.quarantined.push({ resource: 'menstrual_cycle', reason, item: { [name]: [entry] } })
        continue
      }
      entries.push({ date, ...rest })
    }
    if (entries.length > 0) lists[name] = JSON.stringify(entries)
  }
  return lists
}
