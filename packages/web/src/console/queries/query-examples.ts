/** Example queries by their name in the address. The anchor is inserted when one is opened. */
export const QUERY_EXAMPLES = {
  'steps-a-day': {
    title: 'Steps a day',
    past: { value: 30, unit: 'day' },
    queries: [
      {
        select: [{ group_key: '*' }, { func: 'sum', arg: { merged: 'steps', field: 'value' } }],
        group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'merged' } }],
      },
    ],
  },
  'heart-rate-by-hour': {
    title: 'Heart rate by the hour of the day',
    past: { value: 3, unit: 'month' },
    queries: [
      {
        select: [
          { group_key: '*' },
          { func: 'median', arg: { merged: 'heartrate', field: 'value' } },
          { func: 'max', arg: { merged: 'heartrate', field: 'value' } },
        ],
        group_by: [{ date_part: 'hour', arg: { index: 'merged' } }],
      },
    ],
  },
  'sleep-scores': {
    title: 'Nights with their score',
    past: { value: 30, unit: 'day' },
    queries: [
      {
        select: [
          { index: 'sleep' },
          { value_macro: 'sleep_score' },
          { sleep: 'stage_deep_second' },
          { sleep: 'stage_rem_second' },
          { sleep: 'efficiency' },
        ],
        where: "type = 'long_sleep'",
      },
    ],
  },
  'weight-with-gaps-filled': {
    title: 'Weight, days without one filled',
    past: { value: 3, unit: 'month' },
    queries: [
      {
        select: [{ group_key: '*' }, { func: 'newest', arg: { merged: 'weight', field: 'value' } }],
        group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'merged' } }],
        align: { carry: { mode: 'carry_forward', max_age: { value: 3, unit: 'day' } } },
      },
    ],
  },
  workouts: {
    title: 'Workouts by sport',
    past: { value: 1, unit: 'year' },
    queries: [
      {
        select: [
          { group_key: '*' },
          { func: 'count', arg: { workout: 'sport_slug' } },
          { func: 'sum', arg: { workout: 'distance_meter' } },
          { func: 'mean', arg: { workout: 'heart_rate_mean' } },
        ],
        group_by: [{ workout: 'sport_slug' }],
      },
    ],
  },
} as const

export type QueryExample = keyof typeof QUERY_EXAMPLES

export const isQueryExample = (name: string): name is QueryExample => name in QUERY_EXAMPLES

/** Formats a query, with lists of expressions on lines of their own. */
export function formatQuery(json: unknown): string {
  const text = JSON.stringify(json, null, 2)
  // Small objects fit on a line.
  return text
    .replace(/[{[][^{}[\]]*[\]}]/g, joinIfShort)
    .replace(/\{\n[^{}]*\{[^{}]*\}[^{}]*\}/g, joinIfShort)
}

function joinIfShort(text: string): string {
  const joined = text.replace(/\n\s*/g, ' ')
  return joined.length <= 90 ? joined : text
}

/**
 * Returns the text of an example.
 * @param anchor The last day, as YYYY-MM-DD.
 */
export function textOfExample(name: QueryExample, anchor: string): string {
  const { past, queries } = QUERY_EXAMPLES[name]
  return formatQuery({ timeframe: { type: 'relative', anchor, past }, queries })
}
