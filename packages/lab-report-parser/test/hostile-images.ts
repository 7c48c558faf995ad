import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { HostileFile } from './hostile-pdfs.ts'
import { writePdf } from './pdf.ts'

// Pictures that attack their decoder.

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 1024 * 1024))

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([latin1(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface PngHeader {
  width: number
  height: number
  depth?: number
  colors?: number
  interlace?: number
}

function header({ width, height, depth = 8, colors = 2, interlace = 0 }: PngHeader): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  data.set([depth, colors, 0, 0, interlace], 8)
  return chunk('IHDR', data)
}

function png(about: PngHeader, data: Uint8Array = zeros(1), ...more: Buffer[]): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    header(about),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const SMALL = { width: 300, height: 300 }

const PNGS: Record<string, () => Buffer> = {
  'more pixels than memory': () => png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }),
  'a picture of 65 thousand by 65 thousand': () =>
    png({ width: 65_535, height: 65_535 }, zeros(10)),
  'a bomb of 16 bits': () => png({ width: 8_000, height: 8_000, depth: 16, colors: 6 }, zeros(500)),
  'a bomb that is interlaced': () =>
    png({ width: 8_000, height: 8_000, depth: 16, colors: 6, interlace: 1 }, zeros(500)),
  'a line of 70 million pixels': () => png({ width: 70_000_000, height: 1 }, zeros(200)),
  'a column of 70 million pixels': () => png({ width: 1, height: 70_000_000 }, zeros(200)),
  'no pixels': () => png({ width: 0, height: 0 }),
  'no data': () => Buffer.concat([PNG_SIGNATURE, header(SMALL), chunk('IEND', Buffer.alloc(0))]),
  'colors without a palette': () => png({ ...SMALL, colors: 3 }),
  'a depth that is none': () => png({ ...SMALL, depth: 3 }),
  'a bomb in a comment': () =>
    png(SMALL, zeros(1), chunk('zTXt', Buffer.concat([latin1('a\0\0'), zeros(300)]))),
  'a bomb in a color profile': () =>
    png(SMALL, zeros(1), chunk('iCCP', Buffer.concat([latin1('a\0\0'), zeros(300)]))),
  'ten thousand comments': () =>
    png(
      SMALL,
      zeros(1),
      ...Array.from({ length: 10_000 }, (_, index) => chunk('tEXt', latin1(`k${index}\0v`))),
    ),
  'a chunk that says it is longer': () => png(SMALL).fill(0xff, 33, 37),
  'frames of an animation': () =>
    png(SMALL, zeros(1), chunk('acTL', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]))),
  'too little data': () => png({ width: 3_000, height: 3_000 }, deflateSync(Buffer.alloc(100))),
  'a PDF behind it': () => Buffer.concat([png(SMALL), writePdf({ pages: [{ content: '' }] })]),
  'a page of the web in a comment': () =>
    png(SMALL, zeros(1), chunk('tEXt', latin1('a\0<script>1</script>'))),
  'only its signature': () => PNG_SIGNATURE,
}

/** Returns the picture with another size in its frame header. */
function resizeJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg)
  const frame = copy.findIndex(
    (byte, index) => byte === 0xff && [0xc0, 0xc2].includes(copy[index + 1] ?? 0),
  )
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}

function insert(jpeg: Buffer, marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(Math.min(0xffff, data.length + 2), 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)])
}

/** A TIFF directory that links to itself, with an entry of an impossible length. */
const EXIF_LOOP = Buffer.concat([
  latin1('Exif\0\0MM\0*\0\0\0\b'),
  Buffer.from([0, 1, 0x01, 0x12, 0, 3, 0xff, 0xff, 0xff, 0xff, 0, 9, 0, 0, 0, 0, 0, 8]),
])

const JPEGS: Record<string, (jpeg: Buffer, progressive: Buffer) => Buffer> = {
  'a picture of 65 thousand by 65 thousand': (jpeg) => resizeJpeg(jpeg, 65_535, 65_535),
  'a picture of 70 million pixels with data for few': (jpeg) => resizeJpeg(jpeg, 8_000, 8_000),
  'a progressive bomb': (_, progressive) => resizeJpeg(progressive, 8_000, 8_000),
  'a thousand scans': (_, progressive) => {
    const scan = progressive.lastIndexOf(Buffer.from([0xff, 0xda]))
    const last = progressive.subarray(scan, progressive.length - 2)
    return Buffer.concat([
      resizeJpeg(progressive, 6_000, 6_000).subarray(0, scan),
      ...Array(1_000).fill(last),
      Buffer.from([0xff, 0xd9]),
    ])
  },
  'no pixels': (jpeg) => resizeJpeg(jpeg, 0, 0),
  'its first half': (jpeg) => jpeg.subarray(0, jpeg.length / 2),
  'no tables': (jpeg) =>
    Buffer.from(jpeg).fill(
      0,
      jpeg.indexOf(Buffer.from([0xff, 0xc4])),
      jpeg.indexOf(Buffer.from([0xff, 0xda])),
    ),
  'directories in a circle': (jpeg) => insert(jpeg, 0xe1, EXIF_LOOP),
  'a segment that says it is longer': (jpeg) => insert(jpeg, 0xe2, Buffer.alloc(70_000)),
  'a color profile of noise': (jpeg) =>
    insert(jpeg, 0xe2, Buffer.concat([latin1('ICC_PROFILE\0\x01\x01'), Buffer.alloc(5_000, 0x61)])),
  'a PDF behind it': (jpeg) => Buffer.concat([jpeg, writePdf({ pages: [{ content: '' }] })]),
  'an archive behind it': (jpeg) => Buffer.concat([jpeg, latin1('PK\x03\x04')]),
  'a script in a comment': (jpeg) => insert(jpeg, 0xfe, latin1('<script>1</script>')),
  'only its signature': (jpeg) => jpeg.subarray(0, 3),
}

/** Pictures that are mutated. */
export async function makeHarmlessImages(): Promise<Buffer[]> {
  const create = { width: 400, height: 300, channels: 3, background: '#f4f4f4' } as const
  const noisy = sharp({ create: { ...create, noise: { type: 'gaussian', mean: 200, sigma: 30 } } })
  return Promise.all([
    noisy.clone().jpeg().toBuffer(),
    noisy.clone().jpeg({ progressive: true }).toBuffer(),
    noisy.clone().png().toBuffer(),
    noisy.clone().png({ progressive: true, palette: true }).toBuffer(),
  ])
}

export async function listHostileImages(): Promise<HostileFile[]> {
  const [jpeg, progressive] = (await makeHarmlessImages()) as [Buffer, Buffer]
  return [
    ...Object.entries(PNGS).map(([name, write]) => ({ name: `PNG: ${name}`, make: write })),
    ...Object.entries(JPEGS).map(([name, write]) => ({
      name: `JPEG: ${name}`,
      make: () => write(jpeg, progressive),
    })),
  ]
}
