import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  type CheckedRead,
  createCheckedRead,
} from '../../../../server/test/summaries/checked-read.ts'
import { type StoredFields, storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'

const salus = useFixture(createHarness)
let read: CheckedRead
before(async () => {
  read = await createCheckedRead(salus)
})

/** Names of rows by their ids. */
const names = new Map<string, string>()

async function store<R extends SummaryResource>(
  userId: string,
  resource: R,
  rows: Record<string, StoredFields<R>>,
): Promise<void> {
  for (const [name, fields] of Object.entries(rows)) {
    names.set(await storeSummary(salus, userId, resource, fields), name)
  }
}

/** What a query finds, in order, with the names of the rows. */
async function rowsOf(userId: string, resource: string, query: string) {
  const { status, text, body } = await read(`/v2/summary/${resource}/${userId}?${query}`)
  assert.equal(status, 200, text)
  const [items] = Object.values<Record<string, unknown>[]>(body)
  return (items ?? []).map((row) => ({ name: names.get(String(row.sleep_id ?? row.id)), row }))
}

const found = async (userId: string, resource: string, query: string) =>
  (await rowsOf(userId, resource, query)).map(({ name }) => name)

const between = (start: string, end: string): string => `start_date=${start}&end_date=${end}`
const day = (date: string): string => between(date, date)

const setZone = async (userId: string, id: string): Promise<void> => {
  const answer = await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: id })
  assert.ok(answer.status < 300, answer.text)
}

/** The evening of 10 February in New York, which is 11 February in UTC. */
const EVENING = {
  started_at: '2026-02-11T02:00:00Z',
  ended_at: '2026-02-11T03:00:00Z',
  timezone_offset: -18_000,
}

for (const resource of ['workouts', 'body', 'meal'] as const) {
  test(`${resource}: a date is the local day of the start, a date-time the start itself`, async () => {
    const userId = await salus.makeUser('manual')
    await store(userId, resource, { evening: EVENING })
    const cases: [query: string, isFound: boolean][] = [
      [day('2026-02-10'), true],
      [day('2026/02/10'), true],
      [day('2026-02-11'), false],
      [day('2026-02-11T02:00:00Z'), true],
      [day('2026-02-10T21:00:00-05:00'), true],
      [between('2026-02-11T02:00:01Z', '2026-02-11T04:00:00Z'), false],
      [between('2026-02-10', '2026-02-11T01:59:59Z'), false],
    ]
    for (const [query, isFound] of cases) {
      assert.deepEqual(await found(userId, resource, query), isFound ? ['evening'] : [], query)
    }
  })
}

test('sleep: a date is the day on which it ended, a date-time is compared with bedtime_stop', async () => {
  const userId = await salus.makeUser('manual')
  const night = {
    started_at: '2026-02-10T22:00:00Z',
    ended_at: '2026-02-11T04:30:00Z',
    timezone_offset: -18_000,
  }
  // The first ended at 23:30 of the day before, in the local time of the sleeper.
  await store(userId, 'sleep', {
    early: night,
    late: { ...night, ended_at: '2026-02-11T05:30:00Z' },
    dated: { ...night, calendar_date: '2026-02-15' },
  })
  assert.deepEqual(await found(userId, 'sleep', day('2026-02-10')), ['early'])
  assert.deepEqual(await found(userId, 'sleep', day('2026-02-11')), ['late'])
  assert.deepEqual(await found(userId, 'sleep', day('2026-02-15')), ['dated'])
  assert.deepEqual(await found(userId, 'sleep', day('2026-02-11T05:30:00Z')), ['late'])
  const start = between('2026-02-10T22:00:00Z', '2026-02-11T04:29:59Z')
  assert.deepEqual(await found(userId, 'sleep', start), [])
})

test('sleep_cycle and electrocardiogram: dates only, the local day of end and start', async () => {
  const userId = await salus.makeUser('manual')
  const stages = { stage_start_offset_second: [0], stage_end_offset_second: [1], stage_type: [2] }
  const row = {
    started_at: '2026-02-10T23:00:00Z',
    ended_at: '2026-02-11T06:00:00Z',
    timezone_offset: -3600,
  }
  await store(userId, 'sleep', { night: { ...row, ...stages, calendar_date: '2026-02-15' } })
  await store(userId, 'electrocardiogram', { ecg: row })
  const late = between('2026-02-11T23:00:00Z', '2026-02-11T00:00:00Z')
  assert.deepEqual(await found(userId, 'sleep_cycle', late), ['night'])
  assert.deepEqual(await found(userId, 'sleep_cycle', day('2026-02-10')), [])
  assert.deepEqual(await found(userId, 'sleep_cycle', day('2026-02-15')), [])
  assert.deepEqual(await found(userId, 'electrocardiogram', day('2026-02-10T23:59:00Z')), ['ecg'])
  assert.deepEqual(await found(userId, 'electrocardiogram', day('2026-02-11')), [])
})

