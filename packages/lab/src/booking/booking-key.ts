import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  APPOINTMENT_PROVIDERS,
  type AppointmentProvider,
  type Slot,
} from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'

const PURPOSE = 'booking keys'
const LIFETIME_MS = 30 * MINUTE_MS
/** Version of the layout below. */
const VERSION = 1
const HEAD_BYTES = 14
/** 96 bits suffice: a key is valid for half an hour and for one slot. */
const SIGNATURE_BYTES = 12

/** The slot that a booking key stands for (docs/contract/14-appointments-and-psc.md#slots). */
export interface KeyedSlot extends Slot {
  provider: AppointmentProvider
  /** Code of the site, or the five digits of the ZIP code. */
  location: string
}

/** Returns when a key that is issued now expires, in the environment's own time. */
export const endOfKey = (now: Date): Date => new Date(now.getTime() + LIFETIME_MS)

/**
 * Signs and reads the booking keys of one environment. A key is URL-safe text: version, provider,
 * start, minutes, expiry, location, and a signature over these and the environment.
 */
export class BookingKeys {
  readonly #secrets: readonly Buffer[]
  readonly #environmentId: string

  constructor(secrets: SecretBox, environmentId: string) {
    this.#secrets = secrets.deriveKeys(PURPOSE)
    this.#environmentId = environmentId
  }

  sign({ provider, start, end, location }: KeyedSlot, expiresAt: Date): string {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt8(VERSION, 0)
    head.writeUInt8(APPOINTMENT_PROVIDERS.indexOf(provider), 1)
    head.writeUInt32BE(start.getTime() / 1000, 2)
    head.writeUInt32BE(end.getTime() / 1000, 6)
    head.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 10)
    const content = Buffer.concat([head, Buffer.from(location)])
    const [secret] = this.#secrets
    return Buffer.concat([content, this.#signatureOf(content, secret as Buffer)]).toString(
      'base64url',
    )
  }

  /**
   * Returns the slot of a key; undefined when the key is malformed, expired at `now`, or of another
   * environment.
   */
  read(key: string, now: Date): KeyedSlot | undefined {
    const bytes = Buffer.from(key, 'base64url')
    // The decoder skips characters outside of its alphabet.
    if (bytes.length <= HEAD_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== key) {
      return undefined
    }
    const content = bytes.subarray(0, -SIGNATURE_BYTES)
    const signature = bytes.subarray(-SIGNATURE_BYTES)
    const isOurs = this.#secrets.some((secret) =>
      timingSafeEqual(this.#signatureOf(content, secret), signature),
    )
    if (!isOurs || content.readUInt8(0) !== VERSION) return undefined
    if (content.readUInt32BE(10) * 1000 <= now.getTime()) return undefined
    return {
      provider: APPOINTMENT_PROVIDERS[content.readUInt8(1)] as AppointmentProvider,
      start: new Date(content.readUInt32BE(2) * 1000),
      end: new Date(content.readUInt32BE(6) * 1000),
      location: content.toString('utf8', HEAD_BYTES),
    }
  }

  #signatureOf(content: Buffer, secret: Buffer): Buffer {
    const hmac = createHmac('sha256', secret).update(this.#environmentId).update(content)
    return hmac.digest().subarray(0, SIGNATURE_BYTES)
  }
}
