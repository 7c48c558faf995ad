import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DueDelivery } from './delivery.repository.ts'
import { DeliveryBuffer } from './delivery-buffer.ts'

const first = (eventId: string, userId: string | null = 'ada'): DueDelivery => ({
  event_id: eventId,
  event_type: 'daily.data.steps.created',
  user_id: userId,
  attempts: 0,
  run: 0,
  failures: 0,
  next_attempt_at: null,
  body: Buffer.alloc(0),
  trace_parent: null,
})

const retry = (eventId: string, userId: string | null = 'ada'): DueDelivery => ({
  ...first(eventId, userId),
  attempts: 1,
  failures: 1,
  next_attempt_at: new Date('2026-03-01T12:00:00Z'),
})

function bufferOf(...deliveries: DueDelivery[]): DeliveryBuffer {
  const buffer = new DeliveryBuffer()
  buffer.add(deliveries)
  return buffer
}

/** Ids of all that may start now, in order. */
function takeAll(buffer: DeliveryBuffer): string[] {
  const ids: string[] = []
  for (let next = buffer.takeNext(); next !== undefined; next = buffer.takeNext())
    ids.push(next.event_id)
  return ids
}

describe('first attempts', () => {
  test('of one person wait for each other, in order', () => {
    const deliveries = [first('1'), first('2'), first('3')]
    const buffer = bufferOf(...deliveries)
    for (const delivery of deliveries) {
      assert.deepEqual(takeAll(buffer), [delivery.event_id])
      buffer.free(delivery)
    }
    assert.deepEqual(takeAll(buffer), [])
  })

  test('of several people do not wait for each other', () => {
    const buffer = bufferOf(first('1'), first('2'), first('3', 'ben'), first('4', 'cyd'))
    assert.deepEqual(takeAll(buffer), ['1', '3', '4'])
    buffer.free(first('3', 'ben'))
    assert.deepEqual(takeAll(buffer), [])
    buffer.free(first('1'))
    assert.deepEqual(takeAll(buffer), ['2'])
  })

  test('about no person keep their order among themselves', () => {
    const buffer = bufferOf(first('1', null), first('2', null), first('3'))
    assert.deepEqual(takeAll(buffer), ['1', '3'])
    buffer.free(first('1', null))
    assert.deepEqual(takeAll(buffer), ['2'])
  })

  test('that come later stay behind one that is on its way', () => {
    const buffer = bufferOf(first('1'))
    takeAll(buffer)
    buffer.add([first('2')])
    assert.deepEqual(takeAll(buffer), [])
    buffer.free(first('1'))
    assert.deepEqual(takeAll(buffer), ['2'])
  })
})

describe('further attempts', () => {
  test('do not wait for the first ones of their person', () => {
    const buffer = bufferOf(first('1'), first('2'), retry('0'), retry('00'))
    assert.deepEqual(takeAll(buffer), ['1', '0', '00'])
  })

  test('hold up no other user, not even when they end', () => {
    const buffer = bufferOf(retry('0'), first('1'), first('2'))
    assert.deepEqual(takeAll(buffer), ['0', '1'])
    buffer.free(retry('0'))
    assert.deepEqual(takeAll(buffer), [])
    buffer.free(first('1'))
    assert.deepEqual(takeAll(buffer), ['2'])
  })
})

test('something is ready exactly while something may start', () => {
  const buffer = bufferOf(first('1'), first('2'), first('3', 'ben'))
  const seen: boolean[] = [buffer.hasReady]
  for (let count = 0; count < 2; count += 1) {
    buffer.takeNext()
    seen.push(buffer.hasReady)
  }
  assert.deepEqual(seen, [true, true, false])
  buffer.free(first('1'))
  assert.equal(buffer.hasReady, true)
  buffer.clear()
  assert.equal(buffer.hasReady, false)
})

describe('what is in hand', () => {
  test('is known until its outcome is stored, and waiting until it is started', () => {
    const buffer = bufferOf(first('1'), first('2', 'ben'))
    assert.deepEqual([buffer.waiting, [...buffer.known]], [2, ['1', '2']])
    buffer.takeNext()
    buffer.free(first('1'))
    assert.deepEqual([buffer.waiting, [...buffer.known]], [1, ['1', '2']])
    buffer.forget('1')
    assert.deepEqual([buffer.waiting, [...buffer.known]], [1, ['2']])
  })

  test('is put back but for what is on its way', () => {
    const buffer = bufferOf(first('1'), first('2'), first('3', 'ben'))
    buffer.takeNext()
    buffer.clear()
    assert.deepEqual([buffer.waiting, [...buffer.known]], [0, ['1']])
  })

  test('keeps its order when it is put back and read again meanwhile', () => {
    const buffer = bufferOf(first('1'), first('2'))
    buffer.takeNext()
    buffer.clear()
    buffer.add([first('2'), first('3')])
    assert.deepEqual(takeAll(buffer), [])
    buffer.free(first('1'))
    assert.deepEqual(takeAll(buffer), ['2'])
  })
})
