import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { show, writePdf } from '../../test/pdf.ts'
import { createLabReportParser } from '../process/pool.ts'
import { FileProblem } from '../report.ts'

const parser = createLabReportParser({
  processes: 1,
  memoryMb: 1_200,
  timeoutMs: 60_000,
  idleMs: 60_000,
})
after(() => parser.close())

/**
 * How bright the middle of a part of a picture is, from 0 to 255; shares of its width and height.
 */
async function brightness(jpeg: Uint8Array, x: number, y: number): Promise<number> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  const [column, row] = [Math.floor(x * info.width), Math.floor(y * info.height)]
  return data[row * info.width + column] as number
}

const unreadable = (error: unknown) =>
  error instanceof FileProblem && error.code === 'unreadable_file'

test('a page of a PDF is a picture as wide as asked, turned as viewers show it', async () => {
  const square = '0 0 0 rg 0 692 100 100 re f'
  const file = writePdf({
    pages: [
      { content: show('Glucose', { x: 50, y: 100 }) },
      { content: square },
      { content: square, entries: '/Rotate 90' },
    ],
  })
  const upright = await parser.renderPage(file, 2, 612)
  assert.deepEqual([upright.width, upright.height], [612, 792])
  assert.ok((await brightness(upright.jpeg, 0.05, 0.05)) < 40)
  assert.ok((await brightness(upright.jpeg, 0.95, 0.05)) > 240)
  const turned = await parser.renderPage(file, 3, 396)
  assert.deepEqual([turned.width, turned.height], [396, 306])
  assert.ok((await brightness(turned.jpeg, 0.95, 0.05)) < 40)
  assert.ok((await brightness(turned.jpeg, 0.05, 0.05)) > 240)
})

test('a photo is turned upright and made smaller, and never larger', async () => {
  const dark = { width: 300, height: 400, channels: 3, background: '#000000' } as const
  const file = await sharp({ create: { ...dark, width: 600, background: '#ffffff' } })
    .composite([{ input: { create: dark }, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const small = await parser.renderPage(file, 1, 200)
  assert.deepEqual([small.width, small.height], [200, 300])
  // Its left half is the upper one once it is turned to the right.
  assert.ok((await brightness(small.jpeg, 0.5, 0.2)) < 40)
  assert.ok((await brightness(small.jpeg, 0.5, 0.8)) > 240)
  assert.equal((await parser.renderPage(file, 1, 2_000)).width, 400)
})

test('a page that is not there, and a file that is none, are refused', async () => {
  const file = writePdf({ pages: [{ content: show('Glucose', { x: 50, y: 100 }) }] })
  await assert.rejects(parser.renderPage(file, 2, 400), unreadable)
  await assert.rejects(parser.renderPage(Buffer.from('%PDF-1.7\n%%EOF'), 1, 400), unreadable)
  await assert.rejects(parser.renderPage(Buffer.from('a text'), 1, 400), unreadable)
})
