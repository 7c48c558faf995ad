import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { DataChange } from '@salus/kernel/data-changes'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import {
  createSummaryFixture,
  createTestIngest,
  type SummaryFixture,
} from '../../../../server/test/ingest-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { plainSummary } from '../../../../server/test/summaries/plain-summary.ts'
import { makePublishedOwner } from '../../../../server/test/summaries/published-owner.ts'
import type { Ingest } from '../../ingest/index.ts'
import { summaryId } from '../summary-id.ts'
import {
  COMMON_HEAD,
  COMMON_TAIL,
  SUMMARY_RESOURCES,
  SUMMARY_TABLES,
  type SummaryColumnType,
} from '../summary-tables.registry.ts'
import { eraseSummaries } from './stored-summaries.repository.ts'
import { findStoredWorkoutStreams } from './workout-streams.repository.ts'

let salus: Harness
let ingest: Ingest
let writer: SummaryFixture
let received: DataChange[] = []
before(async () => {
  salus = await createHarness()
  const listener = {
    willStore: async (changes: readonly DataChange[]) => {
      received.push(...changes)
    },
  }
  ingest = createTestIngest({ ...salus.dependencies, listener })
  writer = createSummaryFixture(ingest, salus.dependencies)
})
after(async () => {
  await ingest.idle()
  await salus.close()
})

const newOwner = () => ({ environmentId: randomUUID(), userId: randomUUID(), provider: 'manual' })

describe('the tables of summaries', () => {
  const COMMON: Record<string, string> = {
    environment_id: 'UUID',
    user_id: 'UUID',
    id: 'UUID',
    provider: 'LowCardinality(String)',
    source_type: 'LowCardinality(String)',
    app_id: 'LowCardinality(String)',
    device_model: 'LowCardinality(String)',
    external_id: 'String',
    calendar_date: 'Nullable(Date32)',
    started_at: "DateTime64(3, 'UTC')",
    ended_at: "DateTime64(3, 'UTC')",
    timezone_offset: 'Nullable(Int32)',
    time_zone: 'LowCardinality(String)',
    raw: 'String',
    content_hash: 'UInt64',
    created_at: "DateTime64(3, 'UTC')",
    updated_at: "DateTime64(3, 'UTC')",
    version: 'UInt64',
    is_removed: 'UInt8',
  }
  const TYPES: Record<SummaryColumnType, string> = {
    integer: 'Nullable(Int64)',
    number: 'Nullable(Float64)',
    boolean: 'Nullable(Bool)',
    text: 'LowCardinality(Nullable(String))',
    long_text: 'Nullable(String)',
    date: 'Nullable(Date32)',
    json: 'String',
    integers: 'Array(Int32)',
  }

  test('have the columns that the registry says, in its order', async () => {
    for (const resource of SUMMARY_RESOURCES) {
      const { table, columns } = SUMMARY_TABLES[resource]
      const stored = await salus.clickhouse.queryRows(
        `select name, type from system.columns
        where database = currentDatabase() and table = {table:String} order by position`,
        { table },
      )
      const common = (name: string) => ({ name, type: COMMON[name] })
      assert.deepEqual(stored, [
        ...COMMON_HEAD.map(common),
        ...Object.entries(columns).map(([name, type]) => ({ name, type: TYPES[type] })),
        ...COMMON_TAIL.map(common),
      ])
    }
  })
})

const DAY_START = Date.parse('2026-02-10T00:00:00Z')

test('listeners receive the times before and after a change, and nothing else', async () => {
  const owner = newOwner()
  const { environmentId, userId } = owner
  const night = plainSummary('sleep', { startedAt: DAY_START, endedAt: DAY_START + 1000 })
  const day = plainSummary('activity', { calendarDate: '2026-02-10' })
  received = []
  await writer.write(owner, [night, day])
  const hours = (count: number) => count * HOUR_MS
  assert.deepEqual(received, [
    { environmentId, userId, resource: 'sleep', from: DAY_START, to: DAY_START + 1000 },
    {
      environmentId,
      userId,
      resource: 'activity',
      from: DAY_START - hours(15),
      to: DAY_START + hours(39) - 1,
    },
  ])
  received = []
  await writer.write(owner, [night])
  assert.deepEqual(received, [])
  const moved = { ...night, startedAt: DAY_START + hours(72), endedAt: DAY_START + hours(72) }
  await writer.write(owner, [moved])
  await writer.remove(owner, 'sleep', [summaryId(owner, moved)])
  assert.deepEqual(
    received.map(({ from, to }) => [from - DAY_START, to - DAY_START]),
    [
      [0, 1000],
      [hours(72), hours(72)],
      [hours(72), hours(72)],
    ],
  )
})

