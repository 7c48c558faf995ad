// Its named export `raw` is not the documented function.
import barcodes from 'bwip-js/node'
import { textBlock } from './block.ts'
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
