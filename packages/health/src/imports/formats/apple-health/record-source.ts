import { createHash } from 'node:crypto'
import type { SourceType } from '@salus/contracts/series'
import { type AppleProduct, appleProductOf, parseAppleDevice } from './apple-device.ts'

/**
 * Apple's own app is called Health in any language of Latin script; old exports have no device for
 * it.
 */
export const HEALTH_APP = 'Health'

/** Source of a record, as far as an export names it. */
interface RecordSource {
  sourceType: SourceType
  appId: string
}

/**
 * Known sources by device and name: texts that the scanner shares, so a look-up costs no hashing.
 */
const sources = new Map<string, Map<string, { app: RecordSource; own: RecordSource }>>()
const MOST_REMEMBERED = 1000

/**
 * Returns source type and app id of a record. Only Apple's own devices are typed, as everywhere
 * else (docs/contract/04-providers.md#source-types).
 *
 * An export has no bundle ids, only names that users give their devices. Apple's own sources get
 * `com.apple.health.` and a fingerprint of that name: as in live data it identifies a device, and
 * it contains no personal name. Others keep the app's name. A record without a device gets that of
 * its source first (KnownSources).
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
  const product = appleProductOf(parseAppleDevice(device))
  const isHealthApp = device === '' && sourceName === HEALTH_APP
  const appId = isHealthApp
    ? 'com.apple.Health'
    : product === undefined
      ? sourceName
      : `com.apple.health.${fingerprintOf(sourceName)}`
  return { sourceType: isUserEntered ? 'app' : sourceTypeOf(product), appId }
}

function sourceTypeOf(product: AppleProduct | undefined): SourceType {
  if (product === 'Watch') return 'watch'
  return product === 'iPhone' ? 'phone' : 'unknown'
}

const fingerprintOf = (sourceName: string): string =>
  createHash('sha256').update(sourceName).digest('hex').slice(0, 12)
