import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReports } from './sandbox-report-campaign.ts'

test('a physician finds no fault in 40 reports of every orderable', async () => {
  const { problems } = await readReports(40)
  assert.deepEqual(problems.slice(0, 20), [])
})
