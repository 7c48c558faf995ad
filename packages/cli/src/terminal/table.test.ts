import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatByteShare, formatBytes, formatCount, formatSeconds } from './number-format.ts'
import { estimateSeconds } from './progress-display.ts'
import { formatTable } from './table.ts'

test('a table aligns texts left and numbers right, and rules off its totals', () => {
  const columns = [
    { title: 'Name', text: ({ name }: { name: string }) => name },
    { title: 'Count', align: 'right' as const, text: (row: { count: number }) => `${row.count}` },
  ]
  const rows = [
    { name: 'a long name', count: 7 },
    { name: 'b', count: 123456 },
  ]
  const lines = formatTable(columns, rows, { name: 'Total', count: 123463 }).split('\n')
  assert.deepEqual(lines, [
    'Name          Count',
    '───────────  ──────',
    'a long name       7',
    'b            123456',
    '───────────  ──────',
    'Total        123463',
  ])
})

test('numbers are written for people', () => {
  assert.deepEqual([0, 999, 1000, 12_345, 999_600, 2_500_000_000].map(formatBytes), [
    '0 B',
    '999 B',
    '1.0 kB',
    '12.3 kB',
    '1.0 MB',
    '2.5 GB',
  ])
  assert.equal(formatByteShare(12_300_000, 201_000_000), '12.3 of 201 MB')
  assert.equal(formatByteShare(900_000, 201_000_000), '900 kB of 201 MB')
  assert.equal(formatCount(1_234_567.8), '1,234,568')
  assert.deepEqual([0.44, 9.96, 59.6, 65, 3725].map(formatSeconds), [
    '0.4 s',
    '10 s',
    '1 min 00 s',
    '1 min 05 s',
    '1 h 02 min',
  ])
})

test('the time left is only shown when it is more than a guess', () => {
  assert.equal(estimateSeconds(50, 100, 0.5), undefined)
  assert.equal(estimateSeconds(0, 100, 5), undefined)
  assert.equal(estimateSeconds(100, 100, 5), undefined)
  assert.equal(estimateSeconds(25, 100, 5), 15)
})
