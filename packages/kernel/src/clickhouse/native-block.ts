import { ByteText } from '../byte-text.ts'

/** Dictionary of a low-cardinality column: own keys in the block, none shared with others. */
const DICTIONARY_VERSION = 1n
const OWN_KEYS = 0x600n
/** Widths of the indexes into a dictionary, in the order of their codes. */
const INDEXES = [Uint8Array, Uint16Array, Uint32Array] as const
const TWO_TO_32 = 2 ** 32

/**
 * Columns in ClickHouse's Native format, which the engine copies where it would parse the text of
 * other formats value by value.
 */
export class NativeBlock {
  /** Types by column name, in the order of the columns. */
  readonly columns: Record<string, string> = {}
  readonly rowCount: number
  readonly #parts: Uint8Array[] = []

  constructor(rowCount: number) {
    this.rowCount = rowCount
  }

  /** Adds a column of Float64. */
  addNumbers(name: string, numbers: Float64Array): void {
    this.#begin(name, 'Float64')
    this.#add(numbers)
  }

  /** Adds a column of a type of whole numbers of 64 bits, from exact numbers of JavaScript. */
  addIntegers(name: string, type: string, numbers: Float64Array): void {
    this.#begin(name, type)
    const halves = new Uint32Array(2 * numbers.length)
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index] as number
      halves[2 * index] = number
      halves[2 * index + 1] = Math.floor(number / TWO_TO_32)
    }
    this.#add(halves)
  }

  /** Adds a column of String. */
  addTexts(name: string, texts: readonly string[]): void {
    this.#begin(name, 'String')
    this.#parts.push(textBytes(texts))
  }

  /** Adds a column of LowCardinality(String): the text of each row by its index. */
  addDictionary(name: string, texts: readonly string[], indexes: readonly number[]): void {
    this.#begin(name, 'LowCardinality(String)')
    const code = texts.length <= 2 ** 8 ? 0 : texts.length <= 2 ** 16 ? 1 : 2
    const Indexes = INDEXES[code]
    this.#add(BigUint64Array.of(DICTIONARY_VERSION, OWN_KEYS | BigInt(code), BigInt(texts.length)))
    this.#parts.push(textBytes(texts))
    this.#add(BigUint64Array.of(BigInt(indexes.length)))
    const column = new Indexes(indexes.length)
    for (let row = 0; row < indexes.length; row++) column[row] = indexes[row] as number
    this.#add(column)
  }

  toBytes(): Buffer {
    const head = new ByteText(32)
    head.addLength(Object.keys(this.columns).length)
    head.addLength(this.rowCount)
    return Buffer.concat([head.finish(), ...this.#parts])
  }

  #begin(name: string, type: string): void {
    this.columns[name] = type
    this.#parts.push(textBytes([name, type]))
  }

  #add(values: ArrayBufferView): void {
    this.#parts.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }
}

function textBytes(texts: readonly string[]): Uint8Array {
  const to = new ByteText(texts.length + 64)
  for (const text of texts) {
    if (text === '') {
      to.addByte(0)
      continue
    }
    to.addLength(Buffer.byteLength(text))
    to.addText(text)
  }
  return to.finish()
}
