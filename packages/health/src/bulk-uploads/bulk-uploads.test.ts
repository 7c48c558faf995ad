import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  quarantined,
  sendLines,
  sendParquet,
  steps,
  storedRows,
} from '../../../server/test/bulk-uploads/bulk-client.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { changeSettings, storedEvents } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const makeUser = async () => ({ user_id: await salus.makeUser('manual') })
const minutes = (count: number) => Array.from({ length: count }, (_, minute) => minute)

const NOTHING = {
  inserted: 0,
  updated: 0,
  unchanged: 0,
  out_of_bounds: 0,
  put_aside: 0,
  rejected: 0,
}

test('samples of many users are stored from one body, and again change nothing', async () => {
  const users = await Promise.all(minutes(5).map(makeUser))
  const rows = minutes(200).flatMap((minute) => users.map((user) => steps(user, minute)))
  const first = await sendLines(salus, rows)
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(first.body, {
    ...{ success: true, lines: 1000, ...NOTHING, inserted: 1000 },
    problems: [],
  })
  for (const { user_id } of users) assert.equal((await storedRows(salus, user_id)).length, 200)
  const { body: again } = await sendLines(salus, rows)
  assert.deepEqual([again.inserted, again.updated, again.unchanged], [0, 0, 1000])
  const { body: changed } = await sendLines(salus, [steps(users[0] ?? {}, 3, { value: 999 })])
  assert.deepEqual([changed.inserted, changed.updated, changed.unchanged], [0, 1, 0])
})

test('a Parquet file stores the rows that the same lines do', async () => {
  const [lines, table] = [await makeUser(), await makeUser()]
  const rowsOf = (user: object) =>
    minutes(300).map((minute) => steps(user, minute, { timezone_offset: 3600 }))
  assert.equal((await sendLines(salus, rowsOf(lines))).body.inserted, 300)
  const { status, body } = await sendParquet(salus, rowsOf(table))
  assert.equal(status, 200)
  assert.equal(body.inserted, 300)
  assert.deepEqual(await storedRows(salus, table.user_id), await storedRows(salus, lines.user_id))
})

test('a user is also known by the id that the team gave', async () => {
  const { user_id } = await makeUser()
  const { body: user } = await salus.call('GET', `/v2/user/${user_id}`)
  const named = { client_user_id: user.client_user_id }
  const { body } = await sendLines(salus, [
    steps(named, 1),
    steps({ user_id: user_id.toUpperCase() }, 2),
  ])
  assert.equal(body.inserted, 2)
  assert.equal((await storedRows(salus, user_id)).length, 2)
})

test('bad lines are rejected or quarantined with their numbers, and the others stored', async () => {
  const user = await makeUser()
  const unconnected = { user_id: await salus.makeUser() }
  const { body } = await sendLines(salus, [
    steps(user, 1),
    'no JSON',
    '',
    steps({ user_id: randomUUID() }, 1),
    steps({ user_id: "'; drop table users" }, 1),
    steps({ client_user_id: 'nul \0' }, 1),
    steps({}, 1),
    steps(unconnected, 1),
    steps(user, 1, { resource: 'mood' }),
    steps(user, 1, { resource: ['steps'] }),
    steps(user, 2, { value: -5 }),
    steps(user, 2, { unit: 'furlong' }),
    steps(user, 2, { start_date: 'yesterday' }),
    steps(user, 2, { timezone_offset: 90_000 }),
    '[1, 2]',
    '7',
    'null',
    steps(user, 3),
  ])
  assert.deepEqual(body, {
    ...{ success: true, lines: 17, ...NOTHING, inserted: 2, put_aside: 4, rejected: 11 },
    problems: [
      { line: 2, reason: 'invalid_json' },
      { line: 4, reason: 'unknown_user' },
      { line: 5, reason: 'unknown_user' },
      { line: 6, reason: 'unknown_user' },
      { line: 7, reason: 'missing_user' },
      { line: 8, reason: 'not_connected' },
      { line: 9, reason: 'unknown_resource' },
      { line: 10, reason: 'unknown_resource' },
      { line: 11, reason: 'out_of_range' },
      { line: 12, reason: 'unknown_unit' },
      { line: 13, reason: 'invalid_start_date' },
      { line: 14, reason: 'invalid_field' },
      { line: 15, reason: 'missing_user' },
      { line: 16, reason: 'missing_user' },
      { line: 17, reason: 'invalid_json' },
    ],
  })
  assert.deepEqual(await quarantined(salus, user.user_id), [
    'steps invalid_field',
    'steps invalid_start_date',
    'steps out_of_range',
    'steps unknown_unit',
  ])
})

test('at most 100 problems are listed, the first ones', async () => {
  const user = await makeUser()
  const rows = minutes(250).map((minute) => steps(user, minute, { value: 'many' }))
  const { body } = await sendLines(salus, rows)
  assert.equal(body.put_aside, 250)
  assert.deepEqual(
    body.problems.map(({ line }: { line: number }) => line),
    minutes(100).map((index) => index + 1),
  )
})

test('users of another team are unknown', async () => {
  const user = await makeUser()
  const { body: found } = await salus.call('GET', `/v2/user/${user.user_id}`)
  const other = await salus.makeTeam()
  const headers = { 'x-service-api-key': other.sandboxKey }
  const named = [steps(user, 1), steps({ client_user_id: found.client_user_id }, 2)]
  const { status, body } = await sendLines(salus, named, { headers })
  assert.equal(status, 200)
  assert.deepEqual(
    body.problems.map(({ reason }: { reason: string }) => reason),
    ['unknown_user', 'unknown_user'],
  )
  assert.deepEqual(await storedRows(salus, user.user_id), [])
})

