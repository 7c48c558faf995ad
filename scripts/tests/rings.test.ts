import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findTestFiles } from './files.ts'

/**
 * What starts servers, engines, browsers and other programs of ours, kills processes, or measures
 * its own.
 */
const OF_SYSTEM =
  /\b(openEmbedded\w+|startEmbedded\w+|startRestartablePostgres|startClickHouseServer|startRouteWalk|startBrowser|startFleet|createLabReportParser|openDevPages|ApiServer)\b|\/(server-process|salus-process|kill-during-uploads|first-start|store-trouble|stall-watch|clickhouse-cluster|killed-server|browser-fixture|fleet|salus-command|harness-server|survive|reader-process)\.ts'/

test('whatever starts servers, engines or browsers says in its name that it is a system test', () => {
  const misnamed = findTestFiles(['quick'], []).filter(
    // This file names them all.
    (file) => file !== 'scripts/tests/rings.test.ts' && OF_SYSTEM.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(misnamed, [])
})

test('each test file is in one ring', () => {
  const inRings = (['quick', 'system'] as const).flatMap((ring) => findTestFiles([ring], []))
  assert.equal(new Set(inRings).size, inRings.length)
  assert.ok(inRings.length > 400, `${inRings.length}`)
})
