import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildFit,
  type FitMessage,
  fitTime,
} from '../../../../../../server/test/imports/build-fit.ts'
import { mapContent } from '../../../../../../server/test/imports/map-content.ts'

const WALKING = 6
const RUNNING = 1
const CYCLING = 2
const OFFSET = 7200
const MONITORING_B = 32

/** A local time of the person on a day in June, as FIT time in UTC. */
const local = (text: string) => fitTime(Date.parse(`${text}Z`) - OFFSET * 1000)
const file = (from: string, messages: readonly FitMessage[]) =>
  buildFit([
    ['file_id', { type: MONITORING_B, manufacturer: 1 }],
    ['monitoring_info', { timestamp: local(from), local: local(from) + OFFSET }],
    ...messages,
  ])
const whole = (time: string, kind: number, steps: number, distance = 0): FitMessage => [
  'monitoring',
  // A cycle is two steps, and is written with a scale of two.
  { timestamp: local(time), kind, cycles: steps, distance },
]
const short = (time: string, values: Record<string, number>): FitMessage => [
  'monitoring',
  { low: local(time) % 0x10000, ...values },
]

test('counters become the steps between their messages, and the total of the day', async () => {
  const { mapped, of } = await mapContent(
    file('2024-06-01T00:00:00', [
      whole('2024-06-01T08:00:00', WALKING, 1000, 700),
      whole('2024-06-01T09:00:00', RUNNING, 4000, 4000),
      whole('2024-06-01T10:00:00', CYCLING, 9000, 20_000),
      whole('2024-06-01T12:00:00', WALKING, 1500, 1050),
      whole('2024-06-01T13:00:00', WALKING, 1500, 1050),
    ]),
  )
  assert.equal(mapped.provider, 'garmin')
  const steps = of('steps').map(({ start, end, value }) => [start, end, value])
  assert.deepEqual(steps, [
    ['2024-05-31T22:00:00+00:00', '2024-06-01T06:00:00+00:00', 1000],
    ['2024-06-01T06:00:00+00:00', '2024-06-01T07:00:00+00:00', 4000],
    ['2024-06-01T07:00:00+00:00', '2024-06-01T10:00:00+00:00', 500],
  ])
  const [day] = of('activity')
  assert.deepEqual(
    [day?.id, day?.timezone_offset, day?.values],
    ['2024-06-01', OFFSET, { steps: 5500, distance_meter: 5050 }],
  )
})

test('a file of a part of a day begins with the counters of the part before', async () => {
  const { of } = await mapContent(
    file('2024-06-01T12:00:00', [
      whole('2024-06-01T12:00:00', WALKING, 3000),
      whole('2024-06-01T13:00:00', WALKING, 3200),
    ]),
  )
  assert.deepEqual(
    of('steps').map(({ value }) => value),
    [200],
  )
  assert.deepEqual(
    of('activity').map(({ values }) => values),
    [{ steps: 3200 }],
  )
})

test('counters begin anew at midnight', async () => {
  const { of } = await mapContent(
    file('2024-06-01T20:00:00', [
      whole('2024-06-01T20:00:00', WALKING, 8000),
      whole('2024-06-02T00:00:00', WALKING, 8600),
      whole('2024-06-02T01:00:00', WALKING, 50),
      whole('2024-06-02T09:00:00', WALKING, 9000),
    ]),
  )
  assert.deepEqual(
    of('steps').map(({ value }) => value),
    [600, 50, 8950],
  )
  assert.deepEqual(
    of('activity').map(({ id, values }) => [id, (values as { steps: number }).steps]),
    [
      ['2024-06-01', 8600],
      ['2024-06-02', 9000],
    ],
  )
})

test('the lower half of a time goes on over its end, which comes every 18 hours', async () => {
  const times = Array.from({ length: 60 }, (_, index) =>
    new Date(Date.UTC(2024, 5, 1) + index * 30 * 60_000).toISOString().slice(0, 19),
  )
  const { of } = await mapContent(
    file(
      '2024-06-01T00:00:00',
      times.map((time, index) => short(time, { rate: 60 + index })),
    ),
  )
  const expected = times.map((time, index) => [Date.parse(`${time}Z`) - OFFSET * 1000, 60 + index])
  const found = of('heartrate').map(({ start, value }) => [Date.parse(String(start)), value])
  assert.deepEqual(found, expected)
  // The test is void unless a half ended, with the value 0 just after it.
  assert.ok(times.some((time, index) => index > 0 && local(time) % 0x10000 < 1800))
})

test('the lower half of a time may be 0', async () => {
  const zero = Math.ceil(local('2024-06-01T12:00:00') / 0x10000) * 0x10000
  const before = new Date((zero - 60 + 631_065_600 + OFFSET) * 1000).toISOString().slice(0, 19)
  const { of } = await mapContent(file(before, [['monitoring', { low: 0, rate: 77 }]]))
  assert.deepEqual(
    of('heartrate').map(({ start, value }) => [Date.parse(String(start)) / 1000, value]),
    [[zero + 631_065_600, 77]],
  )
})

test('stress is stored, and negative levels stand for none', async () => {
  const level = (time: string, value: number): FitMessage => [
    'stress',
    { level: value, time: local(time) },
  ]
  const { mapped, of } = await mapContent(
    file('2024-06-01T00:00:00', [
      level('2024-06-01T08:00:00', 25),
      level('2024-06-01T08:03:00', -1),
      level('2024-06-01T08:06:00', 40),
    ]),
  )
  assert.deepEqual(
    of('stress_level').map(({ value }) => value),
    [25, 40],
  )
  const counted = mapped.progress.types.find(({ type }) => type === 'monitoring stress')
  assert.equal(counted?.not_supported, 1)
})

test('messages of one moment, one for each kind of movement, all count', async () => {
  const { of } = await mapContent(
    file('2024-06-01T00:00:00', [
      whole('2024-06-01T08:00:00', WALKING, 100, 70),
      whole('2024-06-01T08:00:00', RUNNING, 50, 60),
      whole('2024-06-01T09:00:00', WALKING, 100, 70),
      whole('2024-06-01T09:00:00', RUNNING, 90, 110),
    ]),
  )
  assert.deepEqual(
    of('steps').map(({ end, value }) => [end, value]),
    [
      ['2024-06-01T06:00:00+00:00', 150],
      ['2024-06-01T07:00:00+00:00', 40],
    ],
  )
  assert.deepEqual(
    of('distance').map(({ value }) => value),
    [130, 50],
  )
  assert.deepEqual(of('activity')[0]?.values, { steps: 190, distance_meter: 180 })
})
