import { deflateSync } from 'node:zlib'
import type { Random } from '../synthetic/random.ts'
import { show, writePdf, writeStream } from './pdf.ts'

// PDFs that attack their reader.

export interface HostileFile {
  name: string
  /** Creates the file on demand, because bombs take a while to build. */
  make(): Uint8Array
}

const LINES = Array.from({ length: 30 }, (_, index) =>
  show(`Glucose ${90 + index} mg/dL 70 - 99`, { x: 50, y: 740 - 20 * index }),
).join('')
const page = { content: LINES }
const HARMLESS = writePdf({ pages: [page, page] })
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const withObjects = (content: string, resources: string, ...objects: (string | Uint8Array)[]) =>
  writePdf({ pages: [{ content, resources }], objects })
const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 1024 * 1024))
const flate = (content: string | Buffer, filters = '/FlateDecode') =>
  writeStream(`/Filter[${filters}]`, content)

function image(
  width: number,
  height: number,
  entries = '',
  data: Uint8Array = zeros(1),
): Uint8Array {
  return writeStream(
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode${entries}`,
    data,
  )
}

const SHOW_IMAGE = 'q 612 0 0 792 0 0 cm /Im Do Q'
const IMAGE = '/XObject<</Im 10 0 R>>'
const FORM =
  '/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</Im 10 0 R/Other 11 0 R>>>>'
const PATTERN =
  '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.001/YStep 0.001/Resources<<>>'

/** Decompression bombs, loops and excessive sizes, one attack a file. */
const IDEAS: Record<string, () => Uint8Array> = {
  'a bomb in the content': () => withContent(flate(zeros(200))),
  'a bomb within a bomb': () =>
    withContent(flate(deflateSync(zeros(200)), '/FlateDecode/FlateDecode')),
  'filters upon filters': () => withContent(flate(zeros(1), '/FlateDecode'.repeat(500))),
  'a picture with more pixels than memory': () =>
    withObjects(SHOW_IMAGE, IMAGE, image(65_535, 65_535)),
  'a picture of a gigabyte': () =>
    withObjects(SHOW_IMAGE, IMAGE, image(20_000, 18_000, '', zeros(1000))),
  'a picture of negative size': () => withObjects(SHOW_IMAGE, IMAGE, image(-1, 2 ** 31)),
  'a fax without an end': () =>
    withObjects(
      SHOW_IMAGE,
      IMAGE,
      image(60_000, 60_000, '/DecodeParms<</K -1/Columns 60000>>').fill(0x55, 200, 300),
    ),
  'a picture whose mask is itself': () =>
    withObjects(SHOW_IMAGE, IMAGE, image(10, 10, '/SMask 10 0 R')),
  'a form that shows itself': () =>
    withObjects('/Im Do', IMAGE, writeStream(FORM, '/Im Do /Im Do')),
  'two forms that show each other': () =>
    withObjects(
      '/Im Do',
      IMAGE,
      writeStream(FORM, '/Other Do '.repeat(50)),
      writeStream(FORM, '/Im Do '.repeat(50)),
    ),
  'forms that double': () =>
    withObjects(
      '/Im Do',
      IMAGE,
      ...Array.from({ length: 40 }, (_, index) =>
        writeStream(
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A ${11 + index} 0 R>>>>`,
          '/A Do /A Do',
        ),
      ),
    ),
  'a pattern of a billion tiles': () =>
    withObjects(
      '/Pattern cs /P scn 0 0 612 792 re f',
      '/Pattern<</P 10 0 R>>',
      writeStream(PATTERN, '0 0 1 1 re f'),
    ),
  'a font that is drawn with itself': () =>
    withObjects(
      'BT /F9 10 Tf 50 700 Td (aaaa) Tj ET',
      '/Font<</F9 10 0 R>>',
      '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 11 0 R>>/Resources<</Font<</F9 10 0 R>>>>>>',
      writeStream('', 'BT /F9 10 Tf (aaaa) Tj ET'),
    ),
  'millions of lines': () =>
    withContent(flate(deflateSync(latin1('0 0 m 9 9 l S '.repeat(3_000_000))))),
  'millions of letters': () =>
    withContent(
      flate(deflateSync(latin1(`BT /F1 1 Tf ${'(aaaaaaaaaaaaaaaaaaaa) Tj '.repeat(200_000)} ET`))),
    ),
  'one endless word': () => withContent(`BT /F1 1 Tf (${'a'.repeat(2_000_000)}) Tj ET`),
  'a hundred thousand saved states': () => withContent(`${'q '.repeat(100_000)}${LINES}`),
  'arrays within arrays': () => withContent(`${'['.repeat(1_000_000)}`),
  'dictionaries within dictionaries': () =>
    writePdf({ pages: [page], objects: ['<</A '.repeat(200_000)] }),
  'a catalog of arrays within arrays': () =>
    writePdf({ pages: [page], catalog: `/A ${'['.repeat(300_000)}` }),
  'pages that are their own parents': () => edit('/Count 2/Kids[', '/Count 2/Kids[2 0 R '),
  'pages without an end': () => edit('/Count 2', '/Count 2000000000'),
  'fewer pages than none': () => edit('/Count 2', '/Count -7'),
  'a length beyond the file': () => edit(/\/Length \d+/g, '/Length 2147483647'),
  'a negative length': () => edit(/\/Length \d+/g, '/Length -1'),
  'a length that is itself': () => edit(/\/Length \d+/, '/Length 101 0 R'),
  'a table of objects that goes on with itself': () => edit('trailer\n<<', 'trailer\n<</Prev 9 '),
  'a table of a billion objects': () => edit(/xref\n0 \d+/, 'xref\n0 1000000000'),
  'a table that points nowhere': () => edit(/startxref\n\d+/, 'startxref\n99999999999999'),
  'tables of objects in a circle': () => {
    const start = HARMLESS.toString('latin1').indexOf('xref\n')
    return edit('trailer\n<<', `trailer\n<</Prev ${start} `)
  },
  'a page as wide as a country': () => edit('[0 0 612 792]', '[0 0 999999999 999999999]'),
  'a page without width': () => edit('[0 0 612 792]', '[0 0 0 0]'),
  'a page that is long and thin': () => edit('[0 0 612 792]', '[0 0 2 14000000]'),
  'a page that is no number': () => edit('[0 0 612 792]', '[/a 1e999 -nan null]'),
  'huge letters': () => withContent('BT /F1 99999999 Tf 1e30 0 0 1e30 0 0 Tm (Glucose 95) Tj ET'),
  'coordinates beyond numbers': () =>
    withContent('1e38 1e38 m -1e38 1e38 l 1e38 w S 0 0 1e38 1e38 re f'),
  'a curve of shading functions': () =>
    withObjects(
      '/S sh',
      '/Shading<</S 10 0 R>>',
      '<</ShadingType 1/ColorSpace/DeviceGray/Function 11 0 R/Domain[0 1e9 0 1e9]>>',
      writeStream(
        '/FunctionType 4/Domain[0 1e9 0 1e9]/Range[0 1]',
        `{${'dup mul '.repeat(50_000)}}`,
      ),
    ),
  'a bomb of objects': () =>
    writePdf({
      pages: [page],
      objects: [writeStream('/Type/ObjStm/N 9/First 9/Filter/FlateDecode', zeros(100))],
    }),
  'a script': () =>
    writePdf({ pages: [page], catalog: '/OpenAction<</S/JavaScript/JS(while\\(1\\){})>>' }),
  'a program to start': () =>
    writePdf({ pages: [page], catalog: '/OpenAction<</S/Launch/F(sh)>>' }),
  'a comment that is its own reply': () =>
    writePdf({
      pages: [{ ...page, entries: '/Annots[10 0 R 10 0 R]' }],
      objects: [
        '<</Type/Annot/Subtype/Text/Parent 10 0 R/IRT 10 0 R/Popup 10 0 R/Rect[0 0 9 9]/AP<</N 10 0 R>>>>',
      ],
    }),
  'ten thousand comments': () =>
    writePdf({
      pages: [{ ...page, entries: `/Annots[${'10 0 R '.repeat(10_000)}]` }],
      objects: [
        '<</Type/Annot/Subtype/Square/Rect[0 0 99 99]/AP<</N 11 0 R>>>>',
        writeStream(FORM, LINES),
      ],
    }),
  'a password': () =>
    writePdf({
      pages: [page],
      objects: ['<</Filter/Standard/V 5/R 6/O<00>/U<00>>>'],
      trailer: '/Encrypt 10 0 R',
    }),
  'an archive behind it': () =>
    Buffer.concat([HARMLESS, latin1('PK\x03\x04'), Buffer.alloc(1000, 7)]),
  'an archive before it': () => Buffer.concat([latin1('PK\x03\x04'), HARMLESS]),
  'a page of the web before it': () =>
    Buffer.concat([latin1('<html><script>1</script>'), HARMLESS]),
  'only a beginning': () => latin1('%PDF-1.7\n'),
  'only an end': () => latin1('%PDF-1.7\n%%EOF'),
}

