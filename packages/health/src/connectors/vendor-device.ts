import type { SourceType } from '@salus/contracts/series'
import type { NewDevice } from '../connections/index.ts'
import { cleanText } from './sample-content.ts'

/** A device as a vendor names it. */
export interface VendorDevice {
  sourceType: SourceType
  manufacturer: string | null
  model: string | null
  version: string | null
  deviceId: string | null
}

/** Returns the device to record; the same one has the same identity. */
export function newDevice(
  provider: string,
  device: VendorDevice,
): NewDevice & { identity: string } {
  const clean = (text: string | null) => text && cleanText(text)
  const [manufacturer, model] = [clean(device.manufacturer), clean(device.model)]
  const deviceId = clean(device.deviceId)
  return {
    provider,
    source_type: device.sourceType,
    app_id: null,
    device_manufacturer: manufacturer,
    device_model: model,
    device_version: clean(device.version),
    device_id: deviceId,
    identity: deviceId ?? JSON.stringify([manufacturer, model, device.sourceType]),
  }
}
