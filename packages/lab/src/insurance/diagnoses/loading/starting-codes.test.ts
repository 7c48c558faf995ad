import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import type { Stores } from '@salus/kernel/scope'
import { createTestDatabase, type TestDatabase } from '../../../../../server/test/database.ts'
import {
  checkDiagnosisCodes,
  describeDiagnosisCodes,
  validateIcdCodes,
} from '../diagnoses.service.ts'
import { searchDiagnoses } from '../diagnosis-search.ts'
import {
  addStartingDiagnosisCodes,
  diagnosisJobs,
  loadStartingDiagnosisCodes,
} from './diagnosis-loading.service.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
  await database.pool.query('delete from diagnosis_loads; delete from diagnosis_codes')
})
after(() => database.close())

const now = new Date('2026-10-01T00:00:00Z')

async function countRows(source: string): Promise<number> {
  const { rows } = await database.pool.query(`select count(*)::int as count from ${source}`)
  return rows[0].count
}

async function assertLoading(): Promise<void> {
  const { db } = database
  for (const ask of [
    () => searchDiagnoses(db, 'diabetes'),
    () => validateIcdCodes(db, ['E11.9']),
    () => checkDiagnosisCodes(db, ['E11.9']),
    () => describeDiagnosisCodes(db, ['E11.9']),
  ]) {
    await assert.rejects(ask, { status: 503, errorType: 'diagnosis_codes_loading' })
  }
}

describe('the codes of a first start', () => {
  test('are reported as loading until they are complete', async () => {
    await assertLoading()
    assert.deepEqual(await describeDiagnosisCodes(database.db, []), [])
  })

  test('are not partly visible when their loading is interrupted', async () => {
    const loading = loadStartingDiagnosisCodes(database.db, now)
    const interrupted = assert.rejects(loading)
    const holders = `pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`
    while ((await countRows(holders)) === 0) await sleep(5)
    // During the writing
    await sleep(300)
    await database.pool.query(`select pg_terminate_backend(pid) from ${holders}`)
    await interrupted
    assert.equal(await countRows('diagnosis_codes'), 0)
    await assertLoading()
  })

  test('are not partly visible when the process stops, which waits for one batch', async () => {
    // Removes pages of the rows of the previous attempt.
    await database.pool.query('truncate diagnosis_codes')
    const stopping = new AbortController()
    const loading = loadStartingDiagnosisCodes(database.db, now, stopping.signal)
    const stopped = assert.rejects(loading, { message: 'stopping' })
    const size = "(select pg_relation_size('diagnosis_codes') as bytes) as codes where bytes > 0"
    while ((await countRows(size)) === 0) await sleep(5)
    stopping.abort(new Error('stopping'))
    await stopped
    assert.equal(await countRows('diagnosis_codes'), 0)
    await assertLoading()
  })

  test('are loaded by another process after one stops', async () => {
    const { db, pool } = database
    const { handlers } = diagnosisJobs({ db, clock: { now: () => now } } as Stores)
    const load = handlers.load_starting_diagnosis_codes
    await load?.({}, AbortSignal.abort(), { isLast: false })
    assert.equal(await countRows('graphile_worker.jobs'), 1)
    assert.equal(await countRows('diagnosis_codes'), 0)
    await pool.query('delete from graphile_worker._private_jobs')
  })

  test('are loaded once in the background, although two processes add the job', async () => {
    const { db, pool } = database
    await addStartingDiagnosisCodes(db)
    await addStartingDiagnosisCodes(db)
    assert.equal(await countRows('graphile_worker.jobs'), 2)
    const definitions = diagnosisJobs({ db, clock: { now: () => now } } as Stores)
    const worker = await startWorker({
      pool,
      definitions,
      concurrency: 2,
      log: createLogger('silent'),
    })
    while ((await countRows('graphile_worker.jobs')) > 0) await sleep(20)
    await worker.stop()
    assert.equal(await countRows('diagnosis_codes'), 95_358)
    assert.equal((await searchDiagnoses(db, 'E11.9'))[0]?.diagnosis_code, 'E11.9')
    assert.deepEqual(await checkDiagnosisCodes(db, ['E11.9', 'Q99.99']), { unknown: [1] })
  })

  test('are merged into the indexes that searches read', async () => {
    const { rows } = await database.pool.query(
      "select gin_clean_pending_list('diagnosis_codes_by_words')::int as pages",
    )
    assert.deepEqual(rows, [{ pages: 0 }])
  })

  test('are not loaded again by later starts', async () => {
    await addStartingDiagnosisCodes(database.db)
    assert.equal(await countRows('graphile_worker.jobs'), 0)
  })
})
