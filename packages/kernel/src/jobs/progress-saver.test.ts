import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '../log.ts'
import { createProgressSaver } from './progress-saver.ts'

const log = createLogger('silent')

test('the first progress is saved at once, and what follows soon is not', async () => {
  const saved: number[] = []
  const saver = createProgressSaver<number>(log, async (progress) => {
    saved.push(progress)
  })
  assert.equal(await saver.latest(), undefined)
  saver.offer(1)
  saver.offer(2)
  assert.equal(await saver.latest(), 2)
  assert.deepEqual(saved, [1])
  await sleep(510)
  saver.offer(3)
  assert.equal(await saver.latest(), 3)
  assert.deepEqual(saved, [1, 3])
})

test('a save that takes long is the only one, and latest waits for it', async () => {
  const held = Promise.withResolvers<void>()
  let count = 0
  const saver = createProgressSaver<number>(log, () => {
    count += 1
    return held.promise
  })
  saver.offer(1)
  await sleep(510)
  saver.offer(2)
  let isOver = false
  const latest = saver.latest().then((last) => {
    isOver = true
    return last
  })
  await sleep(5)
  assert.deepEqual([count, isOver], [1, false])
  held.resolve()
  assert.equal(await latest, 2)
})

test('a save that fails is no error', async () => {
  const saver = createProgressSaver<number>(log, () => Promise.reject(new Error('away')))
  saver.offer(1)
  assert.equal(await saver.latest(), 1)
})
