import { randomUUID } from 'node:crypto'
import { checkParsedJson, JSON_LIMITS } from '@salus/kernel/http/json-limits'
import { WorkSlice } from '@salus/kernel/time-slices'
import {
  CLOSE_LIST,
  COLON,
  COMMA,
  endOfValue,
  ItemReader,
  OPEN_LIST,
  OPEN_OBJECT,
  skipSpace,
} from './item-bytes.ts'
import { type Fields, ItemLayout, newReadItem, type ReadItem } from './item-layout.ts'
import { MOST_LAYOUTS, UploadItems } from './upload-items.ts'

/** Bytes before and after the list, in which no limit of JSON can be exceeded unnoticed. */
const MOST_AROUND_BYTES = 8 * 1024
/** The same for an item. */
const MOST_ITEM_BYTES = 32 * 1024
/** Bytes of items that have no layout yet; beyond it the parser is as fast. */
const MOST_OTHER_BYTES = 512 * 1024
const FEW_OTHERS = 64
/** Items between two looks at the time. */
const ITEMS_A_LOOK = 256

const KEY = Buffer.from('"data"')

type ParseText = (text: string) => unknown

/**
 * Reads the body of an upload in one pass, without making an object of each item: `data` has
 * UploadItems as its only entry. Returns undefined for any body of which it is not sure, such as
 * one that is no JSON or exceeds a limit: that is parsed as all other bodies are.
 *
 * Why a part is enough to parse: a parser is in the same state after any list of valid values with
 * commas between them. So a body is JSON when it is with another list, and each item is JSON.
 * @param parse Parses a text at once.
 */
export async function readUpload(bytes: Buffer, parse: ParseText): Promise<unknown> {
  const start = startOfList(bytes)
  if (start === -1) return undefined
  try {
    const found = await readItems(bytes, start, parse)
    if (found === undefined || bytes.length - found.end > MOST_AROUND_BYTES) return undefined
    // Stands for the items in the text around them; no client can know it.
    const placeholder = randomUUID()
    const text = `${bytes.toString('utf8', 0, start)}"${placeholder}"${bytes.toString('utf8', found.end)}`
    const body = parse(text)
    checkParsedJson(body)
    return hasPlaceholder(body, placeholder) ? { ...body, data: [found.items] } : undefined
  } catch {
    // The way that all bodies take finds the same error, and says where it is.
    return undefined
  }
}

function hasPlaceholder(body: unknown, placeholder: string): body is Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  const { data } = body as Fields
  return Array.isArray(data) && data.length === 1 && data[0] === placeholder
}

/** Returns the position after the bracket that opens the list of items, or -1. */
function startOfList(bytes: Buffer): number {
  const key = bytes.indexOf(KEY)
  if (key === -1 || key > MOST_AROUND_BYTES) return -1
  const colon = skipSpace(bytes, key + KEY.length)
  const list = skipSpace(bytes, colon + 1)
  return bytes[colon] === COLON && bytes[list] === OPEN_LIST ? list + 1 : -1
}

async function readItems(
  bytes: Buffer,
  start: number,
  parse: ParseText,
): Promise<{ items: UploadItems; end: number } | undefined> {
  const slice = new WorkSlice()
  const items = new UploadItems(bytes)
  const others = new OtherItems(bytes, items, parse)
  const reader = new ItemReader(bytes)
  const read = newReadItem()
  let at = start
  for (let layout = 0; ; ) {
    at = skipSpace(bytes, at)
    if (bytes[at] !== OPEN_OBJECT || items.count === JSON_LIMITS.listEntries) return undefined
    layout = findLayout(items.layouts, layout, reader, at, read)
    if (layout === -1) {
      reader.at = others.read(at)
      if (reader.at === -1) return undefined
      layout = Math.max(0, items.layouts.length - 1)
    } else items.add(layout, at, read)
    at = skipSpace(bytes, reader.at)
    if (bytes[at] === CLOSE_LIST) return { items, end: at }
    if (bytes[at] !== COMMA) return undefined
    at += 1
    if (items.count % ITEMS_A_LOOK === 0 && slice.isOver()) await slice.rest()
  }
}

/** Reads the item at a position by the last layout or another one; returns its index, or -1. */
function findLayout(
  layouts: readonly ItemLayout[],
  last: number,
  reader: ItemReader,
  at: number,
  into: ReadItem,
): number {
  reader.at = at
  if (layouts[last]?.read(reader, into)) return last
  for (let index = 0; index < layouts.length; index++) {
    reader.at = at
    if (index !== last && (layouts[index] as ItemLayout).read(reader, into)) return index
  }
  return -1
}

/** Items that the parser reads; the layout of each is one for those that follow. */
class OtherItems {
  readonly #bytes: Buffer
  readonly #items: UploadItems
  readonly #parse: ParseText
  #count = 0
  #length = 0

  constructor(bytes: Buffer, items: UploadItems, parse: ParseText) {
    this.#bytes = bytes
    this.#items = items
    this.#parse = parse
  }

  /** Adds the item at a position; returns the position after it, or -1. */
  read(at: number): number {
    const limit = Math.min(this.#bytes.length, at + MOST_ITEM_BYTES)
    const end = endOfValue(this.#bytes, at, limit)
    this.#count += 1
    this.#length += end - at
    const isRare = this.#count <= FEW_OTHERS || this.#count * 8 <= this.#items.count
    if (end === -1 || !isRare || this.#length > MOST_OTHER_BYTES) return -1
    const item = this.#parse(this.#bytes.toString('utf8', at, end)) as Fields
    checkParsedJson(item)
    const { layouts } = this.#items
    this.#items.addOther(at)
    if (layouts.length === MOST_LAYOUTS) return end
    const layout = ItemLayout.of(this.#bytes, at, end, item)
    if (layout !== undefined) layouts.push(layout)
    return end
  }
}
