import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { newId } from '@salus/kernel/ids'
import { BookingKeys, endOfKey, type KeyedSlot } from './booking-key.ts'

const NOW = new Date('2026-03-02T15:04:05.678Z')
const SLOT: KeyedSlot = {
  provider: 'quest',
  start: new Date('2026-03-04T14:20:00Z'),
  end: new Date('2026-03-04T14:40:00Z'),
  location: 'S-0042',
}
const secret = randomBytes(32)
const environmentId = newId()
const keys = new BookingKeys(createSecretBox([secret]), environmentId)
const key = keys.sign(SLOT, endOfKey(NOW))

describe('a booking key', () => {
  test('contains its slot, and is short URL-safe text', () => {
    assert.deepEqual(keys.read(key, NOW), SLOT)
    assert.match(key, /^[\w-]{1,64}$/)
  })

  test('expires after 30 minutes', () => {
    const minutes = (count: number) => new Date(NOW.getTime() + count * MINUTE_MS)
    assert.deepEqual(keys.read(key, minutes(29)), SLOT)
    assert.equal(keys.read(key, minutes(30)), undefined)
  })

  test('is valid in one environment and one deployment', () => {
    const elsewhere = new BookingKeys(createSecretBox([secret]), newId())
    const foreign = new BookingKeys(createSecretBox([randomBytes(32)]), environmentId)
    assert.equal(elsewhere.read(key, NOW), undefined)
    assert.equal(foreign.read(key, NOW), undefined)
  })

  test('stays valid after a rotation of the secret', () => {
    const rotated = new BookingKeys(createSecretBox([randomBytes(32), secret]), environmentId)
    assert.deepEqual(rotated.read(key, NOW), SLOT)
    assert.notEqual(rotated.sign(SLOT, endOfKey(NOW)), key)
  })

  test('is invalid with a changed bit, cut off, extended, or malformed', () => {
    const bytes = Buffer.from(key, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      assert.equal(keys.read(changed.toString('base64url'), NOW), undefined, `bit ${bit}`)
    }
    for (let length = 0; length < key.length; length += 1) {
      assert.equal(keys.read(key.slice(0, length), NOW), undefined)
    }
    for (const text of [
      `${key}A`,
      `${key}=`,
      ` ${key}`,
      `${key.slice(0, 5)}!${key.slice(5)}`,
      '💉',
    ]) {
      assert.equal(keys.read(text, NOW), undefined, text)
    }
  })
})