test('activity: the calendar date, and a date-time is cut to its date', async () => {
  const userId = await salus.makeUser('manual')
  const days = ['2026-02-09', '2026-02-10', '2026-02-11']
  const rows = days.map((date) => [date, { calendar_date: date, started_at: `${date}T00:00:00Z` }])
  await store(userId, 'activity', Object.fromEntries(rows))
  const cut = between('2026-02-10T23:00:00-05:00', '2026-02-11T00:00:01Z')
  assert.deepEqual(await found(userId, 'activity', cut), ['2026-02-10', '2026-02-11'])
  assert.deepEqual(await found(userId, 'activity', day('2026-02-09')), ['2026-02-09'])
})

test('menstrual_cycle: whatever overlaps the range, and a cycle without an end lasts until today', async () => {
  const userId = await salus.makeUser('manual')
  const cycle = (start: string, periodEnd: string | null, cycleEnd: string | null) => ({
    calendar_date: start,
    period_start: start,
    period_end: periodEnd,
    cycle_end: cycleEnd,
  })
  await store(userId, 'menstrual_cycle', {
    whole: cycle('2026-01-01', '2026-01-05', '2026-01-28'),
    period: cycle('2026-01-29', '2026-02-02', null),
    open: cycle('2026-02-20', null, null),
    predicted: cycle('2026-03-20', null, null),
  })
  const read = (start: string, end: string) => found(userId, 'menstrual_cycle', between(start, end))
  assert.deepEqual(await read('2026-01-28', '2026-01-28'), ['whole'])
  assert.deepEqual(await read('2026-01-20', '2026-01-29'), ['whole', 'period'])
  assert.deepEqual(await read('2026-02-03', '2026-02-19'), [])
  // Today is 1 March.
  assert.deepEqual(await read('2026-03-01', '2026-03-05'), ['open'])
  assert.deepEqual(await read('2026-03-02', '2026-03-05'), [])
  assert.deepEqual(await read('2026-03-20T12:00:00Z', '2026-03-20'), ['predicted'])
  assert.deepEqual(await read('2026-03-21', '2026-03-30'), [])
  const unended = await found(userId, 'menstrual_cycle', 'start_date=2026-02-01')
  assert.deepEqual(unended, ['period', 'open'])
})

describe('the person', () => {
  test('who travels has each day in the local time of that place, also where a day comes twice', async () => {
    const userId = await salus.makeUser('manual')
    // From Auckland (+13) to Honolulu (-10), over the date line: 11 February, then 10 February.
    await store(userId, 'workouts', {
      auckland: { started_at: '2026-02-10T20:00:00Z', timezone_offset: 46_800 },
      honolulu: { started_at: '2026-02-11T06:00:00Z', timezone_offset: -36_000 },
    })
    assert.deepEqual(await found(userId, 'workouts', day('2026-02-11')), ['auckland'])
    assert.deepEqual(await found(userId, 'workouts', day('2026-02-10')), ['honolulu'])
    const byDay = between('2026-02-10', '2026-02-11')
    assert.deepEqual(await found(userId, 'workouts', byDay), ['honolulu', 'auckland'])
    const byTime = between('2026-02-10T00:00:00Z', '2026-02-11T12:00:00Z')
    assert.deepEqual(await found(userId, 'workouts', byTime), ['auckland', 'honolulu'])
  })

  test('who gets a fallback zone later has the days without an offset put right', async () => {
    const userId = await salus.makeUser('manual')
    const { timezone_offset, ...unknown } = EVENING
    await store(userId, 'workouts', { unknown, own: EVENING })
    await store(userId, 'sleep', { unknown })
    const own = timezone_offset
    const show = async () => {
      const rows = await rowsOf(userId, 'workouts', between('2026-02-01', '2026-02-28'))
      const days = rows.map(({ name, row }) => [name, [row.calendar_date, row.timezone_offset]])
      return Object.fromEntries(days)
    }
    assert.deepEqual(await show(), { unknown: ['2026-02-11', null], own: ['2026-02-10', own] })
    assert.deepEqual(await found(userId, 'workouts', day('2026-02-11')), ['unknown'])

    await setZone(userId, 'America/Los_Angeles')
    assert.deepEqual(await show(), { unknown: ['2026-02-10', -28_800], own: ['2026-02-10', own] })
    assert.deepEqual(await found(userId, 'workouts', day('2026-02-11')), [])
    assert.deepEqual(await found(userId, 'sleep', day('2026-02-10')), ['unknown'])
  })

  test('has the day of its side of the date line', async () => {
    const userId = await salus.makeUser('manual')
    await setZone(userId, 'Pacific/Kiritimati')
    await store(userId, 'workouts', { noon: { started_at: '2026-02-10T22:00:00Z' } })
    const [noon] = await rowsOf(userId, 'workouts', day('2026-02-11'))
    assert.deepEqual([noon?.row.calendar_date, noon?.row.timezone_offset], ['2026-02-11', 50_400])
  })

  test('has the offset of each day of a zone, around both changes of its offset', async () => {
    const userId = await salus.makeUser('manual')
    await setZone(userId, 'America/New_York')
    await store(userId, 'workouts', {
      autumnNight: { started_at: '2025-11-02T03:30:00Z' },
      autumnDay: { started_at: '2025-11-03T04:30:00Z' },
      springNight: { started_at: '2026-03-08T04:30:00Z' },
      springDay: { started_at: '2026-03-09T03:30:00Z' },
    })
    const rows = await rowsOf(userId, 'workouts', between('2025-11-01', '2026-03-31'))
    const days = rows.map(({ name, row }) => [name, row.calendar_date, row.timezone_offset])
    // Each at half past eleven in the evening.
    assert.deepEqual(days, [
      ['autumnNight', '2025-11-01', -14_400],
      ['autumnDay', '2025-11-02', -18_000],
      ['springNight', '2026-03-07', -18_000],
      ['springDay', '2026-03-08', -14_400],
    ])
  })

  test('has the zone itself named where a row names none and has its offset', async () => {
    const userId = await salus.makeUser('manual')
    await setZone(userId, 'America/New_York')
    const at = { started_at: '2026-02-10T12:00:00Z' }
    await store(userId, 'electrocardiogram', {
      none: at,
      same: { ...at, timezone_offset: -18_000 },
      other: { ...at, timezone_offset: 3600 },
      own: { ...at, timezone_offset: 3600, time_zone: 'Europe/Paris' },
    })
    const rows = await rowsOf(userId, 'electrocardiogram', day('2026-02-10'))
    const zones = rows.map(({ name, row }) => [name, row.time_zone])
    assert.deepEqual(Object.fromEntries(zones), {
      none: 'America/New_York',
      same: 'America/New_York',
      other: null,
      own: 'Europe/Paris',
    })
  })
})

