import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BucketSize,
  type PlannedMove,
  planBalance,
  planDrain,
  planPart,
} from './plan-moves.ts'

/** Buckets of shards, 100 bytes each. */
const sizesOf = (...counts: number[]): BucketSize[] =>
  counts.flatMap((count, shard) =>
    Array.from({ length: count }, (_, byte) => ({ bucket: shard * 256 + byte, shard, bytes: 100 })),
  )

/** Bytes of each shard after the moves. */
function after(sizes: readonly BucketSize[], moves: readonly PlannedMove[], shards: number) {
  const moved = new Map(moves.flatMap(({ buckets, to }) => buckets.map((bucket) => [bucket, to])))
  const held = Array<number>(shards).fill(0)
  for (const { bucket, shard, bytes } of sizes) {
    const now = moved.get(bucket) ?? shard
    held[now] = (held[now] ?? 0) + bytes
  }
  return held
}

test('a balance fills an added shard from all others, and moves no more than its share', () => {
  const sizes = sizesOf(90, 90, 0)
  const moves = planBalance(sizes, [1, 1, 1])
  const held = after(sizes, moves, 3)
  for (const bytes of held) assert.ok(Math.abs(bytes - 6_000) <= 300, `${held}`)
  assert.ok(moves.every(({ to }) => to === 2))
  assert.ok(moves.reduce((sum, { bytes }) => sum + bytes, 0) <= 6_000)
})

test('a balance follows the shares, and leaves even shards alone', () => {
  assert.deepEqual(planBalance(sizesOf(50, 51), [1, 1]), [])
  assert.deepEqual(planBalance([], [1, 1, 1]), [])
  const sizes = sizesOf(60, 60)
  const [first = 0, second = 0] = after(sizes, planBalance(sizes, [1, 3]), 2)
  assert.ok(Math.abs(first - 3_000) <= 200 && Math.abs(second - 9_000) <= 200)
  assert.deepEqual(after(sizes, planBalance(sizes, [0, 1]), 2), [0, 12_000])
})

test('a bucket that is larger than its shard is moved only where that helps', () => {
  const large = [{ bucket: 1, shard: 0, bytes: 1_000 }]
  assert.deepEqual(planBalance(large, [1, 1]), [])
})

test('a drain moves every bucket of a shard, those without people and those that came from elsewhere too', () => {
  const sizes = [...sizesOf(20, 20, 30), { bucket: 300, shard: 0, bytes: 500 }]
  const moves = planDrain(sizes, 0, [1, 2])
  const buckets = moves.flatMap((move) => move.buckets)
  assert.equal(new Set(buckets).size, 257)
  assert.equal(buckets.length, 257)
  const [first, second = 0, third = 0] = after(sizes, moves, 3)
  assert.equal(first, 0)
  assert.ok(Math.abs(second - third) <= 500)
  assert.ok(moves.every((move) => move.buckets.length <= (move.bytes === 0 ? 64 : 16)))
})

test('a part of a shard is moved in whole buckets', () => {
  const moves = planPart(sizesOf(40, 10), { from: 0, to: 1, percent: 25 })
  assert.deepEqual(
    moves.map(({ from, to, bytes }) => [from, to, bytes]),
    [[0, 1, 1_000]],
  )
})
