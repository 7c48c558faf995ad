import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalClock } from './local-clock.ts'

const berlin = createLocalClock('Europe/Berlin')

test('a local time is placed in the zone, and without one it stays as it is', () => {
  const summer = { at: Date.UTC(2026, 6, 1, 10, 5), offset: 7200 }
  assert.deepEqual(berlin.local('2026-07-01 12:05'), summer)
  assert.deepEqual(berlin.local('2026-07-01T12:05:00'), summer)
  const floating = { at: Date.UTC(2026, 6, 1, 12, 5), offset: null }
  assert.deepEqual(createLocalClock('floating').local('2026-07-01 12:05'), floating)
  assert.deepEqual(createLocalClock(undefined).local('2026-07-01 12:05'), floating)
  for (const text of [
    '2026-07-01T12:05:00Z',
    '2026-07-01T12:05:00+02:00',
    '12:05',
    '',
    '2026-13-01 00:00',
  ]) {
    assert.equal(berlin.local(text), undefined, text)
  }
})

test('readings of a sensor go through the hour that occurs twice in their order', () => {
  // 25 October 2026: at 3:00 summer time the clock goes back to 2:00.
  const texts = ['01:55', '02:00', '02:55', '02:00', '02:55', '03:00'].map(
    (time) => `2026-10-25 ${time}`,
  )
  const read: { at: number; offset: number | null }[] = []
  for (const text of texts) read.push(berlin.local(text, read.at(-1)) ?? assert.fail(text))
  const utc = (hour: number, minute: number) =>
    Date.UTC(2026, 9, hour < 0 ? 24 : 25, (hour + 24) % 24, minute)
  assert.deepEqual(
    read.map(({ at }) => at),
    [utc(-1, 55), utc(0, 0), utc(0, 55), utc(1, 0), utc(1, 55), utc(2, 0)],
  )
  assert.deepEqual(
    read.map(({ offset }) => offset),
    [7200, 7200, 7200, 3600, 3600, 3600],
  )
})

test('a zone with half an hour of summer time has its second half hour too', () => {
  const lordHowe = createLocalClock('Australia/Lord_Howe')
  // 5 April 2026: at 2:00 the clock goes back to 1:30.
  const first = lordHowe.local('2026-04-05 01:45') ?? assert.fail()
  const second = lordHowe.local('2026-04-05 01:40', first) ?? assert.fail()
  assert.deepEqual([first.offset, second.offset], [39_600, 37_800])
  assert.equal(second.at - first.at, 25 * 60_000)
})

test('an earlier time of other hours stays earlier', () => {
  const later = berlin.local('2026-07-01 12:05') ?? assert.fail()
  assert.deepEqual(berlin.local('2026-07-01 12:00', later), {
    ...{ at: Date.UTC(2026, 6, 1, 10), offset: 7200 },
  })
})
