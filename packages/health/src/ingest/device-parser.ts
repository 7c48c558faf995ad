import type { NewDevice } from '../connections/index.ts'

type Fields = Record<string, unknown>

const DEVICE_KEYS = ['_DMO', '_DMA', '_DFV', '_DHV', '_DSV', '_DID']

/**
 * An object may have a `toString` that is not a function, which would throw in a conversion to
 * text.
 */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * PostgreSQL stores neither NUL nor half a surrogate pair; one bad name must not fail the upload.
 */
function textOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return value.replaceAll('\0', '').slice(0, 255).toWellFormed() || null
}

/**
 * Returns the device that made an item, from product_type and metadata
 * (docs/contract/07-mobile-sync.md#quantitysample).
 */
function deviceOf(provider: string, sourceType: string, item: Fields): NewDevice | undefined {
  const metadata = (item.metadata ?? {}) as Fields
  const model = textOrNull(metadata._DMO) ?? textOrNull(item.product_type)
  const manufacturer = textOrNull(metadata._DMA)
  const deviceId = textOrNull(metadata._DID)
  if (model === null && deviceId === null) return undefined
  const version = [metadata._DSV, metadata._DFV, metadata._DHV].map(textOrNull)
  return {
    provider,
    source_type: sourceType,
    app_id: textOrNull(item.source_bundle),
    device_manufacturer: manufacturer,
    device_model: model,
    device_version: version.find((text) => text !== null) ?? null,
    device_id: deviceId,
    identity: deviceId ?? JSON.stringify([manufacturer, model, sourceType]),
  }
}

/** Collects the distinct devices of an upload. */
export class DeviceCollector {
  private readonly seen = new Set<string>()
  readonly devices = new Map<string, NewDevice>()

  add(provider: string, sourceType: string, item: unknown): void {
    const fields = item as Fields
    const metadata = fields.metadata as Fields | undefined | null
    if (!metadata && !fields.product_type) return
    // Thousands of items name the same device; a cheap key identifies those that were seen.
    let trace = `${sourceType}|${textOf(fields.product_type)}|${textOf(fields.source_bundle)}`
    if (metadata) for (const key of DEVICE_KEYS) trace += `|${textOf(metadata[key])}`
    if (this.seen.has(trace)) return
    this.seen.add(trace)
    const device = deviceOf(provider, sourceType, fields)
    if (device !== undefined) this.devices.set(device.identity, device)
  }
}
