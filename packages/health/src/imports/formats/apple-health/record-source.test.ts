import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOfRecord } from './record-source.ts'

const device = (manufacturer: string, model: string, hardware: string) =>
  `<<HKDevice: 0x1>, name:x, manufacturer:${manufacturer}, model:${model}, hardware:${hardware}>`

const WATCH = device('Apple Inc.', 'Watch', 'Watch6,7')
const IPHONE = device('Apple Inc.', 'iPhone', 'iPhone14,5')
const IPAD = device('Apple Inc.', 'iPad', 'iPad8,1')
const OTHER = device('Withings', 'Body', 'Watch-like')

const CASES: [name: string, device: string | undefined, isUserEntered: boolean, type: string][] = [
  ["Ann's Watch", WATCH, false, 'watch'],
  ["Ann's iPhone", IPHONE, false, 'phone'],
  ["Ann's iPad", IPAD, false, 'unknown'],
  ['Withings', OTHER, false, 'unknown'],
  ['Withings', undefined, false, 'unknown'],
  ['Health', undefined, false, 'unknown'],
  ['Health', undefined, true, 'app'],
  ["Ann's Watch", WATCH, true, 'app'],
]

for (const [name, text, isUserEntered, type] of CASES) {
  const entered = isUserEntered ? ', typed in,' : ''
  test(`${name}${entered} of ${text ?? 'no device'} is of source type ${type}`, () => {
    assert.equal(sourceOfRecord(name, text, isUserEntered).sourceType, type)
  })
}

test("a device of Apple gets an id that holds no personal name and is the device's own", () => {
  const { appId } = sourceOfRecord("Ann's Watch", WATCH, false)
  assert.match(appId, /^com\.apple\.health\.[0-9a-f]{12}$/)
  assert.equal(sourceOfRecord("Ann's Watch", IPHONE, false).appId, appId)
  assert.notEqual(sourceOfRecord("Bob's Watch", WATCH, false).appId, appId)
})

test('another app keeps its name, and the health app has its own id', () => {
  assert.equal(sourceOfRecord('Withings', undefined, false).appId, 'Withings')
  assert.equal(sourceOfRecord('Withings', OTHER, false).appId, 'Withings')
  assert.equal(sourceOfRecord('Health', undefined, false).appId, 'com.apple.Health')
  assert.equal(sourceOfRecord('Health', undefined, true).appId, 'com.apple.Health')
})

test('the answer stays the same when more sources came by than are remembered', () => {
  const before = sourceOfRecord("Ann's Watch", WATCH, false)
  for (let index = 0; index < 1500; index++) sourceOfRecord(`App ${index}`, undefined, false)
  assert.deepEqual(sourceOfRecord("Ann's Watch", WATCH, false), before)
})