function withContent(content: string | Uint8Array): Uint8Array {
  if (typeof content === 'string') return writePdf({ pages: [{ content }] })
  const pdf = writePdf({ pages: [page], objects: [content] }).toString('latin1')
  return latin1(pdf.replace('/Contents 101 0 R', '/Contents  10 0 R'))
}

function edit(what: string | RegExp, by: string): Buffer {
  return latin1(HARMLESS.toString('latin1').replace(what, by))
}

export function listHostilePdfs(): HostileFile[] {
  return Object.entries(IDEAS).map(([name, write]) => ({ name: `PDF: ${name}`, make: write }))
}

/** Damages a harmless file in one way, at random places. */
export function mutate(bytes: Uint8Array, random: Random): { kind: string; bytes: Uint8Array } {
  const place = () => random.whole(0, bytes.length - 1)
  const [from, to] = [place(), place()].sort((one, other) => one - other) as [number, number]
  const kind = random.pick(['bytes', 'cut', 'hole', 'twice', 'swapped', 'numbers', 'zeros'])
  const copy = Buffer.from(bytes)
  switch (kind) {
    case 'cut':
      return { kind, bytes: copy.subarray(0, from) }
    case 'hole':
      return { kind, bytes: Buffer.concat([copy.subarray(0, from), copy.subarray(to)]) }
    case 'twice':
      return { kind, bytes: Buffer.concat([copy.subarray(0, to), copy.subarray(from)]) }
    case 'swapped':
      return {
        kind,
        bytes: Buffer.concat([copy.subarray(0, 8), copy.subarray(to), copy.subarray(8, to)]),
      }
    case 'zeros':
      return { kind, bytes: copy.fill(0, from, Math.min(to, from + 500)) }
    case 'numbers': {
      const text = copy
        .toString('latin1')
        .replace(/\d+/g, (number) =>
          random.chance(0.05) ? String(random.whole(0, 2 ** 31)) : number,
        )
      return { kind, bytes: latin1(text) }
    }
    default:
      for (let count = random.whole(1, 40); count > 0; count--) copy[place()] = random.whole(0, 255)
      return { kind, bytes: copy }
  }
}

/** PDFs that are mutated. */
export const HARMLESS_PDFS: readonly Uint8Array[] = [
  HARMLESS,
  withObjects(SHOW_IMAGE, IMAGE, image(300, 400)),
  withContent(flate(deflateSync(latin1(LINES)))),
]
