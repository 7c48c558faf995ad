import { DAY_MS } from '@salus/contracts/time-units'
import { readParquet, wasmMemory } from 'parquet-wasm'

/** A column as Apache Arrow's reader of Parquet has it. */
export interface ArrowColumn {
  name: string
  /**
   * As in Arrow's C data interface: `l` is int64, `tsm:` a timestamp in milliseconds without a
   * zone.
   */
  format: string
  values: unknown[]
}

/** Reads the structs of Arrow's C data interface, whose pointers have 32 bits in WebAssembly. */
class ArrowMemory {
  private readonly view: DataView

  constructor(memory: WebAssembly.Memory) {
    this.view = new DataView(memory.buffer)
  }

  readSchemas(schema: number): { name: string; format: string }[] {
    return this.readPointers(schema + 32, this.readCount(schema + 24)).map((child) => {
      const format = this.readText(this.readPointer(child))
      const [item] = format === '+l' ? this.readSchemas(child) : []
      return {
        name: this.readText(this.readPointer(child + 4)),
        format: format + (item?.format ?? ''),
      }
    })
  }

  readChildren(array: number): number[] {
    return this.readPointers(array + 44, this.readCount(array + 32))
  }

  readValues(array: number, format: string): unknown[] {
    const { view } = this
    const [length, offset] = [this.readCount(array), this.readCount(array + 16)]
    const [validity = 0, data = 0, bytes = 0] = this.readPointers(
      array + 40,
      this.readCount(array + 24),
    )
    const readBit = (bits: number, at: number) =>
      ((view.getUint8(bits + (at >> 3)) >> (at & 7)) & 1) === 1
    const readSpan = (at: number): [number, number] => [
      view.getInt32(data + 4 * at, true),
      view.getInt32(data + 4 * at + 4, true),
    ]
    const items = format.startsWith('+l')
      ? this.readValues(this.readChildren(array)[0] ?? 0, format.slice(2))
      : []
    const readOne = (at: number): unknown => {
      if (validity !== 0 && !readBit(validity, at)) return null
      if (format === 'l') return view.getBigInt64(data + 8 * at, true)
      if (format === 'g') return view.getFloat64(data + 8 * at, true)
      if (format === 'b') return readBit(data, at)
      if (format === 'tdD') return new Date(DAY_MS * view.getInt32(data + 4 * at, true))
      if (format === 'tsm:') return new Date(Number(view.getBigInt64(data + 8 * at, true)))
      const [from, to] = readSpan(at)
      if (format === 'u') return Buffer.from(view.buffer, bytes + from, to - from).toString()
      if (format === '+lu') return items.slice(from, to)
      throw new Error(`no reader of ${format}`)
    }
    return Array.from({ length }, (_, at) => readOne(offset + at))
  }

  private readText(address: number): string {
    const bytes = new Uint8Array(this.view.buffer, address)
    return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString()
  }

  private readPointers(address: number, count: number): number[] {
    const first = this.readPointer(address)
    return Array.from({ length: count }, (_, at) => this.readPointer(first + 4 * at))
  }

  private readPointer(address: number): number {
    return this.view.getUint32(address, true)
  }

  private readCount(address: number): number {
    return Number(this.view.getBigInt64(address, true))
  }
}

/** The columns of a file as the Parquet of Apache Arrow reads them. */
export function readWithArrow(file: Uint8Array): ArrowColumn[] {
  const stream = readParquet(file).intoFFI()
  const memory = new ArrowMemory(wasmMemory() as WebAssembly.Memory)
  try {
    const chunks = [...stream.arrayAddrs()].map((chunk) => memory.readChildren(chunk))
    return memory.readSchemas(stream.schemaAddr()).map(({ name, format }, column) => ({
      name,
      format,
      values: chunks.flatMap((arrays) => memory.readValues(arrays[column] ?? 0, format)),
    }))
  } finally {
    stream.free()
  }
}
