import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAll } from './kill-during-uploads.ts'
import { createShardFixture } from './shard-fixture.ts'

const ROUNDS = 8
const MOVES = [
  ['balance', ''],
  ['drain', '', '1'],
  ['move', '', '3', '1', '60'],
  ['drain', '', '2'],
]

/** Numbers from 0 to 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

test('people who are moved back and forth lose nothing while something is killed at any moment', async () => {
  const fixture = await createShardFixture(20)
  const { cluster, load, api } = fixture
  const random = createRandom(129)
  fixture.giveUpWrites()
  const working = load.start(() => api)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const move = MOVES[round % MOVES.length] ?? []
      const running = fixture.shards(...move)
      // The command begins to copy after ten seconds.
      await Promise.race([running.ended, sleep(8_000 + random() * 12_000)])
      const victim = Math.floor(random() * 3)
      if (victim === 0) running.child.kill('SIGKILL')
      if (victim === 1) {
        const server = cluster.servers[Math.floor(random() * 3)]
        await server?.kill()
        await sleep(random() * 4_000)
        await server?.restart()
      }
      if (victim === 2) {
        await api[1].end('SIGKILL')
        api[1] = await fixture.startApi()
      }
      const { code, output } = await running.ended
      if (victim === 0) continue
      assert.equal(code, 0, output)
    }
    const { code, output } = await fixture.shards('balance', '').ended
    assert.equal(code, 0, output)
  } finally {
    await working.end()
  }
  for (const userId of load.users) load.assertRead(userId, await readAll(api[0].baseUrl, userId))
  const held = await fixture.heldBy()
  assert.deepEqual(held.flat().toSorted(), load.users.toSorted(), 'each on one shard')
  await fixture.close()
})
