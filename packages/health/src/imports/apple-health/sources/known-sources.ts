import { parseAppleDate } from '../apple-dates.ts'
import type { AppleProduct } from '../apple-device.ts'
import type { HealthRecord } from '../health-data.ts'
import { HEALTH_APP } from '../record-source.ts'

/** A device of Apple from which a source wrote. */
export interface SeenDevice {
  /** The `device` attribute. */
  text: string
  product: AppleProduct
  records: number
  /** Starts of its first and last record, epoch milliseconds. */
  from: number
  to: number
}

export interface SeenSource {
  /** As people named it. */
  name: string
  devices: readonly SeenDevice[]
  /** The product that wrote records which no other can write. */
  only: AppleProduct | undefined
}

/** Devices that people have not renamed, or only in part, say what they are in every language. */
const NAMED: readonly [pattern: RegExp, product: AppleProduct][] = [
  [/apple\s?watch/i, 'Watch'],
  [/\biphone\b/i, 'iPhone'],
  [/\bipad\b/i, 'iPad'],
  [/\bipod\b/i, 'iPod'],
]

/**
 * Which sources of an export are devices of Apple, whose names are those that people gave them. One
 * source is one kind of product in the whole file, the one from which most of its records came, so
 * that records without a device do not fall apart into two sources.
 */
export class KnownSources {
  readonly #sources: ReadonlyMap<string, readonly SeenDevice[]>

  constructor(sources: readonly SeenSource[]) {
    this.#sources = new Map(sources.map((source) => [source.name, devicesOf(source)]))
  }

  /** The record with the device of its source where it names none; else as it is. */
  complete<Item extends Pick<HealthRecord, 'sourceName' | 'device' | 'startDate'>>(
    item: Item,
  ): Item {
    if (item.device) return item
    const device = this.deviceOf(item.sourceName, item.startDate)
    return device === undefined ? item : { ...item, device }
  }

  /**
   * The device of a source at a time, as the attribute of a record: of several the one that was in
   * use then, or nearest to it. Undefined for a source that is no device of Apple.
   */
  deviceOf(sourceName: string, startDate: string): string | undefined {
    const devices = this.#sources.get(sourceName)
    if (devices === undefined || devices.length < 2) return devices?.[0]?.text
    const at = parseAppleDate(startDate)?.epochMilliseconds ?? 0
    let best: SeenDevice | undefined
    for (const device of devices) {
      if (best === undefined || distance(device, at) < distance(best, at)) best = device
    }
    return best?.text
  }

  /** Names of the sources that are devices of Apple, with what is known of them. */
  *[Symbol.iterator](): Generator<[name: string, device: string]> {
    for (const [name, devices] of this.#sources) {
      if (devices[0] !== undefined) yield [name, devices[0].text]
    }
  }
}

const distance = ({ from, to }: SeenDevice, at: number): number => Math.max(0, from - at, at - to)

/** The devices of the kind that wrote most, the busiest first. */
function devicesOf({ name, devices, only }: SeenSource): SeenDevice[] {
  // What a person types in comes from no device.
  if (name === HEALTH_APP) return []
  const byProduct = Map.groupBy(devices, ({ product }) => product)
  const count = (list: readonly SeenDevice[]) => list.reduce((sum, { records }) => sum + records, 0)
  const [most] = [...byProduct.values()].sort((a, b) => count(b) - count(a))
  if (most !== undefined) return most.toSorted((a, b) => b.records - a.records)
  const product = only ?? NAMED.find(([pattern]) => pattern.test(name))?.[1]
  if (product === undefined) return []
  // As a device would be written of which nothing but the kind is known.
  const text = `<<HKDevice: 0x0>, manufacturer:Apple Inc., model:${product}>`
  return [{ text, product, records: 0, from: Number.NEGATIVE_INFINITY, to: Infinity }]
}
