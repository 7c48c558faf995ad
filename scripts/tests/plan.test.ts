import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ringOf } from './files.ts'
import { chooseShard, planBatches } from './plan.ts'
import { timesOf } from './times.ts'

const quick = Array.from({ length: 60 }, (_, index) => `packages/server/src/quick-${index}.test.ts`)
const system = [
  'packages/web/test/pages.system.test.ts',
  'packages/server/test/kill.system.test.ts',
]
const times = {
  ...Object.fromEntries(quick.map((file, index) => [file, 1 + (index % 7)])),
  'packages/web/test/pages.system.test.ts': 90,
  'packages/server/test/kill.system.test.ts': 15,
}

describe('the plan of a run', () => {
  test('a file says by its name in which ring it is', () => {
    const files = ['a/b.test.ts', 'a/b.system.test.ts', 'a/b.long.test.ts', 'a/system.test.ts']
    assert.deepEqual(files.map(ringOf), ['quick', 'system', 'long', 'quick'])
  })

  test('system tests have a process each, and every file runs once', () => {
    const batches = planBatches([...quick, ...system], times, { concurrency: 3 })
    assert.deepEqual(batches.flatMap(({ files }) => files).sort(), [...quick, ...system].sort())
    for (const file of system) {
      assert.deepEqual(batches.find(({ files }) => files.includes(file))?.files, [file])
    }
    assert.ok(batches.length < 20, `${batches.length}`)
    const one = planBatches(quick, Object.fromEntries(quick.map((file) => [file, 0.1])), {
      concurrency: 1,
    })
    assert.deepEqual(
      one.map(({ files }) => files.length),
      [40, 20],
    )
  })

  test('what takes longest begins first, and the last batches are small', () => {
    const batches = planBatches([...quick, ...system], times, { concurrency: 3 })
    const seconds = batches.map((batch) => batch.seconds)
    assert.deepEqual(
      seconds,
      seconds.toSorted((a, b) => b - a),
    )
    assert.deepEqual(batches[0]?.files, ['packages/web/test/pages.system.test.ts'])
    assert.ok((seconds.at(-1) ?? 0) <= 17, `${seconds}`)
  })

  test('a file that was never measured begins before those that are short', () => {
    const files = ['new.system.test.ts', 'packages/server/test/kill.system.test.ts']
    const [first] = planBatches(files, times, { concurrency: 2 })
    assert.deepEqual(first?.files, ['new.system.test.ts'])
  })

  test('files of campaigns have a process each, whatever their ring', () => {
    const batches = planBatches(quick, times, { concurrency: 2, isCampaign: true })
    assert.equal(batches.length, quick.length)
  })

  test('shards have every file once, and about the same time', () => {
    const shards = ['1/3', '2/3', '3/3'].map((shard) => chooseShard(quick, times, shard))
    assert.deepEqual(shards.flat().sort(), quick.toSorted())
    const sums = shards.map((files) =>
      files.reduce((sum, file) => sum + (times[file as keyof typeof times] ?? 0), 0),
    )
    assert.ok(Math.max(...sums) - Math.min(...sums) <= 7, `${sums}`)
  })

  test('a shard that is none is refused', () => {
    for (const shard of ['0/3', '4/3', '1', 'x/y', '']) {
      assert.throws(() => chooseShard(quick, times, shard), /A shard is written like 1\/3/)
    }
  })
})

test('the times of files are read from what a run printed', () => {
  const output = `   0.4 s  packages/server/src/users.test.ts
   a note of a test: 3.0 s  long
 112.0 s  packages/web/test/pages.system.test.ts
  10.0   12.0  packages/web/test/pages.system.test.ts
5 passed, 0 failed`
  assert.deepEqual(timesOf(output), {
    'packages/server/src/users.test.ts': 0.4,
    'packages/web/test/pages.system.test.ts': 112,
  })
})
