import { ImportFileError } from '../../files/import-file-error.ts'
import {
  type HealthCorrelation,
  type HealthRecord,
  type HealthWorkout,
  NO_TEXT,
  type TextMap,
} from './health-data.ts'
import { HealthRecordReader, readAttributes } from './health-record-reader.ts'
import { AttributeInterner, decodeAttribute, fromUtf8 } from './xml-attribute-text.ts'
import { startsWithBytes, type XmlTag } from './xml-tag.ts'
import { XmlTokenizer } from './xml-tokenizer.ts'

export interface HealthDataHandlers {
  /** Receives a top-level record. Records of correlations are only part of their correlation. */
  onRecord(record: HealthRecord): void
  onCorrelation(correlation: HealthCorrelation): void
  onWorkout(workout: HealthWorkout): void
  /** Receives any other child of the root: ExportDate, Me, ActivitySummary, ClinicalRecord, … */
  onOther(elementName: string, attributes: TextMap): void
}

const KEY = new Uint8Array(Buffer.from('key'))
const VALUE = new Uint8Array(Buffer.from('value'))
const ROOT = 'HealthData'
const ELEMENTS = [
  'Record',
  'MetadataEntry',
  'InstantaneousBeatsPerMinute',
  'HeartRateVariabilityMetadataList',
  'Correlation',
  'Workout',
  'WorkoutEvent',
  'WorkoutStatistics',
  'WorkoutRoute',
  'FileReference',
  'ActivitySummary',
]

/**
 * Reads an Apple Health export as it arrives. Memory does not depend on the size of the file.
 *
 * Apple's document type says that records inside a correlation also appear at the top level, so
 * they are not passed to onRecord and nothing is counted twice. A caller who takes a reading from
 * its correlation must ignore the same readings at the top level.
 *
 * Strings longer than a few characters may share memory with their chunk; copy one that is kept for
 * long. type, unit, sourceName, sourceVersion and device are shared copies: equal texts are the
 * same string.
 *
 * write() and end() throw ImportFileError: malformed_xml, or not_an_export for another root
 * element, after everything complete before the fault was delivered.
 */
export class HealthDataScanner {
  readonly #handlers: HealthDataHandlers
  readonly #tokenizer: XmlTokenizer
  readonly #reader = new HealthRecordReader()
  readonly #keys = new AttributeInterner()
  #record: HealthRecord | undefined
  #correlation: HealthCorrelation | undefined
  #workout: HealthWorkout | undefined
  #isInRoute = false

  constructor(handlers: HealthDataHandlers) {
    this.#handlers = handlers
    this.#tokenizer = new XmlTokenizer(
      {
        onOpenTag: (tag, name, depth) => this.#onOpenTag(tag, name, depth),
        onCloseTag: (depth) => this.#onCloseTag(depth),
      },
      [ROOT, ...ELEMENTS],
    )
  }

  write(chunk: Uint8Array): void {
    this.#tokenizer.write(chunk)
  }

  end(): void {
    this.#tokenizer.end()
  }

  #onOpenTag(tag: XmlTag, name: string, depth: number): void {
    if (depth === 1) this.#openItem(tag, name)
    else if (depth === 2) this.#openChild(tag, name)
    else if (depth === 0 && name !== ROOT) throw new ImportFileError('not_an_export')
    else if (depth === 3 && name === 'MetadataEntry' && this.#correlation && this.#record) {
      this.#addMetadata(tag, this.#record)
    } else if (depth === 3 && name === 'FileReference' && this.#isInRoute) {
      const path = readAttributes(tag).get('path')
      if (path !== undefined) this.#workout?.routes.push(path)
    }
  }

  #openItem(tag: XmlTag, name: string): void {
    if (name === 'Record') {
      this.#record = this.#reader.read(tag, false)
    } else if (name === 'Correlation') {
      this.#correlation = this.#readCorrelation(tag)
    } else if (name === 'Workout') {
      this.#workout = {
        attributes: readAttributes(tag),
        metadata: NO_TEXT,
        statistics: [],
        events: [],
        routes: [],
      }
    } else {
      this.#handlers.onOther(fromUtf8(name), readAttributes(tag))
    }
  }

  #openChild(tag: XmlTag, name: string): void {
    if (name === 'MetadataEntry') {
      const item = this.#record ?? this.#correlation ?? this.#workout
      if (item !== undefined) this.#addMetadata(tag, item)
    } else if (name === 'Record' && this.#correlation !== undefined) {
      this.#record = this.#reader.read(tag, true)
    } else if (this.#workout !== undefined) {
      this.#openPartOfWorkout(tag, name, this.#workout)
    }
  }

  #openPartOfWorkout(tag: XmlTag, name: string, workout: HealthWorkout): void {
    if (name === 'WorkoutStatistics') workout.statistics.push(readAttributes(tag))
    else if (name === 'WorkoutEvent') workout.events.push(readAttributes(tag))
    this.#isInRoute = name === 'WorkoutRoute'
  }

  #onCloseTag(depth: number): void {
    if (depth === 1) this.#closeItem()
    else if (depth === 2 && this.#correlation !== undefined && this.#record !== undefined) {
      this.#correlation.records.push(this.#record)
      this.#record = undefined
    }
  }

  #closeItem(): void {
    if (this.#record !== undefined) this.#handlers.onRecord(this.#record)
    else if (this.#correlation !== undefined) this.#handlers.onCorrelation(this.#correlation)
    else if (this.#workout !== undefined) this.#handlers.onWorkout(this.#workout)
    this.#record = undefined
    this.#correlation = undefined
    this.#workout = undefined
    this.#isInRoute = false
  }

  #readCorrelation(tag: XmlTag): HealthCorrelation {
    const { type, sourceName, sourceVersion, device, creationDate, startDate, endDate } =
      this.#reader.read(tag, false)
    return {
      type,
      sourceName,
      sourceVersion,
      device,
      creationDate,
      startDate,
      endDate,
      metadata: NO_TEXT,
      records: [],
    }
  }

  #addMetadata(tag: XmlTag, item: { metadata: TextMap }): void {
    const [key, value] = this.#readMetadata(tag)
    const entries = item.metadata === NO_TEXT ? new Map() : (item.metadata as Map<string, string>)
    item.metadata = entries.set(key, value)
  }

  #readMetadata(tag: XmlTag): [key: string, value: string] {
    let key = ''
    let value = ''
    for (let attribute = 0; attribute < tag.attributeCount; attribute++) {
      const start = tag.nameStartOf(attribute)
      const length = tag.nameEndOf(attribute) - start
      if (length === KEY.length && startsWithBytes(tag.bytes, start, KEY)) {
        key = this.#keys.read(tag, attribute)
      } else if (length === VALUE.length && startsWithBytes(tag.bytes, start, VALUE)) {
        value = decodeAttribute(tag, attribute)
      }
    }
    return [key, value]
  }
}

/**
 * Scans a whole stream. The handlers run synchronously; a caller who has to wait for a store
 * between chunks uses HealthDataScanner itself.
 */
export async function scanHealthData(
  stream: AsyncIterable<Uint8Array>,
  handlers: HealthDataHandlers,
): Promise<void> {
  const scanner = new HealthDataScanner(handlers)
  for await (const chunk of stream) scanner.write(chunk)
  scanner.end()
}
