import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SERIES } from '@salus/contracts/series'
import { createHarness } from '../../../../server/test/harness.ts'
import { validUpload } from '../../../../server/test/sample-items.ts'
import { changeSettings, storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { findSeriesEvents } from '../ingest.events.ts'

const salus = useFixture(createHarness)

const START = Date.parse('2026-02-10T08:00:00Z')
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()
const PERIOD = 'start_date=2026-01-01&end_date=2026-12-31'
const DATA = /^daily\.data\./

const heartRate = (second: number, value = 70, fields: object = {}) => ({
  value,
  unit: 'bpm',
  start_date: at(second),
  ...fields,
})

async function upload(userId: string, data: object[], fields: object = {}, series = 'heartrate') {
  const body = { stage: 'daily', provider: 'manual', data, ...fields }
  const answer = await salus.call('POST', `/v2/timeseries/${userId}/${series}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const valuesOf = (events: Awaited<ReturnType<typeof storedEvents>>): number[][] =>
  events.map(({ payload }) => payload.data.data.map(({ value }: { value: number }) => value))

describe('an upload raises events', () => {
  test('whose data are what the grouped read answers, for every series', async () => {
    const userId = await salus.makeUser('manual')
    for (const series of SERIES) {
      const url = `/v2/timeseries/${userId}/${series.name}`
      const stored = await salus.call('POST', url, validUpload(series, at(0)))
      assert.equal(stored.status, 200, stored.text)
      const { body } = await salus.call('GET', `${url}/grouped?${PERIOD}`)
      const name = findSeriesEvents(series.name)?.created.name
      const published = (await storedEvents(salus, userId)).filter(
        (event) => event.event_type === name,
      )
      if (name === undefined) continue
      const [group] = body.groups.manual
      assert.deepEqual(
        published.map(({ payload }) => payload.data),
        [{ ...group, user_id: userId }],
        series.name,
      )
    }
    const events = await storedEvents(salus, userId, DATA)
    assert.equal(events.length, SERIES.length - 1)
  })

  test('that name the person and the team around the data', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, [heartRate(0)])
    const [event] = await storedEvents(salus, userId, DATA)
    const { body: user } = await salus.call('GET', `/v2/user/${userId}`)
    const { data: _, ...envelope } = event?.payload ?? {}
    assert.deepEqual(envelope, {
      event_type: 'daily.data.heartrate.created',
      user_id: userId,
      client_user_id: user.client_user_id,
      team_id: salus.teamId,
    })
  })

  test('created on first sight, updated on a change, none for the same again', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, [heartRate(0, 60), heartRate(60, 61)])
    await upload(userId, [heartRate(0, 60), heartRate(60, 61)])
    await upload(userId, [heartRate(0, 65), heartRate(60, 61), heartRate(120, 62)])
    const events = await storedEvents(salus, userId, DATA)
    assert.deepEqual(
      events.map(({ event_type: type }) => type.split('.').at(-1)),
      ['created', 'created', 'updated'],
    )
    assert.deepEqual(valuesOf(events), [[60, 61], [62], [65]])
  })

  test('once for a key that an upload holds twice, with its last value', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, [heartRate(0, 60), heartRate(60, 61), heartRate(0, 66)])
    assert.deepEqual(valuesOf(await storedEvents(salus, userId, DATA)), [[66, 61]])
  })

  test('for each source apart, in order of time', async () => {
    const userId = await salus.makeUser('manual')
    const watch = { type: 'watch' }
    await upload(
      userId,
      [heartRate(60, 2, watch), heartRate(0, 10), heartRate(0, 11, watch)].map((item) => ({
        ...item,
        value: item.value + 50,
      })),
    )
    const events = await storedEvents(salus, userId, DATA)
    const sources = events.map(({ payload }) => payload.data.source.type)
    assert.deepEqual(sources, ['watch', 'unknown'])
    assert.deepEqual(valuesOf(events), [[61, 52], [60]])
  })

  test('of at most 1,000 samples', async () => {
    const userId = await salus.makeUser('manual')
    await upload(
      userId,
      Array.from({ length: 2_001 }, (_, index) => heartRate(index)),
    )
    const events = await storedEvents(salus, userId, DATA)
    assert.deepEqual(
      events.map(({ payload }) => payload.data.data.length),
      [1000, 1000, 1],
    )
  })

  test('of at most 256 KiB', async () => {
    const userId = await salus.makeUser('manual')
    const note = (second: number, length: number) => ({
      value: 'ä'.repeat(length),
      unit: '',
      start_date: at(second),
    })
    const notes = Array.from({ length: 9 }, (_, second) => note(second, 32_000))
    await upload(userId, notes, {}, 'note')
    const events = await storedEvents(salus, userId, DATA)
    assert.deepEqual(
      events.map(({ payload }) => payload.data.data.length),
      [4, 4, 1],
    )
    assert.deepEqual(
      events.map(({ body_bytes: bytes }) => bytes <= 256 * 1024),
      [true, true, true],
    )
  })

  test('in the order of the changes, also for concurrent uploads', async () => {
    const userId = await salus.makeUser('manual')
    const values = Array.from({ length: 30 }, (_, index) => 60 + index)
    await Promise.all(values.map((value) => upload(userId, [heartRate(0, value)])))
    const events = await storedEvents(salus, userId, DATA)
    const published = valuesOf(events).flat()
    assert.equal(events[0]?.event_type, 'daily.data.heartrate.created')
    assert.ok(events.slice(1).every(({ event_type: type }) => type.endsWith('.updated')))
    const read = await salus.call('GET', `/v2/timeseries/${userId}/heartrate/grouped?${PERIOD}`)
    assert.equal(published.at(-1), read.body.groups.manual[0].data[0].value)
  })

  test('not for what is out of bounds or quarantined', async () => {
    const userId = await salus.makeUser('manual')
    await salus.call('PATCH', `/v2/user/${userId}`, { ingestion_start: '2026-02-12' })
    await upload(userId, [heartRate(0), heartRate(86_400, -5), heartRate(86_460, 70)])
    assert.deepEqual(valuesOf(await storedEvents(salus, userId, DATA)), [[70]])
  })
})

describe('history', () => {
  const history = { stage: 'historical', start_date: at(0), end_date: at(3600) }

  test('has one event without samples, after the last chunk', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, [heartRate(0)], { ...history, is_final_chunk: false })
    assert.deepEqual(await storedEvents(salus, userId, /data/), [])
    const later = { ...history, end_date: at(7200), is_final_chunk: true }
    await upload(userId, [heartRate(60)], later)
    const events = await storedEvents(salus, userId, /data/)
    assert.deepEqual(
      events.map(({ payload }) => [payload.event_type, payload.data]),
      [
        [
          'historical.data.heartrate.created',
          {
            user_id: userId,
            start_date: '2026-02-10T08:00:00+00:00',
            end_date: '2026-02-10T10:00:00+00:00',
            provider: 'manual',
            is_final: true,
          },
        ],
      ],
    )
  })

  test('takes the time of its samples where the upload names none', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, [heartRate(60), heartRate(0)], { stage: 'historical' })
    const [event] = await storedEvents(salus, userId, /historical/)
    const { start_date: start, end_date: end } = event?.payload.data ?? {}
    assert.deepEqual([start, end], ['2026-02-10T08:00:00+00:00', '2026-02-10T08:01:00+00:00'])
  })

  const endsOf = async (userId: string) =>
    (await storedEvents(salus, userId, /historical/)).map(({ payload }) => payload.data.end_date)

  test('ends once however often its last chunk is sent', async () => {
    const userId = await salus.makeUser('manual')
    const range = { ...history, start_date: at(-86_400), end_date: at(0) }
    await upload(userId, [heartRate(0)], { ...range, is_final_chunk: false })
    for (let count = 0; count < 3; count += 1) {
      await upload(userId, [heartRate(60)], range)
      salus.clock.advance(20)
    }
    // And the chunk before it.
    await upload(userId, [heartRate(0)], { ...range, is_final_chunk: false })
    assert.equal((await endsOf(userId)).length, 1)
    const url = `/v2/introspect/historical_pull?user_id=${userId}`
    const { pulled } = (await salus.call('GET', url)).body.data[0].provider.manual
    assert.equal(pulled.heartrate.status, 'success')
  })

  test('ends once when its last chunk is sent again before the first was answered', async (t) => {
    const userId = await salus.makeUser('manual')
    const { clock } = salus
    const now = clock.now.bind(clock)
    // Time passes while both are being processed.
    t.mock.method(clock, 'now', () => {
      clock.advance(0.001)
      return now()
    })
    await Promise.all([1, 2, 3].map(() => upload(userId, [heartRate(0)], history)))
    assert.equal((await endsOf(userId)).length, 1)
  })

  test('ends again with what is new, with a later range, and on another connection', async () => {
    const userId = await salus.makeUser('manual')
    const range = { ...history, start_date: at(-86_400), end_date: at(0) }
    await upload(userId, [], range)
    salus.clock.advance(20)
    await upload(userId, [], range)
    assert.equal((await endsOf(userId)).length, 1)
    await upload(userId, [heartRate(-60)], range)
    assert.equal((await endsOf(userId)).length, 2)
    await upload(userId, [heartRate(-60)], { ...range, end_date: at(3600) })
    assert.equal((await endsOf(userId)).length, 3)
    salus.clock.advance(20)
    await salus.call('DELETE', `/v2/user/${userId}/manual`)
    await salus.call('POST', '/v2/link/provider/manual/manual', { user_id: userId })
    await upload(userId, [heartRate(-60)], { ...range, end_date: at(3600) })
    assert.equal((await endsOf(userId)).length, 4)
  })

  test('with a range that ends before it starts is refused', async () => {
    const userId = await salus.makeUser('manual')
    const range = { start_date: at(60), end_date: at(0) }
    const body = { stage: 'historical', provider: 'manual', data: [], ...range }
    const answer = await salus.call('POST', `/v2/timeseries/${userId}/heartrate`, body)
    assert.deepEqual([answer.status, answer.body.detail.error_type], [400, 'invalid_date_range'])
  })

  test('has data events too for a team that wants them', async () => {
    const userId = await salus.makeUser('manual')
    await changeSettings(salus, { push_historical_data: true })
    await upload(userId, [heartRate(0)], history)
    await changeSettings(salus, { push_historical_data: false })
    const types = (await storedEvents(salus, userId, /data/)).map((event) => event.event_type)
    assert.deepEqual(types, ['daily.data.heartrate.created', 'historical.data.heartrate.created'])
  })
})

test('events that the prefixes of the team leave out are kept with that reason', async () => {
  const userId = await salus.makeUser('manual')
  await changeSettings(salus, { event_type_prefixes: ['daily.data.steps', 'historical.'] })
  await upload(userId, [heartRate(0)])
  const steps = { value: 5, unit: 'count', start_date: at(0) }
  await upload(userId, [steps], {}, 'steps')
  await changeSettings(salus, { event_type_prefixes: [] })
  await upload(userId, [heartRate(60)])
  await changeSettings(salus, { event_type_prefixes: null })
  const events = await storedEvents(salus, userId, DATA)
  assert.deepEqual(
    events.map((event) => [event.event_type, event.unsent_reason]),
    [
      ['daily.data.heartrate.created', 'event_type_prefixes'],
      ['daily.data.steps.created', null],
      ['daily.data.heartrate.created', null],
    ],
  )
})
