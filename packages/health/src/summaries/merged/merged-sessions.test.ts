import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { fixture, importFile } from '../../../../server/test/imports/import-client.ts'
import {
  type CheckedRead,
  createCheckedRead,
} from '../../../../server/test/summaries/checked-read.ts'
import { type StoredFields, storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import { uploadSummary } from '../../../../server/test/summaries/upload-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { SetAsideSummary } from './merged-sessions.schema.ts'
import type { SessionResource } from './session-record.ts'

const salus = useFixture(createHarness)
let read: CheckedRead
before(async () => {
  read = await createCheckedRead(salus)
  salus.startJobs()
})

type Merged = Record<string, unknown> & {
  id: string
  source: { provider: string; type: string }
  merged: { set_aside: SetAsideSummary[] }
}

async function merged(
  userId: string,
  resource: SessionResource,
  query = 'start_date=2026-02-01&end_date=2026-02-28',
): Promise<Merged[]> {
  const { status, text, body } = await read(`/v2/summary/${resource}/${userId}/merged?${query}`)
  assert.equal(status, 200, text)
  return body[resource]
}

const brief = (sessions: readonly Merged[]) =>
  sessions.map(({ source, merged: { set_aside: setAside } }) => [
    source.provider,
    ...setAside.map((one) => `${one.source.provider}: ${one.rule}, ${one.reason}`),
  ])

const times = (from: string, to: string) => ({
  started_at: `2026-02-${from.replace(' ', 'T')}:00Z`,
  ended_at: `2026-02-${to.replace(' ', 'T')}:00Z`,
})
const PLACED = { timezone_offset: 3600 }
const CLOUD = { ...PLACED, provider: 'garmin', source_type: 'watch' }
const RING = { ...PLACED, provider: 'oura', source_type: 'ring' }
const FILE = { provider: 'strava', source_type: 'unknown' }

const store = <R extends SessionResource>(userId: string, resource: R, row: StoredFields<R>) =>
  storeSummary(salus, userId, resource, row)

describe('a merged sleep', () => {
  test('is the record of one source, with the others and why they were set aside', async () => {
    const userId = await salus.makeUser()
    const night = times('10 22:04', '11 05:50')
    const id = await store(userId, 'sleep', {
      ...{ ...CLOUD, ...night, stage_asleep_second: 26_000, stage_deep_second: 6000 },
      stage_light_second: 20_000,
    })
    const ring = await store(userId, 'sleep', {
      ...{ ...RING, ...times('10 22:10', '11 05:40'), app_id: 'com.example.ring' },
    })
    const nap = await store(userId, 'sleep', { ...RING, ...times('11 13:00', '11 13:30') })
    const sleeps = await merged(userId, 'sleep')
    assert.deepEqual(
      sleeps.map((one) => one.id),
      [id, nap],
    )
    const [{ merged: found, ...sleep }] = sleeps as [Merged]
    const plain = await read(`/v2/summary/sleep/${userId}?start_date=2026-02-11`)
    assert.deepEqual(
      sleep,
      plain.body.sleep.find((one: Merged) => one.id === id),
    )
    assert.equal(plain.body.sleep.length, 3, 'the plain list has all')
    assert.deepEqual(found, {
      set_aside: [
        {
          id: ring,
          source: { provider: 'oura', type: 'ring', app_id: 'com.example.ring' },
          start: '2026-02-10T22:10:00+00:00',
          end: '2026-02-11T05:40:00+00:00',
          calendar_date: '2026-02-11',
          rule: 'same_time',
          overlap: 1,
          won_by_id: id,
          reason: 'stages_known',
        },
      ],
    })
  })

  test('follows the priorities of the person and the team at the next read', async () => {
    const userId = await salus.makeUser()
    await store(userId, 'sleep', { ...CLOUD, ...times('10 22:04', '11 05:50') })
    await store(userId, 'sleep', { ...RING, ...times('10 22:10', '11 05:40') })
    assert.deepEqual(brief(await merged(userId, 'sleep')), [
      ['garmin', 'oura: same_time, kind_of_source'],
    ])
    const prefer = (priority: number) =>
      salus.call('PATCH', '/v2/team/source/priorities', [
        { data_type: 'sleep', slug: 'oura', priority },
      ])
    await prefer(5)
    assert.deepEqual(brief(await merged(userId, 'sleep')), [
      ['oura', 'garmin: same_time, priority_of_team'],
    ])
    await salus.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [{ resource: 'sleep', provider: 'garmin', priority: 1 }],
    })
    assert.deepEqual(brief(await merged(userId, 'sleep')), [
      ['garmin', 'oura: same_time, priority_of_person'],
    ])
    await prefer(0)
    assert.deepEqual(brief(await merged(userId, 'sleep', 'start_date=2026-02-01&provider=oura')), [
      ['oura'],
    ])
  })

  test('that came by cloud, by file and by phone counts once', async () => {
    const userId = await salus.makeUser('apple_health_kit')
    await importFile(salus, userId, fixture('synthetic-30d-export.zip'))
    const dates = 'start_date=2024-03-01&end_date=2024-03-31'
    const imported = await read(`/v2/summary/sleep/${userId}?${dates}`)
    const [night] = imported.body.sleep as [Record<string, string>]
    const { bedtime_start: start, bedtime_stop: end } = night
    const item = { id: 'phone-night', start_date: start, end_date: end, source_type: 'watch' }
    const bundle = { ...item, source_bundle: 'com.apple.health.OTHER' }
    for (const stage of ['daily', 'historical']) {
      const answer = await uploadSummary(salus, userId, 'sleep', [bundle], { stage })
      assert.equal(answer.status, 200, answer.text)
    }
    await storeSummary(salus, userId, 'sleep', {
      ...{ ...CLOUD, started_at: Date.parse(String(start)) + 300_000 },
      ended_at: Date.parse(String(end)) + 300_000,
    })
    const plain = await read(`/v2/summary/sleep/${userId}?${dates}`)
    const ofNight = plain.body.sleep.length - imported.body.sleep.length
    assert.equal(ofNight, 2, 'the record that was sent twice is one')
    const sleeps = await merged(userId, 'sleep', dates)
    assert.equal(sleeps.length, imported.body.sleep.length)
    assert.deepEqual(brief(sleeps)[0], [
      'apple_health_kit',
      'apple_health_kit: same_time, stages_known',
      'garmin: same_time, stages_known',
    ])
  })
})

