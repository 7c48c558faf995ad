import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openClickHouseCluster } from '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
import { ENVIRONMENT } from '../../cli/src/testing/salus-command.ts'
import { startTestCluster, type TestCluster } from './clickhouse-cluster.ts'
import { makeUser, readAll, samples } from './kill-during-uploads.ts'
import { createFleet, type Fleet } from './processes/fleet.ts'
import { request, type ServerProcess } from './server-process.ts'

const SHARDS = fileURLToPath(new URL('../bin/shards.mjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'salus-shards-'))
let cluster: TestCluster
let fleet: Fleet
let api: ServerProcess[] = []
let reader: ClickHouse

const settingsOf = (shards: number): Record<string, string> => ({
  CLICKHOUSE_URL: cluster.urls
    .slice(0, shards)
    .map((url) => `${url}/salus`)
    .join(','),
  CLICKHOUSE_CLUSTER: `shards_${shards}`,
})

before(async () => {
  cluster = await startTestCluster(3, { hasRelays: true })
  fleet = await createFleet()
  api = [await fleet.start('api,worker', settingsOf(2)), await fleet.start('api', settingsOf(2))]
})
after(async () => {
  await reader?.close()
  await fleet?.close()
  await cluster?.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts "salus shards" on three shards. */
function startShards(...values: string[]) {
  const child = spawn(process.execPath, [SHARDS, directory, ...values], {
    env: { ...ENVIRONMENT, ...fleet.settings, ...settingsOf(3) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code, output }))
  return { child, ended }
}

const users: string[] = []
/** Samples that were sent of each person, by number. */
const sent = new Map<string, number>()
const BATCH = 30

async function uploadNext(server: ServerProcess, userId: string): Promise<void> {
  const first = sent.get(userId) ?? 0
  sent.set(userId, first + BATCH)
  const body = { stage: 'daily', provider: 'manual', data: samples(first, BATCH) }
  const path = `/v2/timeseries/${userId}/steps`
  const { status } = await request(server.baseUrl, 'POST', path, body)
  assert.equal(status, 200)
}

/** People on each server. */
const heldBy = () =>
  Promise.all(
    (reader.cluster?.servers ?? []).map(async (server) => {
      const rows = await server.queryRows<{ user_id: string }>(
        'select distinct user_id from samples order by user_id',
      )
      return rows.map((row) => row.user_id)
    }),
  )

test('people are moved to an added shard while they upload and read', async () => {
  const [first, second] = api as [ServerProcess, ServerProcess]
  for (let index = 0; index < 30; index += 1) {
    const userId = await makeUser(first.baseUrl, `person-${index}`)
    users.push(userId)
    await uploadNext(first, userId)
  }
  await Promise.all(api.map((server) => server.end('SIGTERM')))
  api = [await fleet.start('api,worker', settingsOf(3)), await fleet.start('api', settingsOf(3))]
  reader = await openClickHouseCluster({
    urls: settingsOf(3).CLICKHOUSE_URL?.split(',') ?? [],
    cluster: 'shards_3',
  })
  let isEnding = false
  let slowest = 0
  const load = users.map(async (userId, index) => {
    for (let turn = 0; !isEnding; turn += 1) {
      const before = performance.now()
      await uploadNext(api[(index + turn) % 2] as ServerProcess, userId)
      slowest = Math.max(slowest, performance.now() - before)
      const found = await readAll((api[(index + turn + 1) % 2] as ServerProcess).baseUrl, userId)
      assert.equal(found.size, sent.get(userId))
      await sleep(200)
    }
  })
  const t0 = performance.now()
  const counting = (async () => {
    let looks = 0
    for (; !isEnding; looks += 1) {
      const least = new Map(users.map((userId) => [userId, (sent.get(userId) ?? 0) - BATCH]))
      const rows = await reader.queryRows<{ user_id: string; n: number }>(
        'select user_id, count() as n from samples final group by user_id',
      )
      assert.equal(rows.length, users.length)
      for (const { user_id: userId, n } of rows) {
        assert.ok(n >= (least.get(userId) ?? 0) && n <= (sent.get(userId) ?? 0), `${n} rows`)
      }
      await sleep(20)
    }
    return looks
  })()
  const { code, output } = await startShards('balance', '').ended
  isEnding = true
  await Promise.all(load)
  console.log(output, { slowest, looks: await counting })
  assert.equal(code, 0, output)
  const held = await heldBy()
  console.log(held.map(({ length }) => length))
  assert.deepEqual(held.flat().toSorted(), users.toSorted())
  assert.ok(held.every(({ length }) => length > 5))
  assert.equal(second.child.exitCode, 0)
})
