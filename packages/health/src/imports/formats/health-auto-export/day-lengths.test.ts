import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const exportOf = (name: string, units: string, ...data: object[]): string =>
  JSON.stringify({ data: { metrics: [{ name, units, data }] } })

test('without a zone a day ends where the next one of the export begins', async () => {
  const days = [
    '2025-03-29 00:00:00 +0100',
    '2025-03-30 00:00:00 +0100',
    '2025-03-31 00:00:00 +0200',
  ]
  const points = days.map((date) => ({ date, qty: 1000 }))
  const { of } = await mapContent(exportOf('step_count', 'count', ...points))
  assert.deepEqual(
    of('steps').map(({ start, end }) => [start, end]),
    [
      ['2025-03-28T23:00:00+00:00', '2025-03-29T23:00:00+00:00'],
      ['2025-03-29T23:00:00+00:00', '2025-03-30T22:00:00+00:00'],
      ['2025-03-30T22:00:00+00:00', '2025-03-31T22:00:00+00:00'],
    ],
  )
})

test('a night with more time awake than it lasts is quarantined', async () => {
  const night = { date: '2025-03-02 00:00:00 +0100', core: 6, awake: 1e12 }
  const times = { sleepStart: '2025-03-01 23:00:00 +0100', sleepEnd: '2025-03-02 06:00:00 +0100' }
  const { lines } = await mapContent(exportOf('sleep_analysis', 'hr', { ...night, ...times }))
  assert.deepEqual(
    lines.map(({ refused }) => refused),
    ['out_of_range'],
  )
})
