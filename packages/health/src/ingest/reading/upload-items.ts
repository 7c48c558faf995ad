import { endOfValue } from './item-bytes.ts'
import type { Fields, ItemLayout, ReadItem } from './item-layout.ts'

/** Layouts of an upload; more of them are not worth trying. */
export const MOST_LAYOUTS = 8
const NO_LAYOUT = 255
const FIRST_CAPACITY = 1_024

/**
 * Items of an upload as columns of times and values, where thousands of objects would have the same
 * other fields. Stands in the list of an upload as its only entry.
 */
export class UploadItems {
  readonly #bytes: Buffer
  readonly layouts: ItemLayout[] = []
  #count = 0
  #layoutOf = new Uint8Array(FIRST_CAPACITY)
  #position = new Uint32Array(FIRST_CAPACITY)
  /** Starts, offsets, ends and values, item by item. */
  #numbers = new Float64Array(4 * FIRST_CAPACITY)

  /** @param bytes The body that has the items. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get count(): number {
    return this.#count
  }

  /** Adds an item of a layout, by its index, that begins at a position. */
  add(layout: number, position: number, read: ReadItem): void {
    const index = this.#count
    this.addOther(position)
    this.#layoutOf[index] = layout
    this.#numbers[4 * index] = read.startedAt
    this.#numbers[4 * index + 1] = read.offsetSeconds
    this.#numbers[4 * index + 2] = read.endedAt
    this.#numbers[4 * index + 3] = read.value
  }

  /** Adds an item without a layout. */
  addOther(position: number): void {
    if (this.#count === this.#layoutOf.length) this.#grow()
    this.#layoutOf[this.#count] = NO_LAYOUT
    this.#position[this.#count] = position
    this.#count += 1
  }

  /** Returns the index of the layout of an item, or -1. */
  layoutOf(index: number): number {
    const layout = this.#layoutOf[index] as number
    return layout === NO_LAYOUT ? -1 : layout
  }

  startedAt(index: number): number {
    return this.#numbers[4 * index] as number
  }

  /** Returns the offset that the start names, or null. */
  offsetSeconds(index: number): number | null {
    const offset = this.#numbers[4 * index + 1] as number
    return Number.isNaN(offset) ? null : offset
  }

  endedAt(index: number): number {
    return this.#numbers[4 * index + 2] as number
  }

  value(index: number): number {
    return this.#numbers[4 * index + 3] as number
  }

  /** Returns the first item of a layout. */
  itemOfLayout(layout: number): Fields {
    return (this.layouts[layout] as ItemLayout).item
  }

  /** Returns an item as it came. */
  itemAt(index: number): unknown {
    const start = this.#position[index] as number
    const end = endOfValue(this.#bytes, start, this.#bytes.length)
    return JSON.parse(this.#bytes.toString('utf8', start, end))
  }

  #grow(): void {
    const [layoutOf, position, numbers] = [this.#layoutOf, this.#position, this.#numbers]
    this.#layoutOf = new Uint8Array(2 * layoutOf.length)
    this.#layoutOf.set(layoutOf)
    this.#position = new Uint32Array(2 * position.length)
    this.#position.set(position)
    this.#numbers = new Float64Array(2 * numbers.length)
    this.#numbers.set(numbers)
  }
}
