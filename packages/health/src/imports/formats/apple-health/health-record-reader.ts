import { malformedXml } from '../../files/import-file-error.ts'
import { type HealthRecord, NO_TEXT, type TextMap } from './health-data.ts'
import { AttributeInterner, decodeAttribute, fromUtf8 } from './xml-attribute-text.ts'
import { startsWithBytes, type XmlTag } from './xml-tag.ts'

const SLOT_NAMES = [
  'type',
  'unit',
  'value',
  'sourceName',
  'sourceVersion',
  'device',
  'creationDate',
  'startDate',
  'endDate',
] as const
/** Values and times are nearly all different; caching them would only cost memory. */
const INTERNED = new Set<string>(['type', 'unit', 'sourceName', 'sourceVersion', 'device'])
const SLOT_BYTES = SLOT_NAMES.map((name) => new Uint8Array(Buffer.from(name)))
const SLOTS_BY_LENGTH: number[][] = []
SLOT_NAMES.forEach((name, slot) => {
  SLOTS_BY_LENGTH[name.length] = [...(SLOTS_BY_LENGTH[name.length] ?? []), slot]
})

/** Converts the start tags of records and correlations to objects of one constant shape. */
export class HealthRecordReader {
  readonly #values: (string | undefined)[] = SLOT_NAMES.map(() => undefined)
  readonly #headValues: (string | undefined)[] = SLOT_NAMES.map(() => undefined)
  readonly #interners = SLOT_NAMES.map((name) =>
    INTERNED.has(name) ? new AttributeInterner() : undefined,
  )

  read(tag: XmlTag, insideCorrelation: boolean): HealthRecord {
    const values = this.#values
    const head = this.#headValues
    const known = tag.headAttributes
    for (let slot = 0; slot < values.length; slot++) {
      values[slot] = known > 0 ? head[slot] : undefined
    }
    const headEnd = this.#readFrom(tag, known)
    if (known === 0 && headEnd > 0) this.#rememberHead(tag, headEnd)
    return {
      type: values[0] ?? '',
      unit: values[1],
      value: values[2],
      sourceName: values[3] ?? '',
      sourceVersion: values[4],
      device: values[5],
      creationDate: values[6],
      startDate: values[7] ?? '',
      endDate: values[8] ?? '',
      metadata: NO_TEXT,
      insideCorrelation,
    }
  }

  #rememberHead(tag: XmlTag, attributes: number): void {
    tag.rememberHead(attributes)
    this.#headValues.fill(undefined)
    for (let attribute = 0; attribute < attributes; attribute++) {
      const slot = slotOf(tag, attribute)
      this.#headValues[slot] = this.#values[slot]
    }
  }

  /** Returns how many of the first attributes are the interned ones that repeat. */
  #readFrom(tag: XmlTag, first: number): number {
    const values = this.#values
    const count = tag.attributeCount
    let headEnd = 0
    for (let attribute = first; attribute < count; attribute++) {
      const slot = slotOf(tag, attribute)
      if (slot < 0) continue
      if (values[slot] !== undefined) throw malformedXml(tag.base + tag.nameStartOf(attribute))
      const interner = this.#interners[slot]
      values[slot] = interner ? interner.read(tag, attribute) : decodeAttribute(tag, attribute)
      if (interner && headEnd === attribute) headEnd++
    }
    return headEnd
  }
}

function slotOf(tag: XmlTag, attribute: number): number {
  const start = tag.nameStartOf(attribute)
  const slots = SLOTS_BY_LENGTH[tag.nameEndOf(attribute) - start]
  if (slots === undefined) return -1
  for (const slot of slots) {
    if (startsWithBytes(tag.bytes, start, SLOT_BYTES[slot] as Uint8Array)) return slot
  }
  return -1
}

/** Returns all attributes of a tag, for elements that are too rare to need a shape. */
export function readAttributes(tag: XmlTag): TextMap {
  const attributes = new Map<string, string>()
  for (let attribute = 0; attribute < tag.attributeCount; attribute++) {
    const name = fromUtf8(tag.text.slice(tag.nameStartOf(attribute), tag.nameEndOf(attribute)))
    if (attributes.has(name)) throw malformedXml(tag.base + tag.nameStartOf(attribute))
    attributes.set(name, decodeAttribute(tag, attribute))
  }
  return attributes
}
