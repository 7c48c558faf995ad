import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type PdfPageSource, type PdfSource, show, writePdf, writeStream } from '../../test/pdf.ts'
import type { Word } from './page.ts'
import { readSourcePages, type SourcePage } from './read-pages.ts'

async function readPages(...files: Uint8Array[]): Promise<SourcePage[]> {
  const pages: SourcePage[] = []
  for await (const page of readSourcePages(files)) pages.push(page)
  return pages
}

async function readPage(
  page: Partial<PdfPageSource> & { content: string },
  source: Partial<PdfSource> = {},
) {
  const [read] = await readPages(writePdf({ ...source, pages: [page] }))
  assert.ok(read)
  return read
}

const textOf = (page: SourcePage) => page.words?.map((word) => word.text).join(' ')
const findWord = (page: SourcePage, text: string): Word => {
  const word = page.words?.find((one) => one.text === text)
  assert.ok(word, `${text} in ${textOf(page)}`)
  return word
}
const assertNear = (actual: number | undefined, expected: number, tolerance = 0.6) =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= tolerance,
    `${actual} is not about ${expected}`,
  )

/** Words of a usual report, enough to judge them. */
const REPORT = [
  ['Hemoglobin', '13.2 g/dL', '12.0 - 16.0'],
  ['Hematocrit', '39.0 %', '36.0 - 46.0'],
  ['Leukocytes', '6.1 x10E3/uL', '4.0 - 10.0'],
  ['Platelets', '250 x10E3/uL', '150 - 400'],
  ['Glucose', '95 mg/dL', '70 - 99'],
  ['Creatinine', '0.80 mg/dL', '0.50 - 0.90'],
  ['Potassium', '4.2 mmol/L', '3.5 - 5.1'],
  ['Cholesterol', '189 mg/dL', '100 - 199'],
  ['Triglycerides', '66 mg/dL', '0 - 149'],
  ['Bilirubin', '0.6 mg/dL', '0.0 - 1.2'],
]
const reportContent = (font = 'F1') =>
  REPORT.map((row, index) =>
    row
      .map((text, column) => show(text, { x: 50 + 180 * column, y: 700 - 20 * index, font }))
      .join(''),
  ).join('')
const INVISIBLE = '3 Tr '
const IMAGE = writeStream(
  '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8',
  new Uint8Array([200]),
)
const scan = (width = 612, height = 792) => `q ${width} 0 0 ${height} 0 0 cm /Im Do Q\n`
const withImage = { objects: [IMAGE] }
const resources = '/XObject<</Im 10 0 R>>'

test('words have their place from the upper left corner, their size, weight and color', async () => {
  const page = await readPage({
    content: `${show('Glucose level', { x: 100, y: 692, size: 10 })}1 0 0 rg ${show('118', { x: 300, y: 692, size: 20, font: 'F2' })}`,
  })
  assert.deepEqual([page.width, page.height], [612, 792])
  assert.equal(textOf(page), 'Glucose level 118')
  const glucose = findWord(page, 'Glucose')
  assertNear(glucose.box.x, 100)
  assertNear(glucose.box.y + glucose.box.height, 102.2)
  assertNear(glucose.box.width, 36)
  const { isBold, color, fontSize, box } = findWord(page, '118')
  assert.deepEqual({ isBold, color }, { isBold: true, color: '#ff0000' })
  assertNear(fontSize, 20, 0.01)
  assertNear(box.x + box.width, 333, 1.5)
  assert.deepEqual([glucose.isBold, glucose.color], [false, '#000000'])
})

test('words are separated by visible gaps, however they are written', async () => {
  const page = await readPage({
    content: [
      'BT /F1 10 Tf 50 700 Td [(Hemo)20(glo)-10(bin)-400(A1c)] TJ ET',
      'BT /F1 10 Tf 1.2 Tc 50 680 Td (SPACED OUT) Tj ET',
      // Letters drawn one by one, from right to left.
      ...[...'esoculG'].map((letter, index) =>
        show(letter, { x: 50 + ([30.6, 25.6, 20, 15, 9.5, 7.7][index] ?? 0), y: 660 }),
      ),
      show('70', { x: 200, y: 660 }),
      show('-', { x: 211.1, y: 660 }),
      show('99', { x: 214.5, y: 660 }),
    ].join('\n'),
  })
  assert.equal(textOf(page), 'Hemoglobin A1c SPACED OUT Glucose 70-99')
})

