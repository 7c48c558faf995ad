import { DAY_KEY, sumOf } from './query-environment.ts'

const keySelected = { group_key: 0 }
/** What a body is refused for, and where. */
export const REFUSED_BODIES: [name: string, fields: object, loc: (string | number)[]][] = [
  ['a slug with two hyphens in a row', { slug: 'a--b' }, ['body', 'slug']],
  ['a slug that begins with a hyphen', { slug: '-a' }, ['body', 'slug']],
  ['a slug that ends with a hyphen', { slug: 'a-' }, ['body', 'slug']],
  ['a slug with other letters', { slug: 'Steps' }, ['body', 'slug']],
  ['a slug that is too long', { slug: 'a'.repeat(129) }, ['body', 'slug']],
  ['a title with other signs', { title: 'Steps!' }, ['body', 'title']],
  ['a title that is too long', { title: 'a'.repeat(51) }, ['body', 'title']],
  ['no query', { query: undefined }, ['body', 'query']],
  [
    'a gap that is too short',
    { scheduling_preferences: { minimum_gap_duration_second: 1799 } },
    ['body', 'scheduling_preferences', 'minimum_gap_duration_second'],
  ],
  [
    'a timeframe',
    { timeframe: { type: 'relative', anchor: '2026-03-01', past: { value: 1, unit: 'day' } } },
    ['body', 'timeframe'],
  ],
  ['no bucket of time', { query: { select: [sumOf('steps')] } }, ['body', 'query']],
  [
    'a group key that is not selected',
    { query: { select: [sumOf('steps')], group_by: [DAY_KEY] } },
    ['body', 'query'],
  ],
  [
    'an unknown column',
    {
      query: {
        select: [keySelected, { func: 'sum', arg: { sleep: 'nothing' } }],
        group_by: [{ ...DAY_KEY, arg: { index: 'sleep' } }],
      },
    },
    ['body', 'query'],
  ],
]
