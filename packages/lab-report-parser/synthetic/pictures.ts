import { PDFiumLibrary } from '@hyzyla/pdfium'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import type { Raster } from '../src/pages/page.ts'
import { type Degradation, degrade } from './degrade.ts'
import { createRandom, type Random } from './random.ts'

/** How a printed page comes back into a computer. */
export const PICTURE_KINDS = ['scan', 'photo', 'fax'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]

/** Of the resolution at which pages are printed before they are scanned. */
const DOTS_PER_INCH = 200

/** Renders a PDF and spoils its pages; one page becomes a picture, several a PDF of pictures. */
export async function takePicture(
  pdf: Uint8Array,
  kind: PictureKind,
  seed: number,
): Promise<{ bytes: Uint8Array; extension: 'png' | 'jpg' | 'pdf' }> {
  const random = createRandom(seed)
  const pages: Uint8Array[] = []
  const isPng = kind !== 'photo' && random.chance(0.4)
  const quality = random.whole(62, 92)
  for (const page of await renderPages(pdf)) {
    const { raster } = await degrade(page, drawDegradation(random, kind))
    const { width, height, data } = raster
    const image = sharp(data, { raw: { width, height, channels: 3 } })
    const grey = kind === 'photo' || random.chance(0.2) ? image : image.greyscale()
    pages.push(await (isPng ? grey.png() : grey.jpeg({ quality })).toBuffer())
  }
  const [first] = pages
  if (first && pages.length === 1) return { bytes: first, extension: isPng ? 'png' : 'jpg' }
  return { bytes: await bindPages(pages), extension: 'pdf' }
}

/** Opened once, because it takes longer than a page. */
let library: Promise<PDFiumLibrary> | undefined

async function renderPages(pdf: Uint8Array): Promise<Raster[]> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(Buffer.from(pdf))
  const rasters: Raster[] = []
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({
      scale: DOTS_PER_INCH / 72,
      render: 'bitmap',
    })
    rasters.push({
      width,
      height,
      data: await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .raw()
        .toBuffer(),
    })
  }
  document.destroy()
  return rasters
}

function drawDegradation(random: Random, kind: PictureKind): Degradation {
  const seed = random.whole(0, 2 ** 31)
  if (kind === 'scan') {
    return {
      seed,
      rotation: random.between(-2.2, 2.2),
      noise: random.between(2, 12),
      blur: random.between(0, 0.9),
      fading: random.between(0, 0.35),
      specks: random.chance(0.3) ? random.between(5, 40) : 0,
      ...(random.chance(0.2) ? { creases: 1 } : {}),
      ...(random.chance(0.1) ? { quarterTurns: random.pick([1, 2, 3]) } : {}),
    }
  }
  if (kind === 'fax') {
    return {
      seed,
      isFax: true,
      rotation: random.between(-1.2, 1.2),
      noise: random.between(2, 8),
      specks: random.between(5, 30),
    }
  }
  return {
    seed,
    perspective: random.between(0.02, 0.08),
    rotation: random.between(-6, 6),
    table: random.pick(['wood', 'dark', 'cloth', 'light']),
    shadow: random.between(0.1, 0.5),
    vignette: random.between(0, 0.3),
    whitePoint: random.pick([
      [255, 255, 255],
      [240, 232, 212],
      [226, 234, 244],
    ] as const),
    noise: random.between(2, 9),
    blur: random.between(0.3, 1),
    curvature: random.chance(0.3) ? random.between(0.003, 0.012) : 0,
    jpegQuality: random.whole(60, 90),
    scale: random.between(0.95, 1.3),
    ...(random.chance(0.15) ? { quarterTurns: random.pick([1, 2, 3]) } : {}),
    ...(random.chance(0.15) ? { creases: 2 } : {}),
    ...(random.chance(0.1) ? { fingers: 1 } : {}),
  }
}

/** A PDF without a text layer, as scanners make them. */
async function bindPages(pages: readonly Uint8Array[]): Promise<Uint8Array> {
  const document = new PDFDocument({
    autoFirstPage: false,
    info: { CreationDate: new Date(0), ModDate: new Date(0) },
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const done = new Promise((resolve) => document.on('end', resolve))
  for (const page of pages) {
    const { width = 0, height = 0 } = await sharp(page).metadata()
    const size: [number, number] = [(width * 72) / DOTS_PER_INCH, (height * 72) / DOTS_PER_INCH]
    document.addPage({ size, margin: 0 })
    document.image(Buffer.from(page), 0, 0, { width: size[0], height: size[1] })
  }
  document.end()
  await done
  return new Uint8Array(Buffer.concat(chunks))
}
