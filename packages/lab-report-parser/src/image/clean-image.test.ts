import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Degradation, degrade } from '../../synthetic/degrade.ts'
import { drawPage } from '../../synthetic/draw-page.ts'
import { sampleDegradation } from '../../synthetic/sample-degradation.ts'
import type { Recognizer } from '../recognition/recognizer.ts'
import { type CleanedImage, cleanImage } from './clean-image.ts'
import { toGray, toWhiteness } from './gray.ts'
import { composeMaps, IDENTITY, invertMap, mapPoint, type Quad } from './homography.ts'
import { findPageOutline } from './page-outline.ts'

const SIZE = { width: 850, height: 1100, fontSize: 14 }

/**
 * Degrades a page, cleans it, and says how level and how far from upright lines across the page are
 * then, in degrees.
 */
async function restore(seed: number, options: Degradation) {
  const page = drawPage(seed, { ...SIZE, rows: 20 })
  const { raster, toPage } = await degrade(page, options)
  const cleaned = await cleanImage(raster)
  const fromPage = composeMaps(invertMap(cleaned.toSource), invertMap(toPage))
  const angles = [0.1, 0.3, 0.6].map((y) => {
    const from = mapPoint(fromPage, page.width * 0.1, page.height * y)
    const to = mapPoint(fromPage, page.width * 0.9, page.height * y)
    return (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI
  })
  return { cleaned, skew: Math.max(...angles.map(Math.abs)) }
}

/** The share of pixels that are darker than dark or lighter than light. */
function shareOf({ raster }: CleanedImage, fits: (level: number) => boolean): number {
  const { data } = toGray(raster)
  return data.filter(fits).length / data.length
}

describe('clean-up of pictures of pages', () => {
  test('leaves a clean page untouched', async () => {
    for (const seed of [1, 2, 3, 315]) {
      const page = drawPage(seed, SIZE)
      const cleaned = await cleanImage(page)
      assert.ok(cleaned.raster === page, `page ${seed} is changed`)
      assert.equal(cleaned.toSource, IDENTITY)
    }
  })

  test('leaves a picture without text as it is', async () => {
    const gray = { width: 300, height: 200, data: new Uint8Array(300 * 200 * 3).fill(250) }
    const cleaned = await cleanImage(gray)
    assert.ok(cleaned.raster === gray)
    assert.deepEqual(cleaned.quality, { letterHeight: 0, letters: 0 })
    const dot = { width: 1, height: 1, data: new Uint8Array(3) }
    assert.equal((await cleanImage(dot)).raster.width, 1)
  })

  test('makes scans level to a tenth of a degree, and turns them upright', async () => {
    for (const [index, rotation] of [-6, -1.3, 0.4, 2.7].entries()) {
      const quarterTurns = index as 0 | 1 | 2 | 3
      const { skew } = await restore(40 + index, { seed: index, rotation, quarterTurns, noise: 4 })
      assert.ok(
        skew < 0.1,
        `skew ${skew} of a scan turned by ${quarterTurns} × 90° and ${rotation}°`,
      )
    }
  })

  test('puts photographed pages straight', async () => {
    for (let seed = 0; seed < 4; seed++) {
      const { skew } = await restore(60 + seed, sampleDegradation('photo', seed))
      assert.ok(skew < 0.4, `skew ${skew} of photo ${seed}`)
    }
  })

  test('makes shadowed paper white and keeps ink dark', async () => {
    const shadowed = { seed: 3, shadow: 0.6, vignette: 0.5, whitePoint: [230, 215, 190] as const }
    const { cleaned } = await restore(80, shadowed)
    assert.ok(shareOf(cleaned, (level) => level > 240) > 0.9)
    assert.ok(shareOf(cleaned, (level) => level < 110) > 0.005)
  })

  test('takes dust away and leaves decimal points', async () => {
    const page = drawPage(21, { rows: 20 })
    const isInk = (level: number) => level < 128
    const plain = await cleanImage(page)
    const { raster } = await degrade(page, { seed: 4, specks: 250 })
    const before = shareOf({ ...plain, raster }, isInk) - shareOf(plain, isInk)
    const cleaned = await cleanImage(raster)
    const after = shareOf(cleaned, isInk) - shareOf(plain, isInk)
    assert.ok(after < before * 0.25, `${after} of ${before} of the dust is left`)
    // What was written and not dust is there still.
    const [written, now] = [toGray(page).data, toGray(cleaned.raster).data]
    const lost = written.filter((level, p) => level < 60 && (now[p] as number) > 128).length
    assert.ok(lost < 60, `${lost} pixels of what was written are lost`)
  })

  test('keeps white text on a dark band readable where the paper is not white', async () => {
    const page = drawPage(5, { ...SIZE, rows: 15 })
    const data = page.data.map((level) => level * 0.8)
    for (let y = 0; y < 120; y++) {
      for (let x = 0; x < page.width; x++) {
        const isText = y > 50 && y < 70 && x % 12 < 3
        data.fill(isText ? 205 : 40, (y * page.width + x) * 3, (y * page.width + x) * 3 + 3)
      }
    }
    const { raster } = await cleanImage({ ...page, data })
    const gray = toGray(raster)
    const level = (x: number, y: number) => gray.data[y * gray.width + x] as number
    assert.ok(level(7 + 12 * 20, 60) < 90, 'the band stays dark')
    assert.ok(level(1 + 12 * 20, 60) > 200, 'its text stays light')
  })

  test('asks the recognizer where capitals and digits do not say which way is up', async () => {
    const [width, height] = [850, 1100]
    const page = { width, height, data: new Uint8Array(width * height * 3).fill(255) }
    // Rows of blocks of one height look alike from both sides.
    for (let block = 0; block < 360; block++) {
      const [x, y] = [90 + (block % 20) * 30, 250 + Math.floor(block / 20) * 45]
      for (let row = y; row < y + 12; row++) {
        page.data.fill(0, (row * page.width + x) * 3, (row * page.width + x + 9) * 3)
      }
    }
    let asked = 0
    const recognizer: Recognizer = {
      async recognize({ width, data }) {
        asked += 1
        // The second of the two ways round is the better one.
        const confidence = asked % 2 === 1 ? 0.9 : 0.2
        const box = { x: 0, y: 0, width, height: data.length / 3 / width }
        return [{ text: 'GLUCOSE', box, confidence, fontSize: 12, isBold: false, color: null }]
      },
    }
    const { raster, toSource } = await cleanImage(page, recognizer)
    assert.equal(asked, 2)
    assert.ok(raster !== page)
    const { x, y } = mapPoint(toSource, 0, 0)
    assert.deepEqual([Math.round(x), Math.round(y)], [page.width, page.height])
  })
})

describe('outlines of pages', () => {
  test('are found to a few thousandths of the picture', async () => {
    for (let seed = 0; seed < 6; seed++) {
      const options = { ...sampleDegradation('photo', seed), quarterTurns: 0 as const }
      const { raster, corners } = await degrade(drawPage(seed, SIZE), options)
      const quad = findPageOutline(toWhiteness(raster)) as Quad
      const far = quad.map(({ x, y }, k) => {
        const corner = corners[k as 0]
        return Math.hypot(x - corner.x, y - corner.y) / raster.height
      })
      assert.ok(Math.max(...far) < 0.004, `corners of photo ${seed} are ${Math.max(...far)} off`)
    }
  })

  test('are not seen where a page fills the picture', async () => {
    for (let seed = 0; seed < 4; seed++) {
      const { raster } = await degrade(drawPage(seed, SIZE), sampleDegradation('bad-scan', seed))
      assert.equal(findPageOutline(toWhiteness(raster)), null)
    }
  })
})
