import { mapPoint, type Point } from './image/homography.ts'
import type { Raster } from './pages/page.ts'
import type { Field, LabReport, ReportPage } from './report.ts'

/** More digits than a hundred thousandth of a page are not significant. */
const toFraction = (share: number): number =>
  Math.round(Math.min(1, Math.max(0, share)) * 100_000) / 100_000

/**
 * Returns the place of a field on its uploaded page: four corners in parts of the page's width and
 * height, clockwise from the upper left one of the text. They are a rectangle unless the page was
 * photographed at an angle.
 */
export function locateField(
  { box }: Pick<Field, 'box'>,
  { toSource, sourceSize }: Pick<ReportPage, 'toSource' | 'sourceSize'>,
): Point[] {
  const [right, bottom] = [box.x + box.width, box.y + box.height]
  return [
    [box.x, box.y],
    [right, box.y],
    [right, bottom],
    [box.x, bottom],
  ].map(([x = 0, y = 0]) => {
    const point = toSource ? mapPoint(toSource, x, y) : { x, y }
    return { x: toFraction(point.x / sourceSize.width), y: toFraction(point.y / sourceSize.height) }
  })
}

/** Kinds of fields, with their colors in annotated pages. */
const COLORS = {
  name: '#1f6feb',
  value: '#1a7f37',
  unit: '#8250df',
  range: '#bc4c00',
  flag: '#cf222e',
  panel: '#57606a',
  header: '#0b7285',
}

/**
 * Returns every place of a page from which a field was read, with its color; a heading belongs to
 * several results.
 */
function listColored({ header, results }: LabReport, page: number): [Field, string][] {
  const { gender, ...others } = header
  const colored: [Field | null, string][] = [
    ...[...Object.values(others), gender?.field ?? null].map((field): [Field | null, string] => [
      field,
      COLORS.header,
    ]),
    ...results.flatMap((result) =>
      (['name', 'value', 'unit', 'range', 'flag', 'panel'] as const).map(
        (key): [Field | null, string] => [result[key], COLORS[key]],
      ),
    ),
  ]
  const byBox = new Map<string, [Field, string]>()
  for (const [field, color] of colored) {
    if (field?.page === page) byBox.set(JSON.stringify(field.box), [field, color])
  }
  return [...byBox.values()]
}

async function drawRaster({ width, height, data }: Raster) {
  const { createCanvas } = await import('@napi-rs/canvas')
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const image = context.createImageData(width, height)
  for (let p = 0, q = 0; p < data.length; p += 3, q += 4) {
    image.data[q] = data[p] as number
    image.data[q + 1] = data[p + 1] as number
    image.data[q + 2] = data[p + 2] as number
    image.data[q + 3] = 255
  }
  context.putImageData(image, 0, 0)
  return { canvas, context }
}

/**
 * Yields pictures (PNG) of the uploaded pages of a report with a frame around each field: names
 * blue, values green, units violet, ranges orange, flags red, headings gray, header fields cyan.
 */
export async function* annotatePages(
  files: readonly Uint8Array[],
  report: LabReport,
): AsyncGenerator<{ number: number; png: Uint8Array }> {
  // Loaded with the first picture: a server only locates fields, and stays small.
  const { readSourcePages } = await import('./pages/read-pages.ts')
  for await (const source of readSourcePages(files)) {
    const page = report.pages.find(({ number }) => number === source.number)
    if (!page) continue
    const raster = await source.render()
    const { canvas, context } = await drawRaster(raster)
    context.lineWidth = Math.max(1.5, raster.width / 900)
    for (const [field, color] of listColored(report, page.number)) {
      context.strokeStyle = color
      context.fillStyle = `${color}22`
      context.beginPath()
      for (const { x, y } of locateField(field, page)) {
        context.lineTo(x * raster.width, y * raster.height)
      }
      context.closePath()
      context.fill()
      context.stroke()
    }
    yield { number: source.number, png: await canvas.encode('png') }
  }
}
