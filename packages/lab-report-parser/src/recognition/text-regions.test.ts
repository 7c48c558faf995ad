import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findTextRegions } from './text-regions.ts'

const options = { threshold: 0.3, minimumScore: 0.5, growth: 0 }

/** A map of 200 × 100 that is 0.9 where a place is within. */
function drawMap(isWithin: (x: number, y: number) => boolean): Float32Array {
  return Float32Array.from({ length: 200 * 100 }, (_, index) =>
    isWithin((index % 200) + 0.5, Math.floor(index / 200) + 0.5) ? 0.9 : 0.05,
  )
}

test('Two pieces of text are two rectangles, and a speck is none', () => {
  const map = drawMap(
    (x, y) => (y > 10 && y < 20 && ((x > 10 && x < 60) || (x > 80 && x < 90))) || (x < 1 && y < 1),
  )
  const regions = findTextRegions(map, 200, 100, options).sort((a, b) => a.x - b.x)
  assert.deepEqual(
    regions.map(({ x, y, width, height, angle }) => [x, y, width, height, angle]),
    [
      [35, 15, 50, 10, 0],
      [85, 15, 10, 10, 0],
    ],
  )
})

test('A turned line is a turned rectangle', () => {
  const angle = 0.1
  const map = drawMap((x, y) => {
    const along = (x - 100) * Math.cos(angle) + (y - 50) * Math.sin(angle)
    const across = (y - 50) * Math.cos(angle) - (x - 100) * Math.sin(angle)
    return Math.abs(along) < 70 && Math.abs(across) < 8
  })
  const [region, ...others] = findTextRegions(map, 200, 100, options)
  assert.equal(others.length, 0)
  assert.ok(region)
  assert.ok(Math.abs(region.angle - angle) < 0.02)
  assert.ok(Math.abs(region.width - 140) < 4 && Math.abs(region.height - 16) < 4)
})

test('Parts that meet further down are one piece of text', () => {
  const map = drawMap(
    (x, y) =>
      (y > 10 && y < 40 && (x < 20 || (x > 100 && x < 120))) || (y >= 40 && y < 50 && x < 120),
  )
  assert.equal(findTextRegions(map, 200, 100, options).length, 1)
})
