import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startRestartablePostgres } from './restartable-postgres.ts'
import { killPostmasterUnderLoad, restartUnderLoad } from './store-trouble.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-trouble-'))
after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }))

test('restarts of an external PostgreSQL with jobs running are waited for, and jobs and events go on', async (t) => {
  const postgres = await startRestartablePostgres()
  t.after(() => postgres.close())
  await restartUnderLoad(t, postgres, join(directory, 'external'), 2)
})

test('a kill of the embedded PostgreSQL under load ends the process with 75 within ten seconds', async (t) => {
  await killPostmasterUnderLoad(t, join(directory, 'embedded'), 200)
})
