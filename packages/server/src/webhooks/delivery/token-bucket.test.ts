import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TokenBucket } from './token-bucket.ts'

function makeBucket(perSecond: number) {
  let now = 5_000
  const bucket = new TokenBucket(perSecond, () => now)
  const takeAll = (): number => {
    let count = 0
    while (bucket.takeToken() === 'taken') count += 1
    return count
  }
  const wait = (milliseconds: number): void => {
    now += milliseconds
  }
  return { bucket, takeAll, wait }
}

describe('a token bucket', () => {
  test('gives at once what it gives in a second, and no more', () => {
    for (const perSecond of [1, 3, 100_000]) {
      assert.equal(makeBucket(perSecond).takeAll(), perSecond)
    }
  })

  test('says how long it takes until the next token', () => {
    const { bucket, takeAll, wait } = makeBucket(4)
    takeAll()
    assert.equal(bucket.takeToken(), 250)
    wait(100)
    assert.equal(Math.round(Number(bucket.takeToken())), 150)
    wait(150)
    assert.equal(bucket.takeToken(), 'taken')
  })

  test('forgives a timer that fires a hair too early', () => {
    const { bucket, takeAll, wait } = makeBucket(1)
    takeAll()
    wait(999.5)
    assert.equal(bucket.takeToken(), 'taken')
    const again = Number(bucket.takeToken())
    assert.ok(again > 1_000, 'what was forgiven is missing from the next one')
  })

  test('asking in vain costs nothing', () => {
    const { bucket, takeAll, wait } = makeBucket(2)
    takeAll()
    for (let asked = 0; asked < 1_000; asked += 1) assert.notEqual(bucket.takeToken(), 'taken')
    wait(500)
    assert.equal(bucket.takeToken(), 'taken')
  })

  test('saves up no more than a second', () => {
    const { takeAll, wait } = makeBucket(5)
    takeAll()
    wait(3_600_000)
    assert.equal(takeAll(), 5)
  })

  test('keeps its rate in the long run, at whatever times tokens are taken', () => {
    const { takeAll, wait } = makeBucket(7)
    let taken = takeAll() - 7
    for (let step = 0; step < 1_000; step += 1) {
      wait(37 + (step % 11))
      taken += takeAll()
    }
    const seconds = (37 * 1_000 + 4_990) / 1_000
    assert.ok(Math.abs(taken - seconds * 7) <= 2, String(taken))
  })
})