test('raised digits become superscripts, lowered ones stay digits, ligatures become letters', async () => {
  const page = await readPage({
    content: [
      'BT /F1 10 Tf 50 700 Td (x10) Tj 4 Ts /F1 6 Tf (3) Tj 0 Ts /F1 10 Tf (/uL) Tj ET',
      'BT /F1 10 Tf 150 700 Td (CO) Tj -2 Ts /F1 6 Tf (2) Tj ET',
      show('x10\\271/L', { x: 250, y: 700 }),
    ].join('\n'),
  })
  assert.equal(textOf(page), 'x10³/uL CO2 x10¹/L')
})

test('what is printed twice to look bold is read once', async () => {
  const page = await readPage({
    content: `${show('Glossy 118', { x: 50, y: 700 })}${show('Glossy 118', { x: 50.4, y: 700 })}`,
  })
  assert.equal(textOf(page), 'Glossy 118')
})

test('a page is read as its viewer shows it: turned and cropped', async () => {
  const upright = 'BT /F1 10 Tf 0 1 -1 0 110 100 Tm (Glucose) Tj ET'
  const turned = await readPage({ content: upright, entries: '/Rotate 90' })
  assert.deepEqual([turned.width, turned.height], [792, 612])
  assertNear(findWord(turned, 'Glucose').box.x, 100)
  assertNear(findWord(turned, 'Glucose').box.y, 102.2)
  const raster = await turned.render()
  assert.ok(raster.width > raster.height)
  const half = await readPage({
    content: 'BT /F1 10 Tf -1 0 0 -1 500 300 Tm (Glucose) Tj ET',
    entries: '/Rotate 180',
  })
  assertNear(findWord(half, 'Glucose').box.x, 112)
  const cropped = await readPage({
    content: show('seen', { x: 150, y: 550 }) + show('outside', { x: 20, y: 20 }),
    entries: '/CropBox[100 100 400 600]',
  })
  assert.deepEqual([cropped.width, cropped.height, textOf(cropped)], [300, 500, 'seen'])
  assertNear(findWord(cropped, 'seen').box.x, 50)
})

test('a leaning watermark is no text, a page on its side is recognized', async () => {
  const watermark = 'BT /F1 60 Tf 0.7 0.7 -0.7 0.7 100 100 Tm (COPY) Tj ET\n'
  assert.ok(!textOf(await readPage({ content: watermark + reportContent() }))?.includes('COPY'))
  const lying = `0 1 -1 0 700 0 cm ${reportContent()}`
  assert.equal((await readPage({ content: lying })).words, null)
})

test('text of form fields and comments is read', async () => {
  const appearance = writeStream(
    '/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 3 0 R>>>>',
    show('Filled 5.4', { x: 2, y: 5 }),
  )
  const page = await readPage(
    { content: reportContent(), entries: '/Annots[11 0 R]' },
    {
      objects: [
        appearance,
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[300 100 400 120]/AP<</N 10 0 R>>>>',
      ],
    },
  )
  assertNear(findWord(page, '5.4').box.y + findWord(page, '5.4').box.height, 792 - 105 + 2.2)
})

test('a page without anything needs no recognition, one that is a picture does', async () => {
  assert.deepEqual((await readPage({ content: '' })).words, [])
  assert.equal((await readPage({ content: scan(), resources }, withImage)).words, null)
})

test('the text layer under a scan is read when it is good, and recognized again when it is not', async () => {
  const layer = `${INVISIBLE}${reportContent()}`
  const good = await readPage({ content: scan() + layer, resources }, withImage)
  assert.equal(good.words?.length, 60)
  const bad = layer.replaceAll('o', '0').replaceAll('l', '|')
  assert.equal((await readPage({ content: scan() + bad, resources }, withImage)).words, null)
  // Drawn before the picture that covers it.
  const covered = await readPage(
    { content: reportContent().replaceAll('e', '~') + scan(), resources },
    withImage,
  )
  assert.equal(covered.words, null)
})

test('a scan with some words printed over it is recognized', async () => {
  const content = scan() + show('Page 1 of 2', { x: 50, y: 20 })
  assert.equal((await readPage({ content, resources }, withImage)).words, null)
})

