import { parseAppleDate } from '../apple-dates.ts'
import type { AppleProduct } from '../apple-device.ts'
import type { HealthRecord } from '../health-data.ts'
import { HEALTH_APP } from '../record-source.ts'

/** An Apple device from which a source wrote. */
export interface SeenDevice {
  /** The `device` attribute. */
  text: string
  product: AppleProduct
  records: number
  /** Start of its first and last record, epoch milliseconds. */
  from: number
  to: number
}

export interface SeenSource {
  /** Name that the user gave it. */
  name: string
  devices: readonly SeenDevice[]
  /** Apple product, where the source has records that only one product can write. */
  only: AppleProduct | undefined
}

/** Device names that were not entirely changed contain the product in every language. */
const NAMED: readonly [pattern: RegExp, product: AppleProduct][] = [
  [/apple\s?watch/i, 'Watch'],
  [/\biphone\b/i, 'iPhone'],
  [/\bipad\b/i, 'iPad'],
  [/\bipod\b/i, 'iPod'],
]

/**
 * The sources of an export that are Apple devices, whose names users gave them. One source is one
 * product in the whole file, the one with most of its records, so that records without a device are
 * not split into two sources.
 */
export class KnownSources {
  readonly #sources: ReadonlyMap<string, readonly SeenDevice[]>

  constructor(sources: readonly SeenSource[]) {
    this.#sources = new Map(sources.map((source) => [source.name, devicesOf(source)]))
  }

  /** Returns the record with the device of its source where it names none; otherwise unchanged. */
  completeRecord<Item extends Pick<HealthRecord, 'sourceName' | 'device' | 'startDate'>>(
    item: Item,
  ): Item {
    if (item.device) return item
    const device = this.deviceOf(item.sourceName, item.startDate)
    return device === undefined ? item : { ...item, device }
  }

  /**
   * Returns the device of a source at a time, as the attribute of a record: of several the one in
   * use then, or nearest to it. Undefined for a source that is not an Apple device.
   */
  deviceOf(sourceName: string, startDate: string): string | undefined {
    const devices = this.#sources.get(sourceName)
    if (devices === undefined || devices.length < 2) return devices?.[0]?.text
    const at = parseAppleDate(startDate)?.epochMilliseconds ?? 0
    let best: SeenDevice | undefined
    for (const device of devices) {
      if (best === undefined || distanceFromUse(device, at) < distanceFromUse(best, at))
        best = device
    }
    return best?.text
  }

  /** Iterates over the sources that are Apple devices, with their devices. */
  *[Symbol.iterator](): Generator<[name: string, device: string]> {
    for (const [name, devices] of this.#sources) {
      if (devices[0] !== undefined) yield [name, devices[0].text]
    }
  }
}

const distanceFromUse = ({ from, to }: SeenDevice, at: number): number =>
  Math.max(0, from - at, at - to)

/** Returns the devices of the most frequent kind, the busiest first. */
function devicesOf({ name, devices, only }: SeenSource): SeenDevice[] {
  // Entries by hand have no device.
  if (name === HEALTH_APP) return []
  const byProduct = Map.groupBy(devices, ({ product }) => product)
  const count = (list: readonly SeenDevice[]) => list.reduce((sum, { records }) => sum + records, 0)
  const [most] = [...byProduct.values()].sort((a, b) => count(b) - count(a))
  if (most !== undefined) return most.toSorted((a, b) => b.records - a.records)
  const product = only ?? NAMED.find(([pattern]) => pattern.test(name))?.[1]
  if (product === undefined) return []
  // A device attribute of which only the kind is known.
  const text = `<<HKDevice: 0x0>, manufacturer:Apple Inc., model:${product}>`
  return [{ text, product, records: 0, from: Number.NEGATIVE_INFINITY, to: Infinity }]
}
