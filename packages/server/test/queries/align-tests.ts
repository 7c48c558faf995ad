import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { type AskOptions, func, type QueryHarness, trunc, value } from './query-harness.ts'
import { sample } from './reference/hand-made.ts'

const glucose = value('glucose')
const daily = [trunc('day')]

/** docs/contract/09-aggregate.md#align, against the harness of the file that calls this. */
export function alignTests(open: () => QueryHarness): void {
  let harness: QueryHarness
  const KEY = 'group_key.0'
  const NAME = 'mean.glucose.value'
  let userId: string
  before(async () => {
    harness = open()
    const days = { '2026-03-03': 3, '2026-03-04': 4, '2026-03-08': 8 }
    userId = await harness.person({
      samples: Object.entries(days).map(([day, number]) => sample(`${day}T10:00:00Z`, number)),
    })
  })
  const days = (first: number, last: number, month = '03') =>
    Array.from(
      { length: last - first + 1 },
      (_, day) => `2026-${month}-${String(first + day).padStart(2, '0')}T00:00:00`,
    )
  const aligned = (carry: object, more: object = {}) => ({
    select: [{ group_key: '*' }, func('mean', glucose)],
    group_by: daily,
    align: { carry },
    ...more,
  })
  const ask = (carry: object, options?: AskOptions) => harness.ask(userId, aligned(carry), options)
  const period = (size: number, unit = 'day') => ({ value: size, unit })

  // The clock of the tests stands at 2026-03-01T12:00Z; data of later days end with them.
  test('carries forward within a cap and without, but not past now', async () => {
    assert.deepEqual(await ask({ mode: 'carry_forward' }), {
      [KEY]: days(3, 8),
      [NAME]: [3, 4, 4, 4, 4, 8],
    })
    assert.deepEqual(await ask({ mode: 'carry_forward', max_age: period(2) }), {
      [KEY]: days(3, 8),
      [NAME]: [3, 4, 4, 4, null, 8],
    })
    harness.salus.clock.advance(9 * DAY_SECONDS)
    assert.deepEqual(await ask({ mode: 'carry_forward', max_age: period(4) }), {
      [KEY]: days(3, 10),
      [NAME]: [3, 4, 4, 4, 4, 8, 8, 8],
    })
    const abroad = await harness.person(
      { samples: [sample('2026-03-08T10:00:00Z', 8)] },
      'Pacific/Kiritimati',
    )
    const query = aligned({ mode: 'carry_forward', max_age: period(4) })
    assert.deepEqual((await harness.ask(abroad, query))[KEY], days(8, 11))
  })

  test('carries backward', async () => {
    assert.deepEqual(await ask({ mode: 'carry_backward' }), {
      [KEY]: days(3, 8),
      [NAME]: [3, 4, 8, 8, 8, 8],
    })
    assert.deepEqual(await ask({ mode: 'carry_backward', max_age: period(1, 'day') }), {
      [KEY]: days(2, 8),
      [NAME]: [3, 3, 4, null, null, 8, 8],
    })
  })

  test('carries from the nearest, and from the past where both are', async () => {
    assert.deepEqual(await ask({ mode: 'carry_nearest', span: null }), {
      [KEY]: days(3, 8),
      [NAME]: [3, 4, 4, 4, 8, 8],
    })
    assert.deepEqual(await ask({ mode: 'carry_nearest', span: period(1) }), {
      [KEY]: days(2, 9),
      [NAME]: [3, 3, 4, 4, null, 8, 8, 8],
    })
  })

  test('counts caps in units of the calendar', async () => {
    const samples = [sample('2026-01-31T10:00:00Z', 1), sample('2026-03-08T10:00:00Z', 2)]
    const other = await harness.person({ samples })
    const query = aligned({ mode: 'carry_forward', max_age: period(1, 'month') })
    const options = { past: { unit: 'month', value: 3 } }
    const table = await harness.ask(other, query, options)
    assert.deepEqual(table[NAME]?.slice(0, 30), [...Array(29).fill(1), null])
    assert.equal(table[KEY]?.[28], '2026-02-28T00:00:00')
    const back = aligned({ mode: 'carry_backward', max_age: period(1, 'month') })
    assert.equal((await harness.ask(other, back, options))[KEY]?.[0], '2025-12-31T00:00:00')
    const months = {
      ...aligned({ mode: 'carry_nearest', span: period(1, 'year') }),
      group_by: [trunc('month')],
    }
    const wide = await harness.ask(other, months, options)
    assert.equal(wide[KEY]?.[0], '2025-01-01T00:00:00')
    // February is 31 days from January and 28 from March.
    assert.deepEqual([wide[KEY]?.length, wide[NAME]?.slice(12)], [15, [1, 2, 2]])
  })

  test('keeps to the other keys, and treats each column alone', async () => {
    const samples = [
      sample('2026-03-02T10:00:00Z', 1, { sampleType: 'automatic' }),
      sample('2026-03-04T10:00:00Z', 2),
      sample('2026-03-05T10:00:00Z', 3, { sampleType: 'automatic' }),
      sample('2026-03-05T11:00:00Z', 5, { sampleType: 'automatic' }),
      sample('2026-03-06T10:00:00Z', 4),
    ]
    const other = await harness.person({ samples })
    const query = {
      select: [
        { group_key: '*' },
        func('max', glucose),
        func('stddev', glucose),
        func('count', glucose),
      ],
      group_by: [value('glucose', 'type'), trunc('day')],
      align: { carry: { mode: 'carry_backward' } },
    }
    const table = await harness.ask(other, query)
    assert.deepEqual(table[KEY], [...Array(4).fill('automatic'), ...Array(3).fill(null)])
    assert.deepEqual(table['group_key.1'], [...days(2, 5), ...days(4, 6)])
    assert.deepEqual(table['max.glucose.value'], [1, 5, 5, 5, 2, 4, 4])
    assert.deepEqual(table['count.glucose.value'], [1, 2, 2, 2, 1, 1, 1])
    const deviation = Math.SQRT2
    assert.deepEqual(table['stddev.glucose.value'], [...Array(4).fill(deviation), null, null, null])
  })

  test('of nothing is nothing', async () => {
    const emptyUser = await harness.person({})
    const query = aligned({ mode: 'carry_nearest', span: period(3) })
    assert.deepEqual(await harness.ask(emptyUser, query), { [KEY]: [], [NAME]: [] })
  })
}
