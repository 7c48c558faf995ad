import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAll } from './kill-during-uploads.ts'
import { request, type ServerProcess } from './server-process.ts'
import { createShardFixture, type ShardFixture } from './shard-fixture.ts'

let fixture: ShardFixture
const endings: (() => void)[] = []

before(async () => {
  fixture = await createShardFixture(16)
})
after(async () => {
  for (const end of endings) end()
  await fixture?.close()
})

/** Waits until a move has rows on the new shard; the command takes ten seconds to begin. */
async function untilCopied(): Promise<void> {
  const { pool } = fixture.fleet.database
  const isCopied = async () =>
    (await pool.query('select from shard_moves where rows > 0')).rowCount !== 0
  for (let attempt = 0; !(await isCopied()); attempt += 1) {
    assert.ok(attempt < 1_200, 'no rows are copied')
    await sleep(50)
  }
}

/** The rows that count of all people, as a statement over all shards sees them. */
async function assertCounted(): Promise<void> {
  const least = fixture.load.acknowledgedRows()
  const rows = await fixture.reader.queryRows<{ user_id: string; n: number }>(
    'select user_id, count() as n from samples final group by user_id',
  )
  const counted = new Map(rows.map(({ user_id: userId, n }) => [userId, n]))
  for (const [userId, rowsOfUser] of least) {
    const n = counted.get(userId) ?? 0
    assert.ok(
      n >= rowsOfUser && n <= fixture.load.sentRows(userId),
      `${n} rows, ${rowsOfUser} stored`,
    )
  }
}

/** The last failed requests in the log of a process. */
const failuresOf = (server: ServerProcess): string =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes('request failed'))
    .slice(-3)
    .join('\n')

/** Counts again and again until its end. */
function startCounting(): { end(): Promise<void> } {
  const ending = new AbortController()
  endings.push(() => ending.abort())
  const counting = (async () => {
    while (!ending.signal.aborted) {
      await assertCounted()
      await sleep(50)
    }
  })()
  return {
    async end() {
      ending.abort()
      await counting
    },
  }
}

test('people are moved to an added shard while they upload and are read, and the command is killed', async () => {
  const working = fixture.load.start(() => fixture.api)
  const counting = startCounting()
  const killed = fixture.shards('balance', '')
  await untilCopied()
  killed.child.kill('SIGKILL')
  await killed.ended

  const { code, output } = await fixture.shards('balance', '').ended
  await counting.end()
  const { statuses } = await working.end()
  assert.equal(code, 0, output)
  assert.match(output, /^Moved \d+ people with /m)
  assert.match(output, /^Uploads of a person waited for \d+\.\d+ s at most/m)
  assert.deepEqual(statuses, [200])
  for (const userId of fixture.load.users)
    fixture.load.assertRead(userId, await readAll(fixture.api[0].baseUrl, userId))
  const held = await fixture.heldBy()
  assert.deepEqual(held.flat().toSorted(), fixture.load.users.toSorted(), 'each on one shard')
  assert.ok(
    held.every(({ length }) => length > 0),
    `${held.map(({ length }) => length)}`,
  )
})

test('a shard is emptied while a person is erased, a process is killed and a server of ClickHouse is away', async () => {
  const [erased = '', ...others] = (await fixture.heldBy())[0] ?? []
  const working = fixture.load.start(() => fixture.api, { without: erased })
  const draining = fixture.shards('drain', '', '1')
  await untilCopied()
  const erasure = await request(fixture.api[0].baseUrl, 'POST', `/v2/user/${erased}/erasure`, {})
  assert.equal(erasure.status, 200)
  // It would wait for two minutes, in which it can be cancelled.
  await fixture.fleet.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where task_id =
      (select id from graphile_worker._private_tasks where identifier = 'erase_person')`,
  )
  await fixture.api[1].end('SIGKILL')
  fixture.giveUpWrites()
  fixture.api[1] = await fixture.startApi()
  await fixture.cluster.servers[2]?.kill()
  await sleep(1_000)
  await fixture.cluster.servers[2]?.restart()
  const { code, output } = await draining.ended
  const { statuses } = await working.end()
  assert.equal(code, 0, output)
  assert.ok(statuses.includes(200))
  assert.ok(
    statuses.every((status) => [0, 200, 503].includes(status)),
    `${statuses} ${failuresOf(fixture.api[0])} ${failuresOf(fixture.api[1])}`,
  )
  const held = await fixture.heldBy()
  assert.deepEqual(held[0], [])
  const left = fixture.load.users.filter((userId) => userId !== erased)
  assert.deepEqual(held.flat().toSorted(), left.toSorted(), 'each on one shard')
  assert.ok(others.length > 0)
  for (const userId of left)
    fixture.load.assertRead(userId, await readAll(fixture.api[0].baseUrl, userId))
})
