import type { FileHandle } from 'node:fs/promises'
import {
  brotliDecompressSync,
  gunzipSync,
  type InputType,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib'
import { snappyUncompress } from 'hyparquet'
import { type ColumnChunk, type ColumnType, readBytes } from './footer.ts'
import { readRuns } from './runs.ts'
import { DAMAGED, invalidParquet, numberAt, structAt, type Thrift, ThriftReader } from './thrift.ts'
import { isTime, readPlain, type Values } from './values.ts'

/** Writers make pages of about a megabyte; one of each column is in memory as a whole. */
const MOST_PAGE_BYTES = 32 * 1024 ** 2
/** Of a constant column a few bytes hold any number of values. */
const MOST_PAGE_VALUES = 2 * 1024 ** 2
/** The header of a page, whose statistics may quote long texts. */
const HEADER_BYTES = 64 * 1024

const TOO_LARGE = invalidParquet('A page of the file is too large. Write smaller pages.')
const UNKNOWN_ENCODING = invalidParquet(
  'A column has an encoding without a reader. Write it plain or with a dictionary.',
)

const [DATA, , DICTIONARY, DATA_V2] = [...Array(4).keys()]
const [PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY] = [0, 2, 8]

type Decompress = (input: InputType, options: ZlibOptions) => Buffer

/** Decompression by the codecs of the format. */
const CODECS: Record<number, (input: Buffer, length: number) => Buffer> = {
  0: (input) => input,
  1: (input, length) => {
    const output = Buffer.allocUnsafeSlow(length)
    snappyUncompress(input, output)
    return output
  },
  2: byZlib(gunzipSync),
  4: byZlib(brotliDecompressSync as Decompress),
  6: byZlib(zstdDecompressSync as Decompress),
}

function byZlib(decompress: Decompress) {
  return (input: Buffer, length: number) =>
    decompress(input, { maxOutputLength: Math.max(length, 1) })
}

/** A page as its header describes it. */
interface Page {
  type: number
  encoding: number
  values: number
  bytes: Buffer
  length: number
  /** Of the second version, whose levels stand before the compressed part. */
  v2: Thrift[] | undefined
}

/** Reads one column of a row group, a page at a time. */
export class ColumnReader {
  /** Values of the page, of which the first `used` were taken. */
  page: Values = []
  used = 0
  readonly name: string
  /** Whether the values are epoch milliseconds. */
  readonly isTime: boolean
  readonly #file: FileHandle
  readonly #type: ColumnType
  readonly #chunk: ColumnChunk
  #position: number
  #dictionary: Values = []

  constructor(file: FileHandle, type: ColumnType, chunk: ColumnChunk) {
    this.name = type.name
    this.isTime = isTime(type)
    this.#file = file
    this.#type = type
    this.#chunk = chunk
    this.#position = chunk.start
  }

  get left(): number {
    return this.page.length - this.used
  }

  /** Reads pages until there are values. @throws AppError 400 when the column has no more */
  async fill(): Promise<void> {
    while (this.left <= 0) {
      const page = await this.#nextPage()
      this.used = 0
      this.page = []
      if (page.type === DICTIONARY) {
        this.#dictionary = readPlain(
          this.#type,
          this.#decompress(page.bytes, page.length),
          page.values,
        )
      } else if (page.type === DATA || page.type === DATA_V2) this.page = this.#valuesOf(page)
    }
  }

  async #nextPage(): Promise<Page> {
    const { end } = this.#chunk
    const left = Math.min(HEADER_BYTES, end - this.#position)
    if (left <= 0) throw DAMAGED
    const head = await readBytes(this.#file, this.#position, left)
    const reader = new ThriftReader(head)
    const header = reader.readStruct()
    const size = numberAt(header, 3) ?? -1
    const length = numberAt(header, 2) ?? -1
    const described = structAt(header, 5) ?? structAt(header, 8) ?? structAt(header, 7)
    const values = numberAt(described, 1) ?? 0
    const from = this.#position + reader.offset
    if (!(size >= 0 && length >= 0 && values >= 0) || from + size > end) throw DAMAGED
    if (Math.max(size, length) > MOST_PAGE_BYTES || values > MOST_PAGE_VALUES) throw TOO_LARGE
    this.#position = from + size
    const isInHead = reader.offset + size <= left
    const v2 = structAt(header, 8)
    return {
      ...{ type: numberAt(header, 1) ?? -1, values, length, v2 },
      encoding: numberAt(described, v2 === undefined ? 2 : 4) ?? -1,
      bytes: isInHead
        ? head.subarray(reader.offset, reader.offset + size)
        : await readBytes(this.#file, from, size),
    }
  }

  #decompress(bytes: Buffer, length: number): Buffer {
    const decompress = CODECS[this.#chunk.codec]
    if (decompress === undefined) {
      throw invalidParquet('The file has a compression without a reader: use zstd, gzip or snappy.')
    }
    try {
      return decompress(bytes, length)
    } catch {
      throw DAMAGED
    }
  }

  #valuesOf(page: Page): Values {
    const { bytes, levels } = page.v2 === undefined ? this.#splitV1(page) : this.#splitV2(page)
    if (levels === undefined) return this.#decode(page.encoding, bytes, page.values)
    let present = 0
    for (const level of levels) present += level & 1
    const values = this.#decode(page.encoding, bytes, present)
    if (present === page.values) return values
    const spread: Values = new Array(page.values)
    let next = 0
    for (const [index, level] of levels.entries()) {
      spread[index] = (level & 1) === 1 ? (values[next++] ?? null) : null
    }
    return spread
  }

  #splitV1(page: Page): { bytes: Buffer; levels: Int32Array | undefined } {
    const bytes = this.#decompress(page.bytes, page.length)
    if (!this.#type.isOptional) return { bytes, levels: undefined }
    if (bytes.length < 4) throw DAMAGED
    const end = 4 + bytes.readUInt32LE(0)
    if (end > bytes.length) throw DAMAGED
    return { bytes: bytes.subarray(end), levels: readRuns(bytes.subarray(4, end), 1, page.values) }
  }

  #splitV2(page: Page): { bytes: Buffer; levels: Int32Array | undefined } {
    const { v2, bytes, length, values } = page
    const end = (numberAt(v2, 5) ?? 0) + (numberAt(v2, 6) ?? 0)
    if (!(end >= 0 && end <= Math.min(bytes.length, length))) throw DAMAGED
    const isCompressed = v2?.[7] !== false && bytes.length > end
    const rest = bytes.subarray(end)
    const content = isCompressed ? this.#decompress(rest, length - end) : rest
    const isOptional = this.#type.isOptional
    const levels = isOptional ? readRuns(bytes.subarray(0, end), 1, values) : undefined
    return { bytes: content, levels }
  }

  #decode(encoding: number, bytes: Buffer, count: number): Values {
    if (encoding === PLAIN) return readPlain(this.#type, bytes, count)
    if (encoding !== RLE_DICTIONARY && encoding !== PLAIN_DICTIONARY) throw UNKNOWN_ENCODING
    if (count === 0) return []
    const words = this.#dictionary
    const positions = readRuns(bytes.subarray(1), bytes[0] ?? 0, count)
    const values: Values = new Array(count)
    for (let index = 0; index < count; index++) {
      const value = words[positions[index] ?? -1]
      if (value === undefined) throw DAMAGED
      values[index] = value
    }
    return values
  }
}
