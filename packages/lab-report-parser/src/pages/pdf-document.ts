import { MAX_PAGE_POINTS, MAX_RASTER_PIXELS } from '../document/limits.ts'
import { FileProblem } from '../report.ts'
import type { Raster } from './page.ts'
import { Pdfium } from './pdfium.ts'

/** An affine map as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Returns the map of `first`, then `second`. */
export function multiplyMatrices(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  const [A, B, C, D, E, F] = second
  return [
    A * a + C * b,
    B * a + D * b,
    A * c + C * d,
    B * c + D * d,
    A * e + C * f + E,
    B * e + D * f + F,
  ]
}

export function transform(
  [a, b, c, d, e, f]: Matrix,
  x: number,
  y: number,
): { x: number; y: number } {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

/** A page that PDFium has opened. */
export interface PdfPage {
  pdfium: Pdfium
  handle: number
  /** Size as a viewer shows it: cropped and turned, in points. */
  width: number
  height: number
  /**
   * Maps coordinates of its content to those of the shown page, whose origin is the upper left
   * corner.
   */
  toUpright: Matrix
}

/** A PDF, open in an instance of PDFium of its own. */
export class PdfDocument {
  readonly pageCount: number
  readonly #pdfium: Pdfium
  readonly #handle: number

  private constructor(pdfium: Pdfium, handle: number) {
    this.#pdfium = pdfium
    this.#handle = handle
    this.pageCount = pdfium.call.FPDF_GetPageCount(handle)
  }

  /** @throws {FileProblem} `unreadable_file` when it cannot be opened, or only with a password */
  static async open(bytes: Uint8Array): Promise<PdfDocument> {
    const pdfium = await Pdfium.create()
    const handle = openOrRefuse(() =>
      pdfium.call.FPDF_LoadMemDocument(pdfium.store(bytes), bytes.length, 0),
    )
    const document = new PdfDocument(pdfium, handle)
    if (document.pageCount < 1) throw new FileProblem('unreadable_file')
    return document
  }

  /**
   * Calls `use` with an open page, including its form fields and comments.
   * @param number from 1
   * @throws {FileProblem} `unreadable_file`
   */
  withPage<T>(number: number, use: (page: PdfPage) => T): T {
    const { call } = this.#pdfium
    let handle = this.#load(number)
    if (call.FPDFPage_GetAnnotCount(handle) > 0 && call.FPDFPage_Flatten(handle, 0) === 1) {
      call.FPDF_ClosePage(handle)
      handle = this.#load(number)
    }
    const result = use({ pdfium: this.#pdfium, handle, ...readGeometry(this.#pdfium, handle) })
    call.FPDF_ClosePage(handle)
    return result
  }

  #load(number: number): number {
    return openOrRefuse(() => this.#pdfium.call.FPDF_LoadPage(this.#handle, number - 1))
  }
}

function openOrRefuse(open: () => number): number {
  let handle = 0
  try {
    handle = open()
  } catch {
    // A file that makes PDFium give up, or exceed its memory, is unreadable, too.
  }
  if (handle === 0) throw new FileProblem('unreadable_file')
  return handle
}

function readGeometry(
  pdfium: Pdfium,
  handle: number,
): Pick<PdfPage, 'width' | 'height' | 'toUpright'> {
  const { call, scratch } = pdfium
  call.FPDF_GetPageBoundingBox(handle, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.floats(4)
  const width = right - left
  const height = top - bottom
  const isPossible =
    width > 0 && height > 0 && width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS
  if (!isPossible) throw new FileProblem('unreadable_file')
  switch (call.FPDFPage_GetRotation(handle)) {
    case 1:
      return { width: height, height: width, toUpright: [0, 1, 1, 0, -bottom, -left] }
    case 2:
      return { width, height, toUpright: [-1, 0, 0, 1, right, -bottom] }
    case 3:
      return { width: height, height: width, toUpright: [0, -1, -1, 0, top, right] }
    default:
      return { width, height, toUpright: [1, 0, 0, -1, -left, top] }
  }
}

const BITMAP_BGRX = 3
const RENDER_ANNOTATIONS = 0x01
const RENDER_RGB_ORDER = 0x10
const WHITE = 0xff_ff_ff_ff

/**
 * Renders the page as its viewer shows it, on white.
 * @param dpi pixels per 72 points; fewer when the page is huge
 */
export function renderPage(page: PdfPage, dpi: number): Raster {
  const { call, memory } = { call: page.pdfium.call, memory: page.pdfium.call.memory }
  const scale = Math.min(dpi / 72, Math.sqrt(MAX_RASTER_PIXELS / (page.width * page.height)))
  const width = Math.max(1, Math.floor(page.width * scale))
  const height = Math.max(1, Math.floor(page.height * scale))
  const bitmap = call.FPDFBitmap_CreateEx(width, height, BITMAP_BGRX, 0, 0)
  if (bitmap === 0) throw new Error('PDFium has no memory left')
  call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  call.FPDF_RenderPageBitmap(
    bitmap,
    page.handle,
    0,
    0,
    width,
    height,
    0,
    RENDER_ANNOTATIONS | RENDER_RGB_ORDER,
  )
  const start = call.FPDFBitmap_GetBuffer(bitmap)
  const stride = call.FPDFBitmap_GetStride(bitmap)
  const source = new Uint8Array(memory.buffer, start, stride * height)
  const data = new Uint8Array(width * height * 3)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = y * stride; x < width; x++, from += 4) {
      data[to++] = source[from] as number
      data[to++] = source[from + 1] as number
      data[to++] = source[from + 2] as number
    }
  }
  call.FPDFBitmap_Destroy(bitmap)
  return { width, height, data }
}
