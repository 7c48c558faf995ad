import { createCanvas } from '@napi-rs/canvas'
import type { Raster } from '../src/pages/page.ts'
import { createRandom } from './random.ts'

const NAMES = [
  'Glucose',
  'Creatinine',
  'Sodium',
  'Potassium',
  'Haemoglobin',
  'White cells',
  'Platelets',
  'Ferritin',
  'Cholesterol, total',
  'HDL cholesterol',
  'Free T4',
  'Alkaline phosphatase',
  'Bilirubin, direct',
  'Vitamin D, 25-hydroxy',
]
const UNITS = ['mg/dL', 'mmol/L', 'g/dL', 'x10E3/uL', 'ng/mL', 'U/L', '%', 'pg/mL']

export interface DrawnPage extends Raster {
  /** What stands in its table, cell by cell. */
  cells: string[]
}

/**
 * A page with the look of a laboratory report, to try the clean-up of pictures on; no report to be
 * read.
 */
export function drawPage(
  seed: number,
  options: { width?: number; height?: number; rows?: number; fontSize?: number } = {},
): DrawnPage {
  const random = createRandom(seed)
  const { width = 1700, height = 2200, rows = random.whole(6, 40) } = options
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const em = options.fontSize ?? random.between(0.013, 0.018) * width
  const family = random.pick(['sans-serif', 'serif', 'DejaVu Sans', 'monospace'])
  const left = random.between(0.05, 0.1) * width
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#111'
  const write = (text: string, x: number, y: number, size = em, bold = false): void => {
    context.font = `${bold ? 'bold ' : ''}${size}px ${family}`
    context.fillText(text, x, y)
  }
  let y = em * 4
  write('North Valley Laboratory', left, y, em * 1.8, true)
  y += em * 2.4
  write('Patient: SAMPLE, ALEX   Collected: 03/04/2024   Reported: 03/05/2024', left, y)
  y += em * 2
  context.fillRect(left, y, width - 2 * left, 2)
  y += em * 2
  const columns = [0, 0.42, 0.55, 0.68, 0.84].map((at) => left + at * (width - 2 * left))
  const titles = ['Test', 'Result', 'Flag', 'Units', 'Reference']
  for (const [index, title] of titles.entries()) write(title, columns[index] as number, y, em, true)
  const printed: string[] = []
  for (let row = 0; row < rows && y < height - em * 5; row++) {
    y += em * 1.9
    const value = random.between(0.1, 300)
    const cells = [
      random.pick(NAMES),
      value.toFixed(random.whole(0, 2)),
      random.chance(0.2) ? 'H' : '',
      random.pick(UNITS),
      `${(value * 0.7).toFixed(1)}-${(value * 1.4).toFixed(1)}`,
    ]
    printed.push(...cells.filter((cell) => cell !== ''))
    for (const [index, cell] of cells.entries()) write(cell, columns[index] as number, y)
  }
  y += em * 3
  write(
    'Reviewed by the laboratory director. Results apply to the specimen received.',
    left,
    y,
    em * 0.8,
  )
  const pixels = context.getImageData(0, 0, width, height).data
  const data = new Uint8Array(width * height * 3)
  for (let p = 0, q = 0; p < data.length; p += 3, q += 4) {
    data[p] = pixels[q] as number
    data[p + 1] = pixels[q + 1] as number
    data[p + 2] = pixels[q + 2] as number
  }
  return { width, height, data, cells: printed }
}
