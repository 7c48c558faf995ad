import { parseAppleDate } from '../apple-dates.ts'
import { type AppleProduct, appleProductOf, parseAppleDevice } from '../apple-device.ts'
import type { HealthCorrelation, HealthRecord, HealthWorkout } from '../health-data.ts'
import type { HealthDataHandlers } from '../health-data-scanner.ts'
import { KnownSources, type SeenDevice } from './known-sources.ts'

/** Records that only one Apple product can write. */
const ONLY_OF: Readonly<Record<string, AppleProduct>> = {
  HKCategoryTypeIdentifierAppleStandHour: 'Watch',
  HKQuantityTypeIdentifierAppleStandTime: 'Watch',
  HKQuantityTypeIdentifierAppleSleepingWristTemperature: 'Watch',
  HKQuantityTypeIdentifierAppleWalkingSteadiness: 'iPhone',
}

/** A file names a few dozen; more can only be a fault, and would fill memory. */
const MOST_SOURCES = 10_000
const MOST_DEVICES = 1_000

type Sourced = Pick<HealthRecord, 'type' | 'sourceName' | 'device' | 'startDate'>

interface SeenSource {
  /** Devices by the text of the attribute, which is constant within one export. */
  devices: Map<string, SeenDevice | null>
  only: AppleProduct | undefined
}

/**
 * Records from which Apple devices the sources of an export write, in a pass before the import: a
 * sleep without a device may precede or follow the heart rates of the same watch that name it.
 */
export class SourceCollector implements HealthDataHandlers {
  readonly #sources = new Map<string, SeenSource>()

  onRecord(record: Sourced): void {
    const source = this.#sourceOf(record.sourceName)
    if (source === undefined) return
    source.only ??= Object.hasOwn(ONLY_OF, record.type) ? ONLY_OF[record.type] : undefined
    if (record.device) this.#countDevice(source, record.device, record.startDate)
  }

  onCorrelation({ records, ...whole }: HealthCorrelation): void {
    this.onRecord(whole)
    for (const record of records) this.onRecord(record)
  }

  onWorkout({ attributes }: HealthWorkout): void {
    this.onRecord({
      type: 'Workout',
      sourceName: attributes.get('sourceName') ?? '',
      device: attributes.get('device'),
      startDate: attributes.get('startDate') ?? '',
    })
  }

  onOther(): void {}

  /** Returns the sources seen so far. */
  known(): KnownSources {
    const sources = [...this.#sources].map(([name, { devices, only }]) => ({
      name,
      devices: [...devices.values()].filter((device) => device !== null),
      only,
    }))
    return new KnownSources(sources)
  }

  #sourceOf(name: string): SeenSource | undefined {
    const knownSources = this.#sources.get(name)
    if (knownSources !== undefined || this.#sources.size >= MOST_SOURCES) return knownSources
    const source: SeenSource = { devices: new Map(), only: undefined }
    // Texts of the file retain the part that they were cut from.
    this.#sources.set(structuredClone(name), source)
    return source
  }

  #countDevice({ devices }: SeenSource, text: string, startDate: string): void {
    let device = devices.get(text)
    if (device === undefined) {
      if (devices.size >= MOST_DEVICES) return
      const copy = structuredClone(text)
      const product = appleProductOf(parseAppleDevice(copy))
      device =
        product === undefined
          ? null
          : { text: copy, product, records: 0, from: Infinity, to: -Infinity }
      devices.set(copy, device)
    }
    if (device === null) return
    device.records++
    const at = parseAppleDate(startDate)?.epochMilliseconds
    if (at === undefined) return
    if (at < device.from) device.from = at
    if (at > device.to) device.to = at
  }
}
