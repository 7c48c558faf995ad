import type { Box } from './page.ts'
import { type Matrix, multiplyMatrices, type PdfPage, transform } from './pdf-document.ts'

/** Graphics of a page besides its text. */
export interface Graphics {
  pictures: Picture[]
  objects: number
  /** Drawing order by handle: later objects cover earlier ones. */
  order: Map<number, number>
}

export interface Picture {
  box: Box
  order: number
}

const OBJECT_IMAGE = 3
const OBJECT_FORM = 5
const MAX_OBJECTS = 20_000
const MAX_DEPTH = 8

/** Reads the drawing order and the places of pictures, in coordinates of the upright page. */
export function readGraphics(page: PdfPage): Graphics {
  const { call } = page.pdfium
  const graphics: Graphics = { pictures: [], objects: 0, order: new Map() }
  const count = call.FPDFPage_CountObjects(page.handle)
  for (let index = 0; index < count; index++) {
    readObject(page, call.FPDFPage_GetObject(page.handle, index), page.toUpright, graphics, 0)
  }
  return graphics
}

function readObject(
  page: PdfPage,
  object: number,
  outer: Matrix,
  graphics: Graphics,
  depth: number,
): void {
  const { call } = page.pdfium
  if (object === 0 || ++graphics.objects > MAX_OBJECTS) return
  graphics.order.set(object, graphics.objects)
  const type = call.FPDFPageObj_GetType(object)
  if (type !== OBJECT_IMAGE && type !== OBJECT_FORM) return
  const matrix = multiplyMatrices(readMatrix(page, object), outer)
  if (type === OBJECT_IMAGE)
    graphics.pictures.push({ box: clipBox(boxOf(matrix), page), order: graphics.objects })
  else if (depth < MAX_DEPTH) {
    const count = call.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count; index++) {
      readObject(page, call.FPDFFormObj_GetObject(object, index), matrix, graphics, depth + 1)
    }
  }
}

function readMatrix({ pdfium }: PdfPage, object: number): Matrix {
  if (!pdfium.call.FPDFPageObj_GetMatrix(object, pdfium.scratch)) return [1, 0, 0, 1, 0, 0]
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = pdfium.floats(6)
  return [a, b, c, d, e, f]
}

/** Returns the box of a picture, which is drawn in the unit square. */
function boxOf(matrix: Matrix): Box {
  const corners = [
    transform(matrix, 0, 0),
    transform(matrix, 1, 0),
    transform(matrix, 0, 1),
    transform(matrix, 1, 1),
  ]
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

function clipBox({ x, y, width, height }: Box, page: PdfPage): Box {
  const left = Math.max(0, x)
  const top = Math.max(0, y)
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(page.width, x + width) - left),
    height: Math.max(0, Math.min(page.height, y + height) - top),
  }
}