test('a large picture beside little text is recognized with it, a logo is not', async () => {
  const beside = await readPage({ content: scan(612, 300) + reportContent(), resources }, withImage)
  assert.equal(beside.words, null)
  const logo = await readPage({ content: scan(100, 50) + reportContent(), resources }, withImage)
  assert.equal(logo.words?.length, 60)
})

test('text that is not seen is not read', async () => {
  const page = await readPage({
    content: `${reportContent()}${INVISIBLE}${show('Hidden 99', { x: 50, y: 50 })}`,
  })
  assert.equal(page.words?.length, 60)
  const onlyHidden = await readPage({ content: `0 0 m 600 0 l S ${INVISIBLE}${reportContent()}` })
  assert.equal(onlyHidden.words, null)
})

test('a page whose fonts do not say which letters they show is recognized', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const names = letters.map((letter) => `/g${letter.charCodeAt(0)}x`).join('')
  const nameless = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[97 ${names}]>>>>`
  // Says `n` for what it shows as `a`, and so on.
  const shifted = letters.map((letter, index) => {
    const said = (letters[(index + 13) % 26] as string).charCodeAt(0)
    return `<${letter.charCodeAt(0).toString(16)}> <00${said.toString(16)}>`
  })
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange
26 beginbfchar ${shifted.join('\n')} endbfchar endcmap end`
  const lying = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 11 0 R>>'
  for (const font of [nameless, lying]) {
    const resources = '/Font<</F9 10 0 R>>'
    const source = { objects: [font, writeStream('', map)] }
    assert.equal((await readPage({ content: reportContent('F9'), resources }, source)).words, null)
  }
})

test('the pages of one document may be text and scan', async () => {
  const pages = await readPages(
    writePdf({
      objects: [IMAGE],
      pages: [{ content: reportContent() }, { content: scan(), resources }],
    }),
  )
  assert.deepEqual(
    pages.map(({ number, words }) => [number, words?.length]),
    [
      [1, 60],
      [2, undefined],
    ],
  )
})

test('a page is rendered upright in about 200 dots per inch, and a huge one in fewer', async () => {
  const page = await readPage({ content: '0 0 0 rg 0 396 306 396 re f' })
  const { width, height, data } = await page.render()
  assert.deepEqual([width, height, data.length], [1700, 2200, 1700 * 2200 * 3])
  const pixel = (x: number, y: number) => data[3 * (y * width + x)]
  assert.deepEqual([pixel(100, 100), pixel(1600, 100), pixel(100, 2100)], [0, 255, 255])
  const huge = await readPage({ content: '', entries: '/MediaBox[0 0 14400 14400]' })
  const raster = await huge.render()
  assert.equal(raster.width, 4000)
})

const PIXELS = { create: { width: 30, height: 20, channels: 3, background: '#ff0000' } } as const

test('pictures are decoded upright, in three channels of 8 bits, on white', async () => {
  const turned = await sharp(PIXELS).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const gray = await sharp(PIXELS).toColourspace('b-w').png().toBuffer()
  const deep = await sharp(PIXELS).toColourspace('rgb16').png().toBuffer()
  const clear = await sharp({ create: { ...PIXELS.create, channels: 4, background: '#ff000000' } })
    .png()
    .toBuffer()
  const cmyk = await sharp(PIXELS).toColourspace('cmyk').jpeg().toBuffer()
  const pages = await readPages(turned, gray, deep, clear, cmyk)
  const rasters = await Promise.all(pages.map((page) => page.render()))
  assert.deepEqual(
    rasters.map((raster) => [raster.width, raster.height, raster.data.length]),
    [
      [20, 30, 1800],
      [30, 20, 1800],
      [30, 20, 1800],
      [30, 20, 1800],
      [30, 20, 1800],
    ],
  )
  assert.deepEqual([pages[0]?.width, pages[0]?.height], [20, 30])
  const [, grayPixels, deepPixels, clearPixels, cmykPixels] = rasters.map(({ data }) => [
    ...data.subarray(0, 3),
  ])
  assert.equal(new Set(grayPixels).size, 1)
  assert.deepEqual(deepPixels, [255, 0, 0])
  assert.deepEqual(clearPixels, [255, 255, 255])
  assert.ok((cmykPixels?.[0] ?? 0) > 180 && (cmykPixels?.[1] ?? 255) < 80, String(cmykPixels))
})
