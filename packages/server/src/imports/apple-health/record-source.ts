import { createHash } from 'node:crypto'
import type { SourceType } from '../../series/index.ts'
import { parseAppleDevice } from './apple-device.ts'

/** Who made a record, as far as an export tells. */
export interface RecordSource {
  sourceType: SourceType
  appId: string
}

/** Known sources by device and name: texts that the scanner shares, so a look-up costs no hashing. */
const sources = new Map<string, Map<string, { app: RecordSource; own: RecordSource }>>()
const MOST_REMEMBERED = 1000

/**
 * Source type and app id of a record. Only Apple's own devices are typed, as everywhere else
 * (contract 04, section 5).
 *
 * An export carries no bundle ids, only names that people give their devices. Apple's own sources
 * get `com.apple.health.` and a fingerprint of that name: as in live data it differs from device to
 * device and stays the same for one, and it holds no personal name. Others keep the app's name.
 */
export function sourceOfRecord(
  sourceName: string,
  device: string | undefined,
  isUserEntered: boolean,
): RecordSource {
  const ofDevice = sources.get(device ?? '')
  let known = ofDevice?.get(sourceName)
  if (known === undefined) {
    if (sources.size >= MOST_REMEMBERED || (ofDevice?.size ?? 0) >= MOST_REMEMBERED) sources.clear()
    known = {
      app: readSource(sourceName, device ?? '', true),
      own: readSource(sourceName, device ?? '', false),
    }
    sources.set(device ?? '', (sources.get(device ?? '') ?? new Map()).set(sourceName, known))
  }
  return isUserEntered ? known.app : known.own
}

function readSource(sourceName: string, device: string, isUserEntered: boolean): RecordSource {
  const { manufacturer = '', model = '', hardware = '' } = parseAppleDevice(device)
  const product = (hardware || model).toLowerCase()
  const isApple = manufacturer.startsWith('Apple')
  // Old exports name no device; Apple's own app is called Health, in any language of Latin script.
  const isHealthApp = device === '' && sourceName === 'Health'
  if (isUserEntered) {
    return { sourceType: 'app', appId: isHealthApp ? 'com.apple.Health' : sourceName }
  }
  if (isHealthApp) return { sourceType: 'unknown', appId: 'com.apple.Health' }
  if (!isApple) return { sourceType: 'unknown', appId: sourceName }
  const fingerprint = createHash('sha256').update(sourceName).digest('hex').slice(0, 12)
  const appId = `com.apple.health.${fingerprint}`
  if (product.startsWith('watch')) return { sourceType: 'watch', appId }
  if (product.startsWith('iphone')) return { sourceType: 'phone', appId }
  return { sourceType: 'unknown', appId }
}