test('a blood pressure may have its values side by side or in parts', async () => {
  const [flat, nested] = [await makeUser(), await makeUser()]
  const part = {
    unit: 'mmHg',
    start_date: '2024-03-01T08:00:00+01:00',
    source_bundle: 'com.example',
  }
  const row = { resource: 'blood_pressure' }
  const { body } = await sendLines(salus, [
    { ...flat, ...row, ...part, value: 121, diastolic: 79 },
    {
      ...{ ...nested, ...row },
      systolic: { ...part, value: 121 },
      diastolic: { ...part, value: 79 },
    },
    { ...flat, ...row, ...part, value: 121 },
  ])
  assert.deepEqual([body.inserted, body.put_aside], [2, 1])
  const stored = await storedRows(salus, flat.user_id)
  assert.deepEqual([stored[0]?.value, stored[0]?.diastolic], [121, 79])
  assert.deepEqual(stored, await storedRows(salus, nested.user_id))
})

test('a row has its own offset or zone, and the offset decides', async () => {
  const user = await makeUser()
  await sendLines(salus, [
    steps(user, 1, { timezone_offset: -18_000 }),
    steps(user, 2, { time_zone: 'Europe/Vienna' }),
    steps(user, 3, { time_zone: 'Europe/Vienna', timezone_offset: 7200 }),
    steps(user, 4, { start_date: '2024-03-01T10:00:00+05:30', end_date: null }),
    steps(user, 5),
  ])
  const stored = await storedRows(salus, user.user_id)
  const offsets = stored.map((row) => row.timezone_offset)
  assert.deepEqual(offsets.sort(), [-18_000, 19_800, 3600, 7200, null].sort())
})

test('readings of one instant stay apart, as in an upload', async () => {
  const user = await makeUser()
  const reading = {
    ...user,
    resource: 'glucose',
    unit: 'mmol/L',
    start_date: '2024-03-01T08:00:00Z',
  }
  const rows = [
    { ...reading, value: 5.5 },
    { ...reading, value: 6.5 },
  ]
  assert.equal((await sendLines(salus, rows)).body.inserted, 2)
  assert.equal((await sendLines(salus, rows)).body.unchanged, 2)
})

test('a history has one event for each user and resource, and none when it is repeated', async () => {
  const users = [await makeUser(), await makeUser()]
  const rows = users.flatMap((user) => [
    steps(user, 5),
    steps(user, 1),
    { ...steps(user, 1), resource: 'heartrate', unit: 'bpm', value: 61 },
  ])
  for (const isRepeated of [false, true]) {
    const { body } = await sendLines(salus, rows)
    assert.equal(body.unchanged, isRepeated ? 6 : 0)
    for (const { user_id } of users) {
      const events = await storedEvents(salus, user_id, /data/)
      assert.deepEqual(events.map((event) => event.event_type).sort(), [
        'historical.data.heartrate.created',
        'historical.data.steps.created',
      ])
      const history = events.find(({ event_type: type }) => type.includes('steps'))
      const { start_date, end_date } = history?.payload.data ?? {}
      assert.equal(start_date, '2024-03-01T00:01:00+00:00')
      assert.equal(end_date, '2024-03-01T00:06:00+00:00')
    }
  }
})

test('daily samples, and history of a team that wants them, have events about the data', async () => {
  const [daily, wanted] = [await makeUser(), await makeUser()]
  await sendLines(salus, [steps(daily, 1)], { query: '?stage=daily' })
  const ofDaily = await storedEvents(salus, daily.user_id, /data/)
  assert.deepEqual(
    ofDaily.map((event) => event.event_type),
    ['daily.data.steps.created'],
  )
  await changeSettings(salus, { push_historical_data: true })
  await sendLines(salus, [steps(wanted, 1)])
  await changeSettings(salus, { push_historical_data: false })
  const ofWanted = await storedEvents(salus, wanted.user_id, /data/)
  assert.equal(ofWanted.length, 2)
})

test('samples outside the bounds of their user are dropped and counted', async () => {
  const created = await salus.call('POST', '/v2/user', {
    client_user_id: randomUUID(),
    ingestion_start: '2024-03-02',
  })
  const user = { user_id: created.body.user_id }
  await salus.call('POST', '/v2/link/provider/manual/manual', user)
  const { body } = await sendLines(salus, [
    steps(user, 60, { timezone_offset: 0 }),
    steps(user, 3000),
  ])
  assert.deepEqual([body.inserted, body.out_of_bounds], [1, 1])
})

test('the provider is that of the query, and its users are connected to it', async () => {
  const user = { user_id: await salus.makeUser('health_connect') }
  const refused = await sendLines(salus, [steps(user, 1)])
  assert.equal(refused.body.problems[0].reason, 'not_connected')
  const { body } = await sendLines(salus, [steps(user, 1)], { query: '?provider=health_connect' })
  assert.equal(body.inserted, 1)
  const unknown = await sendLines(salus, [steps(user, 1)], { query: '?provider=fitbit' })
  assert.equal(unknown.status, 422)
})

test('the devices of rows are those of uploads', async () => {
  const user = await makeUser()
  const device = { product_type: 'Watch6,1', metadata: { _DMA: 'Example' } }
  await sendLines(salus, [steps(user, 1, device), steps(user, 2, device)])
  const { body } = await salus.call('GET', `/v2/user/${user.user_id}/device`)
  assert.deepEqual(
    body.map(({ device_model: model }: { device_model: string }) => model),
    ['Watch6,1'],
  )
})
