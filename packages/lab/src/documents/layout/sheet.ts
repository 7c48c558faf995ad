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
 * A document during rendering, with the current position on the page. Lengths are points from the
 * top left corner.
 */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly left: number
  readonly width: number
  readonly top: number
  /** Top of the text area of this page, below the running head. */
  textTop: number
  /** Bottom of the text area. */
  readonly bottom: number
  y: number
  /** Renders the head of every page but the first, and moves `y` below it. */
  runningHead: (() => void) | null
  /** Parent of new structure elements. */
  container: StructureElement
  isInArtifact: boolean
  readonly bytes: Promise<Buffer>
}

/** US letter. */
export const LETTER = [612, 792] as const
export const LETTER_MARGINS = { top: 44, right: 50, bottom: 62, left: 50 }

/** Opens a document with one empty page. The same calls always give the same bytes. */
export function openSheet({ title, at, size, margins }: SheetOptions): Sheet {
  const doc = new PDFDocument({
    size: [...size],
    // The sheet keeps its own margins, so that pdfkit does not add pages.
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    // Typefaces are registered below; the built-in one is not used.
    font: null as unknown as string,
    // pdfkit writes the title into XML without escaping.
    info: {
      Title: title.replace(/[<>&\p{Cc}]/gu, ' '),
      Producer: 'Salus',
      Creator: 'Salus',
      CreationDate: at,
      ModDate: at,
    },
  })
  for (const [name, font] of Object.entries(loadTypefaces())) {
    // pdfkit accepts a parsed font, but its types allow only files.
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

/** Starts a page and renders its running head. */
export function startPage(sheet: Sheet): void {
  sheet.doc.addPage()
  sheet.y = sheet.top
  if (sheet.runningHead !== null) renderArtifact(sheet, sheet.runningHead)
  sheet.textTop = sheet.y
}

/** Starts a page unless this one has enough height left, in points. */
export function ensureRoom(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.bottom && sheet.y > sheet.textTop) startPage(sheet)
}

/** Renders the footers, which show the number of pages, and ends the document. */
export function closeSheet(
  sheet: Sheet,
  renderFooter?: (page: number, pages: number) => void,
): Promise<Buffer> {
  const { count } = sheet.doc.bufferedPageRange()
  for (let page = 0; renderFooter !== undefined && page < count; page++) {
    sheet.doc.switchToPage(page)
    renderArtifact(sheet, () => renderFooter(page + 1, count))
  }
  sheet.container.end()
  sheet.doc.end()
  return sheet.bytes
}

/** Renders content that screen readers skip: rules, backgrounds, heads and footers. */
export function renderArtifact(sheet: Sheet, render: () => void): void {
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
export function renderElement(
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

/** Groups the rendered elements under one parent, such as a table's rows under `Table`. */
export function renderGroup(sheet: Sheet, type: string, render: () => void): void {
  const parent = sheet.container
  const node = sheet.doc.struct(type)
  parent.add(node)
  sheet.container = node
  render()
  node.end()
  sheet.container = parent
}
