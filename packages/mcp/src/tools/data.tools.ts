import { z } from 'zod'
import type { CallSalus } from '../salus-call.ts'
import { MERGED_SERIES, UNMERGED_SERIES } from './series.generated.ts'
import { DateText, defineTool } from './tool.ts'

interface Source {
  provider: string
  type: string
  app_id?: string | null
}

interface Slot {
  start: string
  calendar_date: string
  type: string | null
  value: number
  unit: string
  min: number | null
  max: number | null
  count: number
  sources: (Source & { value: number; count: number })[]
  used: (Source & { source: Source; part: number })[] | null
  set_aside: { source: Source; part: number; reason: string; won_by: Source }[] | null
}

interface Merged {
  data: Slot[]
  next_cursor: string | null
}

const period = {
  start_date: DateText,
  end_date: DateText.optional().describe('YYYY-MM-DD, the last day; default: the first day.'),
}

const SlotName = z
  .enum(['minute', '5_minutes', '15_minutes', 'hour', 'day'])
  .default('day')
  .describe('Length of a slot.')

/** Formats a source as `watch of oura`, or `watch of apple_health_kit (com.example.app)`. */
const nameOf = ({ provider, type, app_id: app }: Source): string =>
  `${type} of ${provider}${app ? ` (${app})` : ''}`

const readTimeseries = defineTool({
  name: 'read_timeseries',
  title: 'Time series',
  description:
    'Returns the samples of a series between two days, with all sources merged into one so that nothing counts twice: sums or means by slot in the unit of the series. Series that cannot be merged, such as blood_pressure and cholesterol types, are returned by source, as they were recorded. Use query for tables, means by week and comparisons.',
  isAboutPerson: true,
  input: {
    series: z.enum([...MERGED_SERIES, ...UNMERGED_SERIES]),
    ...period,
    slot: SlotName,
    provider: z
      .string()
      .max(100)
      .default('')
      .describe('Slug of a provider, to return only its data.'),
  },
  answer: async (call, { user_id, series, start_date, end_date = start_date, slot, provider }) => {
    const path = `/v2/timeseries/${user_id}/${series}`
    const query = { start_date, end_date, provider }
    if (!isMerged(series)) return readGroups(call, `${path}/grouped`, query)
    const { data, next_cursor } = (await call({
      method: 'GET',
      path: `${path}/merged`,
      query: { ...query, slot },
    })) as Merged
    const hasTypes = data.some(({ type }) => type !== null)
    return {
      series,
      unit: data[0]?.unit,
      columns: [
        'start',
        'value',
        'min',
        'max',
        'samples',
        'sources',
        ...(hasTypes ? ['type'] : []),
      ],
      rows: data.map((row) => [
        slot === 'day' ? row.calendar_date : row.start,
        row.value,
        row.min,
        row.max,
        row.count,
        row.sources.map(nameOf),
        ...(hasTypes ? [row.type] : []),
      ]),
      ...(next_cursor !== null && { more: 'There are later slots: request later days.' }),
    }
  },
})

const isMerged = (series: string): boolean => (MERGED_SERIES as readonly string[]).includes(series)

type Groups = Record<string, { source: Source; data: Record<string, unknown>[] }[]>

/** Reads samples without the fields that are the same in all of them. */
async function readGroups(call: CallSalus, path: string, query: Record<string, string>) {
  const { groups, next_cursor } = (await call({ method: 'GET', path, query })) as {
    groups: Groups
    next_cursor: string | null
  }
  return {
    groups: Object.values(groups).flatMap((lists) =>
      lists.map(({ source, data }) => ({
        source: nameOf(source),
        samples: data.map(({ id: _id, start: _start, timezone_offset: _offset, ...rest }) => rest),
      })),
    ),
    ...(next_cursor !== null && { more: 'There are later samples: request later days.' }),
  }
}

