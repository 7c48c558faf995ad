import PDFDocument from 'pdfkit'
import type { Align, Style } from './style.ts'

export type Cut = 'regular' | 'bold' | 'italic'

export interface TextOptions {
  cut?: Cut
  size?: number
  color?: string
  align?: Align
  /** Of the column, for `align`. */
  width?: number
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const POWERS = /([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/

/** Writes onto the pages of a PDF; `y` is where the next line stands. */
export class Painter {
  readonly doc: PDFKit.PDFDocument
  readonly style: Style
  y: number
  pages = 0
  /** Draws what stands on top of each page. */
  onPage: () => void = () => {}
  private readonly done: Promise<Uint8Array>

  constructor(style: Style) {
    this.style = style
    this.doc = new PDFDocument({
      size: style.page,
      layout: style.isLandscape ? 'landscape' : 'portrait',
      margin: 0,
      autoFirstPage: false,
      // Of a fixed date, so that a seed gives the same bytes.
      info: { CreationDate: new Date(0), ModDate: new Date(0) },
    })
    const chunks: Uint8Array[] = []
    this.done = new Promise((resolve) => {
      this.doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      this.doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    })
    for (const cut of ['regular', 'bold', 'italic'] as const) {
      this.doc.registerFont(cut, style.font[cut])
    }
    this.y = 0
  }

  get left(): number {
    return this.style.margin
  }

  get right(): number {
    return this.doc.page.width - this.style.margin
  }

  get bottom(): number {
    return this.doc.page.height - this.style.margin - 24
  }

  get step(): number {
    return this.style.size * this.style.lineHeight
  }

  addPage(): void {
    this.doc.addPage()
    this.pages += 1
    this.y = this.style.margin
    this.onPage()
  }

  /** Begins a page when so much no longer fits. @returns whether it did */
  need(height: number): boolean {
    if (this.y + height <= this.bottom) return false
    this.addPage()
    return true
  }

  measure(text: string, { cut = 'regular', size = this.style.size }: TextOptions = {}): number {
    this.doc.font(cut).fontSize(size)
    return text
      .split(POWERS)
      .reduce((width, part, at) => width + this.measurePart(part, at % 2 === 1, size), 0)
  }

  private measurePart(part: string, isPower: boolean, size: number): number {
    if (part === '') return 0
    this.doc.fontSize(isPower ? size * 0.65 : size)
    return this.doc.widthOfString(isPower ? plainDigits(part) : part)
  }

  /** One line; powers are drawn small and raised, as word processors do. */
  text(text: string, x: number, y: number, options: TextOptions = {}): void {
    const { cut = 'regular', size = this.style.size, color = '#111111', align = 'left' } = options
    const spare = (options.width ?? 0) - this.measure(text, options)
    let at = x + (align === 'right' ? spare : align === 'center' ? spare / 2 : 0)
    this.doc.font(cut).fillColor(color)
    for (const [index, part] of text.split(POWERS).entries()) {
      if (part === '') continue
      const isPower = index % 2 === 1
      this.doc.fontSize(isPower ? size * 0.65 : size)
      const written = isPower ? plainDigits(part) : part
      this.doc.text(written, at, isPower ? y - size * 0.12 : y, { lineBreak: false })
      at += this.measurePart(part, isPower, size)
    }
  }

  /** Breaks at spaces. */
  wrap(text: string, width: number, options: TextOptions = {}): string[] {
    const lines: string[] = []
    let line = ''
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && this.measure(longer, options) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    return [...lines, line]
  }

  line(x1: number, y1: number, x2: number, y2: number, color = '#555555', width = 0.6): void {
    this.doc.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke()
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.doc.rect(x, y, width, height).fill(color)
  }

  frame(x: number, y: number, width: number, height: number, color = '#777777'): void {
    this.doc.rect(x, y, width, height).lineWidth(0.6).strokeColor(color).stroke()
  }

  async finish(): Promise<Uint8Array> {
    this.doc.end()
    return this.done
  }
}

function plainDigits(power: string): string {
  return [...power].map((digit) => SUPERSCRIPTS.indexOf(digit)).join('')
}
