import { createCanvas } from '@napi-rs/canvas'

const WIDTH = 1240
const HEIGHT = 1754
const COLUMNS = [100, 560, 740, 920]

/** A page as a scanner gives it: a table of results in clear print, as a picture. */
export function drawReportPage(rows: readonly (readonly string[])[]): Buffer {
  const canvas = createCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = '#000000'
  context.font = 'bold 34px sans-serif'
  context.fillText('Example Clinical Laboratory', 100, 120)
  context.font = '26px sans-serif'
  const head = ['Patient: Zebediah Moreau', 'Date of birth: 1990-04-12', 'Collected: 2026-02-27']
  for (const [index, line] of head.entries()) context.fillText(line, 100, 180 + 40 * index)
  const table = [['Test', 'Result', 'Unit', 'Reference range'], ...rows]
  for (const [index, cells] of table.entries()) {
    context.font = `${index === 0 ? 'bold ' : ''}26px sans-serif`
    for (const [column, cell] of cells.entries()) {
      context.fillText(cell, COLUMNS[column] ?? 0, 380 + 56 * index)
    }
  }
  return canvas.toBuffer('image/png')
}

export const METABOLIC_ROWS = [
  ['Glucose', '112', 'mg/dL', '65 - 99'],
  ['Sodium', '140', 'mmol/L', '135 - 145'],
  ['Potassium', '4.1', 'mmol/L', '3.5 - 5.1'],
  ['Chloride', '103', 'mmol/L', '98 - 107'],
  ['Creatinine', '0.92', 'mg/dL', '0.60 - 1.10'],
  ['Calcium', '9.4', 'mg/dL', '8.6 - 10.3'],
] as const

export const LIPID_ROWS = [
  ['Cholesterol', '198', 'mg/dL', '125 - 200'],
  ['Triglycerides', '131', 'mg/dL', '40 - 150'],
  ['HDL Cholesterol', '52', 'mg/dL', '40 - 90'],
] as const
