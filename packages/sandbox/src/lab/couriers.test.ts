import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  inboundParcel,
  isTrackingNumber,
  makeTrackingNumber,
  type NumberedCourier,
  outboundParcel,
  trackingUrlOf,
} from './couriers.ts'
import { makeKitNumber, makeRequisitionNumber, makeSpecimenNumber } from './sample-numbers.ts'

/** Examples that couriers publish. */
const PUBLISHED: Record<NumberedCourier, readonly string[]> = {
  usps: ['9400111202555842332669', '9205590164917312751089'],
  ups: ['1Z5R89390357567127', '1Z879E930346834440', '1Z410E7W0392751591', '1Z8V92A70367203024'],
  fedex: ['986578788855', '477179081230', '799531274483', '790535312317'],
}
const COURIERS = ['usps', 'ups', 'fedex'] as const

describe('tracking numbers', () => {
  test('are checked as couriers do', () => {
    for (const courier of COURIERS) {
      for (const number of PUBLISHED[courier]) assert.ok(isTrackingNumber(courier, number), number)
    }
  })

  test('have the right length and check digit, and no other one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COURIERS), fc.string(), (courier, seed) => {
        const number = makeTrackingNumber(courier, seed)
        assert.ok(isTrackingNumber(courier, number), number)
        const wrong = (Number(number.at(-1)) + 1) % 10
        assert.ok(!isTrackingNumber(courier, `${number.slice(0, -1)}${wrong}`))
        assert.equal(makeTrackingNumber(courier, seed), number)
      }),
      { numRuns: 300, seed: 71 },
    )
  })

  test('show a misread digit', () => {
    for (const courier of COURIERS) {
      const number = makeTrackingNumber(courier, 'order')
      const index = number.length - 3
      const misread = `${(Number(number[index]) + 3) % 10}`
      const other = `${number.slice(0, index)}${misread}${number.slice(index + 1)}`
      assert.ok(!isTrackingNumber(courier, other), `${number} ${other}`)
    }
  })
})

describe('parcels', () => {
  test('go out with USPS and come back with UPS or FedEx, with a page to follow them', () => {
    const inbound = Array.from({ length: 40 }, (_, order) => inboundParcel(`${order}`))
    assert.deepEqual([...new Set(inbound.map(({ courier }) => courier))].sort(), ['fedex', 'ups'])
    for (const parcel of [outboundParcel('order'), ...inbound]) {
      assert.ok(isTrackingNumber(parcel.courier as NumberedCourier, parcel.trackingNumber))
      assert.ok(parcel.trackingUrl?.startsWith('https://'))
      assert.ok(parcel.trackingUrl?.endsWith(parcel.trackingNumber))
    }
    assert.equal(outboundParcel('order').courier, 'usps')
    assert.deepEqual(outboundParcel('order'), outboundParcel('order'))
    assert.equal(trackingUrlOf('dhl', '123'), null)
  })
})

describe('numbers', () => {
  test('of kits are 10 digits, and others at another attempt', () => {
    assert.match(makeKitNumber('order'), /^\d{10}$/)
    assert.equal(makeKitNumber('order'), makeKitNumber('order', 0))
    assert.notEqual(makeKitNumber('order'), makeKitNumber('order', 1))
    const kits = new Set(Array.from({ length: 5000 }, (_, order) => makeKitNumber(`${order}`)))
    assert.ok(kits.size >= 4999)
  })

  test('of requisitions and specimens say which laboratory gave them', () => {
    assert.match(makeRequisitionNumber('order', 'quest'), /^QU\d{14}$/)
    assert.match(makeRequisitionNumber('order', 'sonora_quest'), /^SQ\d{14}$/)
    assert.match(makeSpecimenNumber('order', 'us_biotek'), /^UB\d{8}U$/)
    assert.notEqual(
      makeRequisitionNumber('order', 'quest').slice(2),
      makeRequisitionNumber('order', 'labcorp').slice(2),
    )
  })
})
