import type { Box, Rule } from './page.ts'
import { type Matrix, multiply, type PdfPage, transform } from './pdf-document.ts'

/** What is drawn on a page besides its text. */
export interface Graphics {
  /** Horizontal and vertical lines, and the edges of filled rectangles. */
  rules: Rule[]
  pictures: Picture[]
  objects: number
  /** When what is drawn is drawn, by its handle: what comes later covers what came before. */
  order: Map<number, number>
}

export interface Picture {
  box: Box
  order: number
}

const OBJECT_PATH = 2
const OBJECT_IMAGE = 3
const OBJECT_FORM = 5
const SEGMENT_LINE = 0
const SEGMENT_MOVE = 2
const MAX_OBJECTS = 20_000
const MAX_RULES = 4_000
const MAX_SEGMENTS = 64
const MAX_DEPTH = 8
/** Points: a rectangle that is thinner is a line, a line that leans more is none. */
const THIN = 2.5
const LEAN = 0.5
const SHORTEST = 3

/** Reads the drawn lines and the places of pictures, in coordinates of the upright page. */
export function readGraphics(page: PdfPage): Graphics {
  const { call } = page.pdfium
  const graphics: Graphics = { rules: [], pictures: [], objects: 0, order: new Map() }
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
  if (type !== OBJECT_PATH && type !== OBJECT_IMAGE && type !== OBJECT_FORM) return
  const matrix = multiply(readMatrix(page, object), outer)
  if (type === OBJECT_IMAGE)
    graphics.pictures.push({ box: clip(boxOf(matrix), page), order: graphics.objects })
  else if (type === OBJECT_PATH) readPath(page, object, matrix, graphics)
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

function readPath(page: PdfPage, path: number, matrix: Matrix, graphics: Graphics): void {
  const { call, scratch } = page.pdfium
  const segments = call.FPDFPath_CountSegments(path)
  if (segments < 2 || segments > MAX_SEGMENTS || graphics.rules.length > MAX_RULES) return
  if (!call.FPDFPath_GetDrawMode(path, scratch, scratch + 4)) return
  const isDrawn =
    page.pdfium.view.getInt32(scratch, true) !== 0 ||
    page.pdfium.view.getInt32(scratch + 4, true) !== 0
  if (!isDrawn) return
  for (const outline of readOutlines(page, path, segments, matrix)) {
    for (const rule of rulesOf(outline)) {
      if (isOnPage(rule, page)) graphics.rules.push(rule)
    }
  }
}

type Point = { x: number; y: number }

/** The corners of each outline that has straight edges only. */
function readOutlines(page: PdfPage, path: number, segments: number, matrix: Matrix): Point[][] {
  const { call, scratch, view } = page.pdfium
  const outlines: Point[][] = []
  let outline: Point[] = []
  for (let index = 0; index < segments; index++) {
    const segment = call.FPDFPath_GetPathSegment(path, index)
    const type = call.FPDFPathSegment_GetType(segment)
    if (type !== SEGMENT_LINE && type !== SEGMENT_MOVE) return []
    call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
    const point = transform(
      matrix,
      view.getFloat32(scratch, true),
      view.getFloat32(scratch + 4, true),
    )
    if (type === SEGMENT_MOVE) {
      outline = [point]
      outlines.push(outline)
    } else outline.push(point)
    if (call.FPDFPathSegment_GetClose(segment) && outline[0]) outline.push(outline[0])
  }
  return outlines
}

function rulesOf(outline: readonly Point[]): Rule[] {
  const xs = outline.map(({ x }) => x)
  const ys = outline.map(({ y }) => y)
  const [x1, x2, y1, y2] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  // A line that is drawn as a thin rectangle, or as one stroke.
  if (y2 - y1 <= THIN && x2 - x1 >= SHORTEST)
    return [{ x1, y1: (y1 + y2) / 2, x2, y2: (y1 + y2) / 2 }]
  if (x2 - x1 <= THIN && y2 - y1 >= SHORTEST)
    return [{ x1: (x1 + x2) / 2, y1, x2: (x1 + x2) / 2, y2 }]
  const rules: Rule[] = []
  for (const [index, to] of outline.entries()) {
    const from = outline[index - 1]
    if (!from || Math.hypot(to.x - from.x, to.y - from.y) < SHORTEST) continue
    const isStraight = Math.abs(to.y - from.y) <= LEAN || Math.abs(to.x - from.x) <= LEAN
    if (!isStraight) continue
    rules.push({
      x1: Math.min(from.x, to.x),
      y1: Math.min(from.y, to.y),
      x2: Math.max(from.x, to.x),
      y2: Math.max(from.y, to.y),
    })
  }
  return rules
}

function isOnPage({ x1, y1, x2, y2 }: Rule, { width, height }: PdfPage): boolean {
  return x2 > 0 && y2 > 0 && x1 < width && y1 < height
}

/** Where a picture, which is drawn in the square of one by one, stands. */
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

function clip({ x, y, width, height }: Box, page: PdfPage): Box {
  const left = Math.max(0, x)
  const top = Math.max(0, y)
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(page.width, x + width) - left),
    height: Math.max(0, Math.min(page.height, y + height) - top),
  }
}
