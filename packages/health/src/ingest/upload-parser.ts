import type { Series } from '@salus/contracts/series'
import { WorkSlice } from '@salus/kernel/time-slices'
import type { ArrivedData } from './arrival.ts'
import { DeviceCollector } from './device-parser.ts'
import type { UploadBody } from './ingest.schema.ts'
import type { QuarantinedItem } from './quarantine.repository.ts'
import { UploadItems } from './reading/upload-items.ts'
import type { Sample } from './sample.ts'
import {
  type CommonFields,
  commonFieldsOf,
  parseItem,
  type QuarantineReason,
  toSample,
  type UploadContext,
} from './sample-parser.ts'
import { hasSharedInstants, SharedInstants } from './shared-instants.ts'

/** The parsed items of an upload. */
export interface ParsedUpload extends ArrivedData {
  quarantined: readonly QuarantinedItem[]
  /** Problems by item. */
  problems: readonly { index: number; reason: string }[]
}

/** Items between two looks at the time. */
const ITEMS_A_LOOK = 64

/** Whether items have one number each, and their ids do not matter. */
export const isReadInOnePass = ({ name, shape, valueKind }: Series): boolean =>
  valueKind === 'number' && shape !== 'blood_pressure' && !hasSharedInstants(name)

/** Converts the items of an upload to samples; those that cannot be are to be quarantined. */
export async function parseUpload(
  { provider, data }: UploadBody,
  series: Series,
  timeZone: string | null,
): Promise<ParsedUpload> {
  const parser = new UploadParser({ series, provider, timeZone })
  const slice = new WorkSlice()
  const [only] = data
  const items = only instanceof UploadItems ? only : undefined
  const count = items?.count ?? data.length
  for (let index = 0; index < count; index++) {
    if (index % ITEMS_A_LOOK === 0 && slice.isOver()) await slice.rest()
    if (items === undefined) parser.add(index, data[index])
    else parser.addRead(items, index)
  }
  return parser.finish()
}

class UploadParser {
  readonly #context: UploadContext
  readonly #collector = new DeviceCollector()
  readonly #instants = new SharedInstants()
  readonly #samples: Sample[] = []
  readonly #quarantined: QuarantinedItem[] = []
  readonly #problems: { index: number; reason: string }[] = []
  /** By layout of the items that were read. */
  readonly #common: CommonFields[] = []
  readonly #hasDevice: boolean[] = []

  constructor(context: UploadContext) {
    this.#context = context
  }

  add(index: number, item: unknown): void {
    const outcome = parseItem(this.#context, item)
    if (typeof outcome === 'string') {
      this.#quarantine(index, outcome, item)
      return
    }
    for (const sample of outcome) {
      this.#samples.push(this.#instants.separateSample(sample, idOf(item)))
      this.#collector.add(this.#context.provider, sample.sourceType, deviceItem(item))
    }
  }

  /** Adds an item as `add` does, with what items of its layout have in common found once. */
  addRead(items: UploadItems, index: number): void {
    const layout = items.layoutOf(index)
    if (layout === -1) {
      this.add(index, items.itemAt(index))
      return
    }
    this.#common[layout] ??= commonFieldsOf(this.#context, items.itemOfLayout(layout))
    const times = {
      startedAt: items.startedAt(index),
      offsetSeconds: items.offsetSeconds(index),
      endedAt: items.endedAt(index),
    }
    const outcome = toSample(this.#context, this.#common[layout], times, items.value(index))
    if (typeof outcome === 'string') {
      this.#quarantine(index, outcome, items.itemAt(index))
      return
    }
    this.#samples.push(outcome)
    if (this.#hasDevice[layout]) return
    this.#hasDevice[layout] = true
    this.#collector.add(this.#context.provider, outcome.sourceType, items.itemOfLayout(layout))
  }

  finish(): ParsedUpload {
    return {
      samples: this.#samples,
      quarantined: this.#quarantined,
      problems: this.#problems,
      devices: [...this.#collector.devices.values()],
    }
  }

  #quarantine(index: number, reason: QuarantineReason, item: unknown): void {
    this.#quarantined.push({ resource: this.#context.series.name, reason, item })
    this.#problems.push({ index, reason })
  }
}

/** Returns the id of an item at its source; a blood pressure has it with the systolic value. */
function idOf(item: unknown): string {
  const { id } = deviceItem(item) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}

/**
 * Returns the part of an item that names its device: a blood pressure names it with the systolic
 * value.
 */
function deviceItem(item: unknown): unknown {
  return (item as { systolic?: unknown }).systolic ?? item
}
