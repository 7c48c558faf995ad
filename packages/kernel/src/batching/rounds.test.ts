import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Rounds } from './rounds.ts'

/** Rounds that each last until `finish` is called. */
function heldRounds() {
  const held: PromiseWithResolvers<void>[] = []
  const rounds = new Rounds(() => {
    const round = Promise.withResolvers<void>()
    held.push(round)
    return round.promise
  })
  const finish = async () => {
    held.at(-1)?.resolve()
    await setImmediate()
  }
  return { rounds, held, finish }
}

test('requests during a round share one further round', async () => {
  const { rounds, held, finish } = heldRounds()
  let ended = 0
  for (let index = 0; index < 5; index++) void rounds.request().then(() => ended++)
  assert.equal(held.length, 1)
  await finish()
  assert.deepEqual([held.length, ended], [2, 0])
  await finish()
  assert.deepEqual([held.length, ended], [2, 5])
  void rounds.request()
  assert.equal(held.length, 3)
})

test('a request at the moment at which the last round ends is followed by a round', async () => {
  let count = 0
  const rounds = new Rounds(async () => {
    count += 1
  })
  for (let wanted = 1; wanted <= 20; wanted++) {
    await rounds.request()
    assert.equal(count, wanted)
  }
})

test('a round that fails is an error of its requests, and the next request runs again', async () => {
  let count = 0
  const rounds = new Rounds(() => {
    count += 1
    return count === 1 ? Promise.reject(new Error('down')) : Promise.resolve()
  })
  await assert.rejects(rounds.request(), /down/)
  await rounds.request()
  assert.equal(count, 2)
})

test('stop waits for the round under way, and no other begins', async () => {
  const { rounds, held, finish } = heldRounds()
  void rounds.request()
  void rounds.request()
  let isStopped = false
  const stopped = rounds.stop().then(() => {
    isStopped = true
  })
  await setImmediate()
  assert.equal(isStopped, false)
  await finish()
  await stopped
  await rounds.request()
  assert.equal(held.length, 1)
})
