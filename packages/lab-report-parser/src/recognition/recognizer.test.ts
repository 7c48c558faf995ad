import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

import { createCanvas, GlobalFonts } from '@napi-rs/canvas'

import type { Raster } from '../pages/page.ts'
import { createRecognizer } from './recognizer.ts'

const require = createRequire(import.meta.url)
GlobalFonts.registerFromPath(
  require.resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'),
  'Report',
)

interface Cell {
  text: string
  x: number
  y: number
  color?: string
}

function drawCells(cells: readonly Cell[]): Raster {
  const canvas = createCanvas(1000, 260)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.font = '24px Report'
  for (const { text, x, y, color } of cells) {
    context.fillStyle = color ?? '#000000'
    context.fillText(text, x, y)
  }
  const data = canvas.data().filter((_, index) => index % 4 !== 3)
  return { width: canvas.width, height: canvas.height, data }
}

test('Rows of a report are read with their places and colours', async () => {
  const cells: Cell[] = [
    { text: 'Hémoglobine', x: 40, y: 60 },
    { text: '13.52', x: 330, y: 60, color: '#cc0000' },
    { text: 'H', x: 470, y: 60 },
    { text: 'g/dL', x: 560, y: 60 },
    { text: '12.0-16.5', x: 760, y: 60 },
    { text: 'Creatinina', x: 40, y: 130 },
    { text: '0,97', x: 330, y: 130 },
    { text: 'mg/dL', x: 560, y: 130 },
    { text: '<1,20', x: 760, y: 130 },
    { text: 'Platelets', x: 40, y: 200 },
    { text: '5', x: 330, y: 200 },
    { text: 'x10^3/uL', x: 560, y: 200 },
    { text: '≥60', x: 760, y: 200 },
  ]
  const recognizer = await createRecognizer()
  const words = await recognizer.recognize(drawCells(cells))
  assert.equal(words.length, cells.length)
  for (const cell of cells) {
    const word = words.find(
      ({ box }) =>
        Math.abs(box.x - cell.x) < 12 && Math.abs(box.y + box.height / 2 - (cell.y - 9)) < 12,
    )
    assert.equal(word?.text, cell.text)
    assert.ok(word && word.confidence > 0.5 && word.confidence <= 1)
    assert.ok(Math.abs(word.fontSize - 24) < 7)
    const red = Number.parseInt(word.color?.slice(1, 3) ?? '', 16)
    assert.equal(red > 120, cell.color !== undefined)
  }
})

test('A page without text has no words', async () => {
  const recognizer = await createRecognizer()
  assert.deepEqual(await recognizer.recognize(drawCells([])), [])
})
