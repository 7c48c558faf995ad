import PDFDocument from 'pdfkit'
import { loadTypefaces } from './typefaces.ts'

/** An element of the document's structure, which screen readers follow. */
type StructureElement = ReturnType<PDFKit.PDFDocument['struct']>

export interface SheetOptions {
  /** Shown by viewers; names no patient. */
  title: string
  at: Date
  /** Width and height of a page in points. */
  size: readonly [width: number, height: number]
  margins: { top: number; right: number; bottom: number; left: number }
}

/**
 * A document in the making, and the place on the page where the next thing goes. Lengths are
 * points, from the top left corner.
 */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly left: number
  readonly width: number
  readonly top: number
  /** Where the text of this page begins, below the running head. */
  textTop: number
  /** Where the text area ends. */
  readonly bottom: number
  y: number
  /** Renders what stands on top of every page but the first, and moves `y` below it. */
  runningHead: (() => void) | null
  /** What new structure elements go into. */
  container: StructureElement
  isInArtifact: boolean
  readonly bytes: Promise<Buffer>
}

/** US letter. */
export const LETTER = [612, 792] as const
export const LETTER_MARGINS = { top: 44, right: 50, bottom: 62, left: 50 }

/** Opens a document with one empty page. The same rendering always gives the same bytes. */
export function openSheet({ title, at, size, margins }: SheetOptions): Sheet {
  const doc = new PDFDocument({
    size: [...size],
    // The sheet keeps its own margins, so that pdfkit never starts a page by itself.
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    // Typefaces are registered below; the built-in one would never be used.
    font: null as unknown as string,
    // pdfkit writes the title into XML as it is.
    info: {
      Title: title.replace(/[<>&\p{Cc}]/gu, ' '),
      Producer: 'Salus',
      Creator: 'Salus',
      CreationDate: at,
      ModDate: at,
    },
  })
  for (const [name, font] of Object.entries(loadTypefaces())) {
    // pdfkit takes a font that was read before; its types only know files.
    doc.registerFont(name, font as unknown as string)
  }
  const container = doc.struct('Document')
  doc.addStructure(container)
  return {
    doc,
    left: margins.left,
    width: size[0] - margins.left - margins.right,
    top: margins.top,
    textTop: margins.top,
    bottom: size[1] - margins.bottom,
    y: margins.top,
    runningHead: null,
    container,
    isInArtifact: false,
    bytes: collect(doc),
  }
}

async function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of doc) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Starts a page and renders the running head on it. */
export function startPage(sheet: Sheet): void {
  sheet.doc.addPage()
  sheet.y = sheet.top
  if (sheet.runningHead !== null) artifact(sheet, sheet.runningHead)
  sheet.textTop = sheet.y
}

/** Starts a page unless the height, in points, is left on this one. */
export function ensureRoom(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.bottom && sheet.y > sheet.textTop) startPage(sheet)
}

/** Renders the footer of each page, which can know the number of pages, and ends the document. */
export function closeSheet(
  sheet: Sheet,
  renderFooter?: (page: number, pages: number) => void,
): Promise<Buffer> {
  const { count } = sheet.doc.bufferedPageRange()
  for (let page = 0; renderFooter !== undefined && page < count; page++) {
    sheet.doc.switchToPage(page)
    artifact(sheet, () => renderFooter(page + 1, count))
  }
  sheet.container.end()
  sheet.doc.end()
  return sheet.bytes
}

/** Renders what a screen reader leaves out: rules, backgrounds, heads and footers. */
export function artifact(sheet: Sheet, render: () => void): void {
  if (sheet.isInArtifact) {
    render()
    return
  }
  sheet.isInArtifact = true
  sheet.doc.markContent('Artifact')
  render()
  sheet.doc.endMarkedContent()
  sheet.isInArtifact = false
}

/** Renders one leaf of the structure, such as a paragraph (`P`) or a table cell (`TD`). */
export function element(
  sheet: Sheet,
  type: string,
  render: () => void,
  options: { alt?: string } = {},
): void {
  if (sheet.isInArtifact) {
    render()
    return
  }
  const leaf = sheet.doc.struct(type, options, render as never)
  sheet.container.add(leaf)
  leaf.end()
}

/** Puts the elements that are rendered into one, such as a table's rows into the `Table`. */
export function group(sheet: Sheet, type: string, render: () => void): void {
  const parent = sheet.container
  const node = sheet.doc.struct(type)
  parent.add(node)
  sheet.container = node
  render()
  node.end()
  sheet.container = parent
}
