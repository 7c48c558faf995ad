import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { locateField } from './evidence.ts'
import { composeMaps, moveMap, scaleMap } from './image/homography.ts'

describe('places of fields on the page as uploaded', () => {
  const box = { x: 100, y: 50, width: 200, height: 20 }

  test('are parts of the page, clockwise from the upper left corner', () => {
    const page = { toSource: null, sourceSize: { width: 1000, height: 500 } }
    assert.deepEqual(locateField({ box }, page), [
      { x: 0.1, y: 0.1 },
      { x: 0.3, y: 0.1 },
      { x: 0.3, y: 0.14 },
      { x: 0.1, y: 0.14 },
    ])
  })

  test('are followed back through what was made of the picture', () => {
    // The page that was read is upside down beside the upload, and half its size.
    const page = {
      toSource: composeMaps(moveMap(2000, 1000), scaleMap(-2, -2)),
      sourceSize: { width: 2000, height: 1000 },
    }
    assert.deepEqual(locateField({ box }, page), [
      { x: 0.9, y: 0.9 },
      { x: 0.7, y: 0.9 },
      { x: 0.7, y: 0.86 },
      { x: 0.9, y: 0.86 },
    ])
  })

  test('stay on the page', () => {
    const page = { toSource: moveMap(-150, 0), sourceSize: { width: 120, height: 60 } }
    assert.deepEqual(locateField({ box }, page), [
      { x: 0, y: 0.83333 },
      { x: 1, y: 0.83333 },
      { x: 1, y: 1 },
      { x: 0, y: 1 },
    ])
  })
})
