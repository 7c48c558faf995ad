import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReports } from './sandbox-report-campaign.ts'

test('a physician finds no fault in sandbox reports of all orderables, ages and sexes', async () => {
  const { problems, orders } = await readReports(1)
  assert.ok(orders > 1000, `${orders}`)
  assert.deepEqual(problems.slice(0, 20), [])
})
