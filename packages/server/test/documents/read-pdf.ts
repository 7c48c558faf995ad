import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A piece of text and where it stands: lower left corner, in points from the page's lower left. */
export interface TextPiece {
  text: string
  x: number
  y: number
  width: number
  /** Size of the type in points. */
  size: number
}

/** A page rendered as an image: four bytes a pixel, red, green, blue and opacity. */
export interface PageImage {
  width: number
  height: number
  /** Pixels to a point. */
  scale: number
  data: Uint8ClampedArray
  toPng(): Buffer
}

export interface PdfPage {
  /** In points. */
  width: number
  height: number
  /** All text with single blanks, in the order in which it was rendered. */
  text: string
  pieces: TextPiece[]
  image: PageImage
}

export interface ReadPdf {
  pages: PdfPage[]
  title: string | null
  producer: string | null
  /** As PDF writes it: `D:20260304…Z`. */
  createdAt: string | null
  language: string | null
  isTagged: boolean
}

/**
 * Reads a PDF as a viewer does: text, sizes, and each page as an image.
 * @param scale pixels of the images to a point
 */
export async function readPdf(pdf: Buffer, { scale = 1.5 } = {}): Promise<ReadPdf> {
  const task = getDocument({
    data: new Uint8Array(pdf),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
  })
  const document = await task.promise
  try {
    const { info } = (await document.getMetadata()) as { info: Record<string, unknown> }
    const pages: PdfPage[] = []
    for (let number = 1; number <= document.numPages; number++) {
      pages.push(await readPage(await document.getPage(number), scale))
    }
    const tagging: unknown = await document.getMarkInfo()
    return {
      pages,
      title: textOrNull(info.Title),
      producer: textOrNull(info.Producer),
      createdAt: textOrNull(info.CreationDate),
      language: textOrNull(info.Language),
      isTagged: tagging instanceof Map && tagging.get('Marked') === true,
    }
  } finally {
    await task.destroy()
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

type DocumentPage = Awaited<
  ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>
>

async function readPage(page: DocumentPage, scale: number): Promise<PdfPage> {
  const size = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent({ disableNormalization: true })
  const pieces = items
    .filter((item) => 'str' in item)
    .map(({ str, transform, width, height }) => ({
      text: str,
      x: Number(transform[4]),
      y: Number(transform[5]),
      width,
      size: height,
    }))
    .filter(({ text }) => text.trim() !== '')
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
  await page.render({ canvas: canvas as never, viewport }).promise
  page.cleanup()
  return {
    width: size.width,
    height: size.height,
    text: pieces
      .map(({ text }) => text)
      .join(' ')
      .replace(/\s+/g, ' '),
    pieces,
    image: toImage(canvas, scale),
  }
}

function toImage(canvas: Canvas, scale: number): PageImage {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  return { width, height, scale, data, toPng: () => canvas.toBuffer('image/png') }
}
