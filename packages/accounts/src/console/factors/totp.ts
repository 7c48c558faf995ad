import { createHmac, randomBytes } from 'node:crypto'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'

/** Time-based one-time passwords of authenticator apps, by RFC 6238 with its usual parameters. */

const STEP_SECONDS = 30
const DIGITS = 6
/** As long as a hash of HMAC-SHA-1, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Steps around the present one that count too, for clocks that differ. */
const TOLERATED_STEPS = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns bytes in base32 without padding, by RFC 4648. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Returns a new secret in base32. */
export const makeTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES))

/** Returns the address from which an authenticator app reads the secret, mostly as a QR code. */
export function totpUri(secret: string, email: string): string {
  const label = encodeURIComponent(`Salus:${email}`)
  return `otpauth://totp/${label}?secret=${secret}&issuer=Salus`
}

/** Returns the code of a step of 30 seconds. */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** Returns the step whose code this is; undefined when it is none of those that count now. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const present = Math.floor(now.getTime() / 1000 / STEP_SECONDS)
  const steps = Array.from(
    { length: 2 * TOLERATED_STEPS + 1 },
    (_, index) => present + TOLERATED_STEPS - index,
  )
  const given = code.replaceAll(/\s/g, '')
  return steps.filter((step) => isEqualSecret(given, totpCode(secret, step)))[0]
}
