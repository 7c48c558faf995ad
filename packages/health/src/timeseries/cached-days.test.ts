import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createHarness } from '../../../server/test/harness.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { makeOwner } from '../../../server/test/timeseries/sample-source.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { beginWrite, dayCacheJobs } from '../day-cache/index.ts'

const salus = useFixture(createHarness)

const AT = Date.parse('2026-02-10T08:00:00Z')
const DAY = 'start_date=2026-02-10&end_date=2026-02-10'

const values = async (userId: string, query = DAY): Promise<number[]> => {
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${query}`)
  return Object.values(body.groups as Record<string, { data: { value: number }[] }[]>)
    .flat()
    .flatMap(({ data }) => data.map(({ value }) => value))
}

/** A person with a sample whose day has been read often enough for a copy. */
async function makeReader() {
  const owner = await makeOwner(salus)
  await owner.write([plainSample({ startedAt: AT, value: 1 })])
  for (let time = 0; time < 2; time++) assert.deepEqual(await values(owner.userId), [1])
  return owner
}

/** Removes the samples behind the back of the service, so that only a copy has them. */
async function emptyClickHouse(userId: string): Promise<void> {
  await salus.clickhouse.command(
    'alter table samples delete where user_id = {userId:UUID} settings mutations_sync = 1',
    { userId },
  )
}

const emptyCopies = (userId: string) =>
  salus.database.pool.query(
    "update cached_days set content = null, additions = '' where user_id = $1",
    [userId],
  )

async function changesOf(userId: string) {
  const { rows } = await salus.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  return [{ environmentId: rows[0].environment_id, userId, resource: 'steps', from: AT, to: AT }]
}

async function clean(): Promise<void> {
  const { handlers } = dayCacheJobs(salus.dependencies)
  await handlers.clean_day_cache?.({}, new AbortController().signal, {
    isLast: false,
  })
}

test('a day that is read again is answered from its copy, to which writes add', async () => {
  const { userId, write } = await makeReader()
  await emptyClickHouse(userId)
  assert.deepEqual(await values(userId), [1])
  await write([plainSample({ startedAt: AT + MINUTE_MS, value: 2 })])
  await write([plainSample({ startedAt: AT + DAY_MS, value: 9 })])
  assert.deepEqual(await values(userId), [1, 2])
  // Part of a day, and a day of which there is no copy.
  assert.deepEqual(await values(userId, 'start_date=2026-02-10T08:01:00Z&end_date=2026-02-10'), [2])
  assert.deepEqual(await values(userId, 'start_date=2026-02-11&end_date=2026-02-11'), [9])
})

test('many small writes leave one copy, whose additions are merged when it is read', async () => {
  const { userId, write } = await makeReader()
  for (let minute = 0; minute < 60; minute++) {
    await write([plainSample({ startedAt: AT + minute * MINUTE_MS, value: 100 + minute })])
  }
  const size = async (): Promise<number> => {
    const { rows } = await salus.database.pool.query(
      'select length(additions) as size from cached_days where user_id = $1',
      [userId],
    )
    return rows[0].size
  }
  assert.ok((await size()) > 8_192)
  const expected = Array.from({ length: 60 }, (_, minute) => 100 + minute)
  assert.deepEqual(await values(userId), expected)
  assert.equal(await size(), 0)
  await emptyClickHouse(userId)
  assert.deepEqual(await values(userId), expected)
})

test('a copy that is written much and not read becomes invalid, and a day of many samples has none', async () => {
  const { userId, write } = await makeReader()
  for (let hour = 0; hour < 5; hour++) {
    const first = AT + hour * 60 * MINUTE_MS
    const minutes = Array.from({ length: 900 }, (_, second) => first + second * 1000)
    await write(minutes.map((startedAt) => plainSample({ startedAt, value: 7 })))
  }
  const contents = async () => {
    const { rows } = await salus.database.pool.query(
      'select content, additions from cached_days where user_id = $1',
      [userId],
    )
    return rows
  }
  assert.deepEqual(await contents(), [{ content: null, additions: Buffer.alloc(0) }])
  assert.equal((await values(userId)).length, 4500)
  assert.ok((await contents())[0].content)
  await write(
    Array.from({ length: 10_000 }, (_, index) =>
      plainSample({ startedAt: AT - (index + 1) * 1000, value: 8 }),
    ),
  )
  for (let time = 0; time < 2; time++) {
    await emptyCopies(userId)
    // One page.
    assert.equal((await values(userId)).length, 10_000)
  }
  assert.equal((await contents())[0].content, null)
})

test('days are read from ClickHouse while a write to them is open, and after it is given up', async () => {
  const { userId } = await makeReader()
  const changes = await changesOf(userId)
  const crashed = await beginWrite({ db: salus.dependencies.db, clock: salus.clock }, changes)
  await salus.clickhouse.command(
    'alter table samples update value = 5 where user_id = {userId:UUID} settings mutations_sync = 1',
    { userId },
  )
  for (let time = 0; time < 3; time++) assert.deepEqual(await values(userId), [5])
  salus.clock.advance(11 * 60)
  await clean()
  for (let time = 0; time < 3; time++) assert.deepEqual(await values(userId), [5])
  // One that was not dead after all makes copies invalid that were made meanwhile.
  await emptyClickHouse(userId)
  assert.deepEqual(await values(userId), [5])
  await crashed.end([])
  assert.deepEqual(await values(userId), [])
})

test('a write that fails leaves its days to ClickHouse', async () => {
  const { userId, write } = await makeReader()
  const { clickhouse } = salus
  const insert = clickhouse.insert
  clickhouse.insert = async () => {
    throw new Error('no disk')
  }
  await assert.rejects(write([plainSample({ startedAt: AT + MINUTE_MS, value: 2 })]), /no disk/)
  clickhouse.insert = insert
  await emptyClickHouse(userId)
  assert.deepEqual(await values(userId), [])
})

test('an unread copy is removed after three days', async () => {
  const { userId } = await makeReader()
  const count = async (): Promise<number> => {
    const { rows } = await salus.database.pool.query(
      'select count(*)::int as count from cached_days where user_id = $1',
      [userId],
    )
    return rows[0].count
  }
  salus.clock.advance(2 * 86_400)
  await values(userId)
  salus.clock.advance(2 * 86_400)
  await clean()
  assert.equal(await count(), 1)
  salus.clock.advance(2 * 86_400)
  await clean()
  assert.equal(await count(), 0)
  assert.deepEqual(await values(userId), [1])
})
