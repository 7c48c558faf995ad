import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PDFiumModule } from '@hyzyla/pdfium'
import { PDFIUM_MEMORY_BYTES } from '../document/limits.ts'
import { EngineProblem } from '../report.ts'

// PDFium as WebAssembly: the native code of a viewer in a memory of its own, without files, network
// or scripts (docs/decisions/0035-pdfium-in-a-sandbox.md). Pointers and handles are numbers.

/**
 * The functions of PDFium that are used; what they do is described in its public headers
 * (fpdfview.h, fpdf_text.h, fpdf_edit.h).
 */
interface PdfiumExports {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(pointer: number): void
  FPDF_InitLibrary(): void
  FPDF_LoadMemDocument(data: number, size: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDF_GetPageBoundingBox(page: number, rect: number): number
  FPDFPage_GetRotation(page: number): number
  FPDFPage_GetAnnotCount(page: number): number
  FPDFPage_Flatten(page: number, usage: number): number
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFFormObj_CountObjects(object: number): number
  FPDFFormObj_GetObject(object: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_GetMatrix(object: number, matrix: number): number
  FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number
  FPDFPageObj_GetStrokeColor(object: number, r: number, g: number, b: number, a: number): number
  FPDFPath_GetDrawMode(path: number, fillMode: number, isStroked: number): number
  FPDFPath_CountSegments(path: number): number
  FPDFPath_GetPathSegment(path: number, index: number): number
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  FPDFPathSegment_GetType(segment: number): number
  FPDFPathSegment_GetClose(segment: number): number
  FPDFImageObj_GetImagePixelSize(object: number, width: number, height: number): number
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(textPage: number): void
  FPDFText_CountChars(textPage: number): number
  FPDFText_GetUnicode(textPage: number, index: number): number
  FPDFText_IsGenerated(textPage: number, index: number): number
  FPDFText_HasUnicodeMapError(textPage: number, index: number): number
  FPDFText_GetTextObject(textPage: number, index: number): number
  FPDFText_GetFontSize(textPage: number, index: number): number
  FPDFText_GetFillColor(
    textPage: number,
    index: number,
    r: number,
    g: number,
    b: number,
    a: number,
  ): number
  FPDFText_GetStrokeColor(
    textPage: number,
    index: number,
    r: number,
    g: number,
    b: number,
    a: number,
  ): number
  FPDFText_GetCharBox(
    textPage: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number
  FPDFText_GetLooseCharBox(textPage: number, index: number, rect: number): number
  FPDFText_GetCharOrigin(textPage: number, index: number, x: number, y: number): number
  FPDFText_GetMatrix(textPage: number, index: number, matrix: number): number
  FPDFTextObj_GetTextRenderMode(object: number): number
  FPDFTextObj_GetFont(object: number): number
  FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number
  FPDFFont_GetFlags(font: number): number
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    buffer: number,
    stride: number,
  ): number
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): number
  FPDFBitmap_GetBuffer(bitmap: number): number
  FPDFBitmap_GetStride(bitmap: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
}

let compiled: Promise<WebAssembly.Module> | undefined

function compilePdfium(): Promise<WebAssembly.Module> {
  compiled ??= readFile(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')))
    .then((bytes) => WebAssembly.compile(bytes))
    .catch(() => {
      throw new EngineProblem('pdfium')
    })
  return compiled
}

/**
 * One instance for one document: damage of a hostile file to its memory ends with it. It throws
 * once its memory exceeds the limit, and is unusable then.
 */
export class Pdfium {
  readonly call: PdfiumExports
  /** 64 bytes for values that functions return through pointers. */
  readonly scratch: number
  #view: DataView

  private constructor(call: PdfiumExports) {
    this.call = call
    this.scratch = call.malloc(64)
    this.#view = new DataView(call.memory.buffer)
  }

  static async create(): Promise<Pdfium> {
    const module = await compilePdfium()
    let call: PdfiumExports | undefined
    await PDFiumModule({
      // The file is given, but the glue code requires a function that locates it.
      locateFile: () => '',
      instantiateWasm: (imports, receive) => {
        const instance = new WebAssembly.Instance(
          module,
          limitMemory(imports, () => call),
        )
        call = instance.exports as unknown as PdfiumExports
        receive(instance as never)
        return instance.exports
      },
    })
    if (!call) throw new Error('PDFium did not start')
    call.FPDF_InitLibrary()
    return new Pdfium(call)
  }

  /** Returns the current memory: it moves when it grows. */
  get view(): DataView {
    const { buffer } = this.call.memory
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer)
    return this.#view
  }

  /** Copies bytes into the memory, for the life of the instance. */
  store(bytes: Uint8Array): number {
    const pointer = this.call.malloc(bytes.length)
    if (pointer === 0) throw new Error('PDFium has no memory left')
    new Uint8Array(this.call.memory.buffer).set(bytes, pointer)
    return pointer
  }

  /** Returns `count` floats or doubles from the scratch bytes. */
  floats(count: number): number[] {
    return Array.from({ length: count }, (_, index) =>
      this.view.getFloat32(this.scratch + 4 * index, true),
    )
  }

  /** Reads a color that a function returns in four parts, as `#rrggbb`; null when there is none. */
  color(read: (r: number, g: number, b: number, a: number) => number): string | null {
    const at = this.scratch
    if (!read(at, at + 4, at + 8, at + 12)) return null
    const part = (offset: number) =>
      (this.view.getUint32(at + offset, true) & 255).toString(16).padStart(2, '0')
    return `#${part(0)}${part(4)}${part(8)}`
  }
}

function limitMemory(
  imports: WebAssembly.Imports,
  findExports: () => PdfiumExports | undefined,
): WebAssembly.Imports {
  // The glue code of PDFium refreshes its own views of the memory.
  const resize = imports.env?.emscripten_resize_heap as (bytes: number) => boolean
  const grow = (requested: number): boolean =>
    findExports() !== undefined && requested >>> 0 <= PDFIUM_MEMORY_BYTES && resize(requested)
  return { ...imports, env: { ...imports.env, emscripten_resize_heap: grow } }
}
