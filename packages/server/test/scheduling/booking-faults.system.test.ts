import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startRestartablePostgres } from '../restartable-postgres.ts'
import { startServer } from '../server-process.ts'
import { killDuringBookings } from './kill-during-bookings.ts'
import { restartStoreDuringBookings } from './store-down-during-bookings.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-booking-'))
after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }))

test('kills while 32 clients book, move and cancel leave every seat with its appointment', async (t) => {
  const postgres = await startRestartablePostgres()
  t.after(() => postgres.close())
  const start = () => startServer(join(directory, 'killed'), { DATABASE_URL: postgres.url })
  const done = await killDuringBookings(start, postgres.url, { kills: 2, seed: 1 })
  t.diagnostic(JSON.stringify({ ...done, refused: [...done.refused] }))
  assert.ok(done.acknowledged > 20)
})

test('a restart of PostgreSQL while 32 clients book is answered with 503, and leaves nothing half written', async (t) => {
  const postgres = await startRestartablePostgres()
  t.after(() => postgres.close())
  const start = () => startServer(join(directory, 'down'), { DATABASE_URL: postgres.url })
  const { acknowledged, unavailable } = await restartStoreDuringBookings(start, postgres, {
    restarts: 1,
    seed: 2,
  })
  t.diagnostic(`${acknowledged} acknowledged, ${unavailable} unavailable`)
})
