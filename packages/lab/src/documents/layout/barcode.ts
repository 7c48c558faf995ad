// Its named export `raw` is not the documented function.
import barcodes from 'bwip-js/node'
import { type Block, textBlock } from './block.ts'
import { renderElement, type Sheet } from './sheet.ts'
import { STYLES } from './text-styles.ts'

/** Blank space that scanners need on each side, in modules (ISO/IEC 15417). */
const QUIET_MODULES = 10
/** The widest acceptable bars, and the narrowest that office printers can print, in points. */
const WIDEST_MODULE = 1.5
const NARROWEST_MODULE = 0.5

export interface BarcodeBox {
  x: number
  y: number
  /** Includes the quiet zones. */
  width: number
  height: number
  align?: 'center' | 'right'
}

/**
 * Returns the widths of bars and spaces of a Code 128 symbol in modules, a bar first; null for text
 * that the symbology cannot encode or that would be too long to scan.
 */
function encodeCode128(text: string): number[] | null {
  if (!/^[\x20-\x7e]{1,48}$/.test(text)) return null
  const [symbol] = barcodes.raw({ bcid: 'code128', text })
  return symbol !== undefined && 'sbs' in symbol ? symbol.sbs : null
}

/**
 * Renders a barcode into a box, with lengths in points. Returns the position of its bars; returns
 * null and renders nothing when no barcode of the text fits.
 */
export function renderBarcode(
  sheet: Sheet,
  text: string,
  { x, y, width, height, align = 'center' }: BarcodeBox,
): { x: number; width: number } | null {
  const counts = encodeCode128(text)
  if (counts === null) return null
  const modules = counts.reduce((sum, count) => sum + count, 0)
  const module = Math.min(WIDEST_MODULE, width / (modules + 2 * QUIET_MODULES))
  if (module < NARROWEST_MODULE) return null
  const spare = width - modules * module
  const left = x + (align === 'right' ? spare : spare / 2)
  const render = () => {
    let at = left
    counts.forEach((count, index) => {
      if (index % 2 === 0) sheet.doc.rect(at, y, count * module, height)
      at += count * module
    })
    sheet.doc.fill('#000000')
  }
  renderElement(sheet, 'Figure', render, { alt: `Barcode of ${text}` })
  return { x: left, width: modules * module }
}

/** Width of the box of a document's number, in points. */
export const NUMBER_WIDTH = 180
const NUMBER = { ...STYLES.strong, size: 10.5, leading: 15 }

/**
 * Renders a number as a barcode with its text below, ending at the right edge of the text area,
 * whose margin is the quiet zone. Returns the height of both in points.
 */
export function renderNumber(sheet: Sheet, text: string, y: number): number {
  const box = { x: sheet.left + sheet.width - NUMBER_WIDTH, width: NUMBER_WIDTH }
  const bars = renderBarcode(sheet, text, { ...box, y, height: 40, align: 'right' })
  const textY = bars === null ? y : y + 43
  const align = bars === null ? 'right' : 'center'
  const { x, width } = bars ?? box
  const block = textBlock(sheet, text, NUMBER, width, { align })
  block.render(x, textY)
  return textY - y + block.height
}

/** Data columns, and the width of a module in points: 273 modules are 4.2 inches wide. */
const PDF417_COLUMNS = 12
const PDF417_MODULE = 1.1
/** Recommended for up to 863 codewords of data (ISO/IEC 15438, annex E). */
const PDF417_ERROR_LEVEL = 5
/** Blank space that scanners need on each side, in modules (ISO/IEC 15438). */
const PDF417_QUIET_MODULES = 2
/** Extended channel interpretation of what follows. */
const UTF_8 = '^ECI000026'

/** Returns a PDF417 symbol of a text in UTF-8 as a block, with its quiet zone. */
export function pdf417Block(sheet: Sheet, text: string, alt: string): Block {
  const options = { columns: PDF417_COLUMNS, eclevel: PDF417_ERROR_LEVEL, parsefnc: true }
  // Readers take other letters for ISO 8859-1 unless an ECI says UTF-8.
  const isPlain = /^\p{ASCII}*$/u.test(text)
  const coded = `${isPlain ? '' : UTF_8}${text.replaceAll('^', '^^')}`
  const [symbol] = barcodes.raw({ bcid: 'pdf417', text: coded, ...options })
  if (symbol === undefined || !('pixs' in symbol)) throw new Error('PDF417 was not encoded.')
  const { pixs, pixx, pixy } = symbol
  const rows = pixs.length / pixx
  const rowHeight = (pixy / rows) * PDF417_MODULE
  const quiet = PDF417_QUIET_MODULES * PDF417_MODULE
  return {
    height: rows * rowHeight + 2 * quiet,
    render: (x, y) => {
      const render = () => {
        for (let row = 0; row < rows; row++) {
          const top = y + quiet + row * rowHeight
          for (const [start, length] of darkRuns(pixs, row * pixx, pixx)) {
            const left = x + quiet + start * PDF417_MODULE
            sheet.doc.rect(left, top, length * PDF417_MODULE, rowHeight)
          }
        }
        sheet.doc.fill('#000000')
      }
      renderElement(sheet, 'Figure', render, { alt })
    },
  }
}

/** Returns the dark stretches of a row: their start and length in modules. */
function darkRuns(pixels: readonly number[], from: number, count: number): [number, number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < count; at++) {
    if (pixels[from + at] !== 1) continue
    const last = runs.at(-1)
    if (last !== undefined && last[0] + last[1] === at) last[1] += 1
    else runs.push([at, 1])
  }
  return runs
}