const START = Date.parse('2026-02-10T08:00:00Z') / 1000
const stream = (heartrate: (number | null)[], fields: object = {}) => ({
  time: heartrate.map((_, index) => START + index),
  heartrate,
  ...fields,
})
async function read(owner: ReturnType<typeof newOwner>, workoutId: string) {
  const people = {
    environmentIds: new Set([owner.environmentId]),
    userIds: new Set([owner.userId]),
  }
  const [row] = await findStoredWorkoutStreams(salus.clickhouse, people, [workoutId])
  return row
}

test('a stream comes back as it was, and the same again is not written', async () => {
  const owner = newOwner()
  const id = randomUUID()
  const recorded = stream([120, null, 122], { lat: [52.52000001, -1e-7, Number.NaN], power: [] })
  const first = await writer.writeStreams(owner, new Map([[id, recorded]]))
  assert.deepEqual(first, { inserted: 1, updated: 0, unchanged: 0 })
  const stored = await read(owner, id)
  assert.deepEqual(stored?.time, recorded.time)
  assert.deepEqual(stored?.heartrate, [120, null, 122])
  assert.deepEqual(stored?.lat, [52.52000001, -1e-7, null])
  assert.deepEqual([stored?.power, stored?.cadence], [[], []])
  const again = await Promise.all([
    writer.writeStreams(owner, new Map([[id, recorded]])),
    writer.writeStreams(owner, new Map([[id, stream([125])]])),
    writer.writeStreams(owner, new Map([[id, stream([125])]])),
  ])
  assert.deepEqual(
    again.map(({ updated, unchanged }) => [updated, unchanged]),
    [
      [0, 1],
      [1, 0],
      [0, 1],
    ],
  )
  assert.deepEqual((await read(owner, id))?.heartrate, [125])
})

test('many at once are all there, each with its person', async () => {
  const owners = [newOwner(), newOwner()] as const
  const ids = Array.from({ length: 120 }, () => randomUUID())
  await Promise.all(
    owners.map((owner, index) =>
      writer.writeStreams(owner, new Map(ids.map((id) => [id, stream([index])]))),
    ),
  )
  const counted = await salus.clickhouse.queryRows(
    `select count() as n, sum(heartrate[1]) as total from workout_streams
    where user_id in {users:Array(UUID)}`,
    { users: owners.map(({ userId }) => userId) },
  )
  assert.deepEqual(counted, [{ n: 240, total: 120 }])
})

test('an event about a stream has its address, also when the process ended before', async () => {
  const { owner, publication } = await makePublishedOwner(salus)
  const { pool } = salus.database
  const workout = plainSummary('workouts')
  const id = summaryId(owner, workout)
  await writer.write(owner, [workout])
  await writer.writeStreams(owner, new Map([[id, stream([120])]]), publication)
  await writer.writeStreams(owner, new Map([[id, stream([120])]]), publication)
  await writer.writeStreams(owner, new Map([[id, stream([121])]]), publication)
  const events = await storedEvents(salus, owner.userId, /workout_stream/)
  assert.deepEqual(
    events.map(({ event_type: type }) => type),
    ['daily.data.workout_stream.created', 'daily.data.workout_stream.updated'],
  )
  const { source, sport, ...rest } = events[0]?.payload.data ?? {}
  assert.deepEqual(rest, {
    user_id: owner.userId,
    workout_id: id,
    provider_id: workout.recordId,
    message: `Read the stream from GET /v2/timeseries/workouts/${id}/stream.`,
  })
  assert.deepEqual([source.provider, sport.slug], ['health_connect', 'running'])

  await pool.query(`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no events today'; end $$`)
  await pool.query('create trigger refuse before insert on events execute function refuse()')
  await pool.query('delete from waiting_events')
  await assert.rejects(writer.writeStreams(owner, new Map([[id, stream([122])]]), publication))
  await pool.query('drop trigger refuse on events')
  await ingest.recover({ olderThanMs: 0 })
  assert.equal((await storedEvents(salus, owner.userId, /workout_stream/)).length, 3)
})

test('erasing takes everything of one person and nothing of another', async () => {
  const [one, two] = [newOwner(), newOwner()] as const
  const summaries = SUMMARY_RESOURCES.map((resource) => plainSummary(resource))
  for (const owner of [one, two]) {
    await writer.write(owner, summaries)
    await writer.writeStreams(owner, new Map([[randomUUID(), stream([120])]]))
  }
  await eraseSummaries(salus.clickhouse, [one])
  await eraseSummaries(salus.clickhouse, [{ ...one, userId: randomUUID() }])
  const tables = await salus.clickhouse.queryRows<{ name: string }>(
    `select name from system.tables where database = currentDatabase()
    and (name like '%_summaries' or name = 'workout_streams')`,
  )
  assert.equal(tables.length, SUMMARY_RESOURCES.length + 1)
  for (const { name } of tables) {
    const left = await salus.clickhouse.queryRows(
      `select user_id from ${name} where user_id in {users:Array(UUID)}`,
      { users: [one.userId, two.userId] },
    )
    assert.deepEqual(left, [{ user_id: two.userId }], name)
  }
})
