import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAppleDevice } from './apple-device.ts'

test('a watch is read with commas in its hardware name and a creation date', () => {
  const text =
    '<<HKDevice: 0x282a45810>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, ' +
    'hardware:Watch2,4, software:7.2, creation date:2021-01-02 03:04:05 +0000>'
  assert.deepEqual(parseAppleDevice(text), {
    name: 'Apple Watch',
    manufacturer: 'Apple Inc.',
    model: 'Watch',
    hardware: 'Watch2,4',
    software: '7.2',
    creationDate: '2021-01-02 03:04:05 +0000',
  })
})

test('a comma and a space inside a value do not start a new field', () => {
  const text = '<<HKDevice: 0x1>, name:Scale, old: one, localIdentifier:A:1, manufacturer:B, Co.>'
  assert.deepEqual(parseAppleDevice(text), {
    name: 'Scale, old: one',
    localIdentifier: 'A:1',
    manufacturer: 'B, Co.',
  })
})

test('texts that are no HKDevice give an empty object', () => {
  for (const text of ['', 'Watch6,1', '<Watch6,4>', '<<HKDevice: 0x1>>']) {
    assert.deepEqual(parseAppleDevice(text), {})
  }
})