describe('a merged workout', () => {
  test('of a watch, of a phone some minutes later, and typed in counts once', async () => {
    const userId = await salus.makeUser()
    const run = { ...times('10 07:00', '10 07:45'), sport_slug: 'running', distance_meter: 8000 }
    const id = await store(userId, 'workouts', { ...CLOUD, ...run })
    await store(userId, 'workouts', {
      ...{ ...PLACED, provider: 'apple_health_kit', source_type: 'phone', sport_slug: 'walking' },
      ...times('10 07:05', '10 07:46'),
    })
    await store(userId, 'workouts', { provider: 'manual', source_type: 'app', ...run })
    await store(userId, 'workouts', { ...CLOUD, ...times('10 07:45', '10 08:00') })
    const workouts = await merged(userId, 'workouts')
    assert.equal(workouts[0]?.id, id)
    assert.deepEqual(brief(workouts), [
      [
        'garmin',
        'manual: same_time, kind_of_source',
        'apple_health_kit: same_time, kind_of_source',
      ],
      ['garmin'],
    ])
  })

  test('of a file without a zone, or with a date alone, is that of the cloud', async () => {
    const userId = await salus.makeUser()
    const run = { ...times('10 07:00', '10 07:45'), sport_slug: 'running' }
    await store(userId, 'workouts', { ...CLOUD, ...run })
    await store(userId, 'workouts', {
      ...{ ...FILE, ...times('10 08:00', '10 08:45'), sport_slug: 'running' },
    })
    await store(userId, 'workouts', {
      ...{ provider: 'manual', source_type: 'app', calendar_date: '2026-02-10' },
      ...{ ...times('10 00:00', '10 00:00'), sport_slug: 'running', duration_active_second: 2600 },
    })
    const expected = [
      ['garmin', 'manual: same_day, times_known', 'strava: same_wall_clock, zone_known'],
    ]
    assert.deepEqual(brief(await merged(userId, 'workouts')), expected)
    await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Europe/Vienna' })
    assert.deepEqual(brief(await merged(userId, 'workouts')), expected)
  })

  test('is not one of another person', async () => {
    const [one, other] = [await salus.makeUser(), await salus.makeUser()]
    const run = { ...CLOUD, ...times('10 07:00', '10 07:45') }
    await store(one, 'workouts', run)
    await store(other, 'workouts', run)
    for (const userId of [one, other]) {
      assert.deepEqual(brief(await merged(userId, 'workouts')), [['garmin']])
    }
    const { sandboxKey } = await salus.makeTeam()
    const url = `/v2/summary/workouts/${one}/merged?start_date=2026-02-01`
    assert.equal((await read(url, sandboxKey)).status, 404)
  })
})

describe('a range', () => {
  test('has the sessions of its days, whatever is read around them', async () => {
    const userId = await salus.makeUser()
    const all: string[] = []
    for (const [year, day] of [
      [2019, 4],
      [2025, 9],
      [2026, 10],
      [2026, 11],
    ] as const) {
      const date = `${year}-02-${String(day).padStart(2, '0')}`
      const at = Date.parse(`${date}T23:40:00Z`)
      const night = { started_at: at, ended_at: at + 6 * 3_600_000, timezone_offset: 0 }
      all.push(await store(userId, 'sleep', { ...CLOUD, ...night, timezone_offset: 0 }))
      const later = { ...night, started_at: at + 600_000 }
      await store(userId, 'sleep', { ...RING, ...later, timezone_offset: 0 })
    }
    const found = async (query: string) =>
      (await merged(userId, 'sleep', query)).map(({ id, merged: { set_aside } }) => {
        assert.equal(set_aside.length, 1)
        return all.indexOf(id)
      })
    assert.deepEqual(await found('start_date=0001-01-01&end_date=9999-12-31'), [0, 1, 2, 3])
    assert.deepEqual(await found('start_date=2019-02-05'), [0, 1, 2, 3])
    assert.deepEqual(await found('start_date=2026-02-11&end_date=2026-02-11'), [2])
    assert.deepEqual(await found('start_date=2026-02-11T05:40:00Z&end_date=2026-02-12'), [2, 3])
    assert.deepEqual(await found('start_date=2026-02-11T05:40:01Z&end_date=2026-02-12'), [3])
    assert.deepEqual(await found('start_date=9999-12-31&end_date=9999-12-31'), [])
    assert.deepEqual(await found('start_date=0001-01-01&end_date=0001-01-02'), [])
    const empty = await salus.makeUser()
    assert.deepEqual(await merged(empty, 'sleep', 'start_date=1990-01-01'), [])
  })
})
