import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildFit,
  type FitMessage,
  fitTime,
} from '../../../../../../server/test/imports/build-fit.ts'
import { mapContent } from '../../../../../../server/test/imports/map-content.ts'

const at = (second: number) => fitTime(Date.UTC(2024, 5, 1, 8, 0, second))
const fileWith = (sessions: readonly Readonly<Record<string, number>>[]) =>
  buildFit([
    ['file_id', { type: 4, manufacturer: 1 }],
    ...[0, 99, 100].map(
      (second): FitMessage => ['record', { timestamp: at(second), rate: 100 + second }],
    ),
    ...sessions.map((values): FitMessage => ['session', values]),
  ])

test('sessions of a FIT file in another order have their own points', async () => {
  const { of } = await mapContent(
    fileWith([
      { start: at(100), sport: 1, elapsed: 50 },
      { start: at(0), sport: 2, elapsed: 100 },
    ]),
  )
  assert.deepEqual(
    of('workout_stream').map(({ heartrate }) => heartrate),
    [[100, 199], [200]],
  )
})

test('a session of a FIT file without a length ends with its last record', async () => {
  for (const timestamp of [at(0), at(-50)]) {
    const { of } = await mapContent(fileWith([{ timestamp, start: at(0), sport: 1, elapsed: 0 }]))
    assert.equal(of('workouts')[0]?.end, '2024-06-01T08:01:40+00:00')
  }
})
