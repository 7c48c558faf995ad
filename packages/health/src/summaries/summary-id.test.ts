import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sleepCycleId, summaryId } from './summary-id.ts'

const USER = '0190f9c8-1b2c-7def-8abc-0123456789ab'

// Stored data have these ids, so they never change.
test('the id of a record is always the same', () => {
  const night = summaryId(
    { userId: USER, provider: 'oura' },
    { resource: 'sleep', appId: '', recordId: 'night-1' },
  )
  assert.equal(night, '6ab7fbe6-2618-5e81-9683-60edef7c146b')
  assert.equal(sleepCycleId(night), '615cb20e-a608-5389-9622-1675fc8001d4')
  const workout = summaryId(
    { userId: USER, provider: 'apple_health' },
    { resource: 'workouts', appId: 'org.example.app', recordId: 'Läufer 走 "7"' },
  )
  assert.equal(workout, '152b3d8c-d017-57c5-8c01-ab319ec9a54d')
})

test('long names have ids too', () => {
  const idOf = (provider: string, resource: 'activity' | 'body', recordId: string) =>
    summaryId({ userId: USER, provider }, { resource, appId: '', recordId })
  const long = idOf('oura', 'activity', 'x'.repeat(5000))
  assert.equal(long, 'ba1ec898-dc5e-5658-9f65-c28afa8b839a')
  assert.equal(idOf('garmin', 'body', '😀'.repeat(900)), '32759863-751d-5ed0-8c40-967e25152585')
})
