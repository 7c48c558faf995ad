import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { killDuringBulkUpload } from './bulk-uploads/kill-during-bulk-upload.ts'
import { killDuringImport } from './imports/kill-during-import.ts'
import { killDuringUpload } from './imports/kill-during-upload.ts'
import { killDuringAuditMove } from './kill-during-audit-move.ts'
import { createKilledServer } from './killed-server.ts'
import { killDuringContents } from './lab-connections/kill-during-contents.ts'
import { killDuringRetention } from './persons-rights/kill-during-retention.ts'
import { killDuringParsing } from './reports/kill-during-parsing.ts'
import { killDuringMoves } from './webhooks/kill-during-moves.ts'

// One server after the other on the same data: the one that ends the work of a test begins that of
// the next.
const killed = createKilledServer()
before(() => killed.start())
after(() => killed.close())

test('after a kill no database process stays, and an import that it cut off completes after the next start', async () => {
  await killDuringImport(killed)
})

test('an upload that a kill cut off continues at the next start, and has the same bytes', async () => {
  await killDuringUpload(killed)
})

test('a bulk upload that a kill cut off is completed by sending it again', async () => {
  await killDuringBulkUpload(killed)
})

test('a report that a kill cut off is read again at the next start, and completed once', async () => {
  await killDuringParsing(killed)
})

test('a kill in the middle of retention leaves each order whole or gone, and the next start ends the work', async (t) => {
  await killDuringRetention(t, killed)
})

test('a kill while rows of the audit log move leaves each row once, and a later run ends the move', async (t) => {
  await killDuringAuditMove(t, killed)
})

test('kills in the middle of moving events to ClickHouse lose none, and show none twice', async (t) => {
  await killDuringMoves(t, killed, 2)
})

test('kills in the middle of moving contents of messages of laboratories lose none', async (t) => {
  await killDuringContents(t, killed, 2)
})

test('the last server stops in order', async () => {
  assert.equal(await killed.current().end('SIGTERM'), 0)
})