test('what is read is in the order of day, time and id', async () => {
  const userId = await salus.makeUser('manual')
  const ids = ['a', 'b', 'c'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`)
  const at = { started_at: '2026-02-10T12:00:00Z' }
  await store(userId, 'meal', {
    third: { ...at, id: ids[2] as string },
    second: { ...at, id: ids[1] as string },
    first: { started_at: '2026-02-10T11:00:00Z' },
    dayAfter: { started_at: '2026-02-11T01:00:00Z', id: ids[0] as string },
    dated: { ...at, calendar_date: '2026-02-09' },
  })
  const query = between('2026-02-09', '2026-02-11')
  const order = ['dated', 'first', 'second', 'third', 'dayAfter']
  assert.deepEqual(await found(userId, 'meal', query), order)
})

describe('a range', () => {
  test('without an end ends now, for days wherever on earth that is', async () => {
    const userId = await salus.makeUser('manual')
    // Now is 2026-03-01T12:00:00.250Z.
    const rows = {
      past: { started_at: '2026-03-01T12:00:00Z' },
      future: { started_at: '2026-03-01T12:00:01Z' },
    }
    await store(userId, 'workouts', rows)
    await store(userId, 'electrocardiogram', rows)
    for (const resource of ['workouts', 'electrocardiogram']) {
      assert.deepEqual(await found(userId, resource, 'start_date=2026-03-01'), ['past'])
    }
    await store(userId, 'activity', {
      today: { calendar_date: '2026-03-01' },
      auckland: { calendar_date: '2026-03-02' },
      nowhere: { calendar_date: '2026-03-03' },
    })
    const days = await found(userId, 'activity', 'start_date=2026-03-01')
    assert.deepEqual(days, ['today', 'auckland'])
  })

  test('is refused when it is wrong or backwards, however long it may be', async () => {
    const userId = await salus.makeUser('manual')
    const cases: [query: string, status: number, problem: string | undefined][] = [
      ['', 422, 'start_date'],
      ['start_date=yesterday', 422, 'start_date'],
      ['start_date=2026-02-30', 422, 'start_date'],
      ['start_date=2026-02-01&end_date=2026-13-01', 422, 'end_date'],
      [between('2026-02-02', '2026-02-01'), 400, 'invalid_date_range'],
      ['start_date=2026-03-02', 400, 'invalid_date_range'],
      [between('2024-01-01', '2024-12-31'), 200, undefined],
      [between('2024-01-01', '2025-01-01'), 200, undefined],
      [between('0001-01-01', '9999-12-31'), 200, undefined],
      ['start_date=2025-03-01T12:00:00Z', 200, undefined],
      ['start_date=1970-01-01', 200, undefined],
    ]
    const resources = ['activity', 'sleep_cycle', 'menstrual_cycle', 'sleep', 'workouts']
    const paths = resources.map((resource) => `${resource}/${userId}`)
    for (const [query, status, problem] of cases) {
      for (const path of [...paths, `workouts/${userId}/raw`]) {
        const { status: answered, body } = await read(`/v2/summary/${path}?${query}`)
        assert.equal(answered, status, `${path}?${query}`)
        if (status === 422) assert.deepEqual(body.detail[0].loc, ['query', problem])
        if (status === 400) assert.equal(body.detail.error_type, problem)
      }
    }
  })
})