const explainValue = defineTool({
  name: 'explain_value',
  title: 'Explain a value',
  description:
    'Explains a total or mean of a series: returns for each slot the value, the sources that count with their shares and samples, and the sources that do not count, with the reason and the source that counts instead. Answers "why 4,274 steps and not 8,000?".',
  isAboutPerson: true,
  input: { series: z.enum(MERGED_SERIES), ...period, slot: SlotName },
  answer: async (call, { user_id, series, start_date, end_date = start_date, slot }) => {
    const path = `/v2/timeseries/${user_id}/${series}/merged`
    const query = { start_date, end_date, slot, explain: true }
    const { data, next_cursor } = (await call({ method: 'GET', path, query })) as Merged
    return {
      series,
      slots: data.map(explainSlot),
      reasons: REASONS,
      ...(next_cursor !== null && { more: 'There are later slots: request later days.' }),
    }
  },
})

const REASONS = {
  lower_priority_source: 'A source with a higher priority covers that time.',
  edge_of_better_source:
    'It extends beyond a source with a higher priority by less than the difference of clocks and sample lengths.',
  counted_by_better_source:
    'Sources with a higher priority have already counted that amount within its time.',
}

function explainSlot(slot: Slot) {
  const aside = new Map<string, { samples: number; sum: number }>()
  for (const { source, part, reason, won_by } of slot.set_aside ?? []) {
    const key = JSON.stringify({ source: nameOf(source), reason, instead: nameOf(won_by) })
    const known = aside.get(key) ?? { samples: 0, sum: 0 }
    aside.set(key, { samples: known.samples + 1, sum: known.sum + part })
  }
  return {
    start: slot.start,
    day: slot.calendar_date,
    type: slot.type,
    value: slot.value,
    unit: slot.unit,
    counted: slot.sources.map(({ value, count, ...source }) => ({
      source: nameOf(source),
      value,
      samples: count,
    })),
    not_counted: [...aside].map(([key, { samples, sum }]) => ({
      ...JSON.parse(key),
      samples,
      // The sum of readings has no meaning.
      ...(slot.min === null && { amount: Math.round(sum * 1e6) / 1e6 }),
    })),
  }
}

const SUMMARIES = [
  'activity',
  'sleep',
  'workouts',
  'body',
  'meal',
  'menstrual_cycle',
  'electrocardiogram',
] as const

/** Fields that are the same in every row, or do not help. */
const NOISE = new Set([
  ...['user_id', 'source_provider', 'source_type', 'source_app_id', 'source_device_id'],
  ...['created_at', 'updated_at', 'sleep_stream', 'provider_id', 'map', 'logo'],
])

const readSummaries = defineTool({
  name: 'read_summaries',
  title: 'Summaries',
  description:
    'Returns days of activity, nights, workouts, body measurements, meals, cycles or electrocardiograms between two days. Nights and workouts are merged: each is returned once, with the records of other sources that were set aside in `merged`. Sources of the others are not merged: two devices return two rows for one day.',
  isAboutPerson: true,
  input: { kind: z.enum(SUMMARIES), ...period },
  answer: async (call, { user_id, kind, start_date, end_date = start_date }) => {
    const isMerged = kind === 'sleep' || kind === 'workouts'
    const path = `/v2/summary/${kind}/${user_id}${isMerged ? '/merged' : ''}`
    const query = { start_date, end_date }
    const answer = (await call({ method: 'GET', path, query })) as Record<string, unknown>
    return withoutNoise(answer)
  },
})

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (typeof value !== 'object' || value === null) return value
  const { source, ...fields } = value as { source?: Source }
  const kept = Object.entries(fields)
    .filter(([name]) => !NOISE.has(name))
    .map(([name, field]) => [name, withoutNoise(field)])
  return { ...(source && { source: nameOf(source) }), ...Object.fromEntries(kept) }
}

export const DATA_TOOLS = [readTimeseries, explainValue, readSummaries]
