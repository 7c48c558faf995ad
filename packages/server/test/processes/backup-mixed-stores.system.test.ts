import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSalus } from '../../../cli/src/testing/salus-command.ts'
import { startTestCluster, type TestCluster } from '../clickhouse-cluster.ts'
import { type ServerProcess, startServer } from '../server-process.ts'

let directory: string
let cluster: TestCluster
let server: ServerProcess
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'salus-mixed-'))
  cluster = await startTestCluster(2)
})
after(async () => {
  await server?.end('SIGKILL')
  await cluster?.stop()
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

test('a server with its PostgreSQL inside and a cluster outside is backed up while it runs, and when it is stopped', async () => {
  const data = join(directory, 'data')
  const settings = {
    CLICKHOUSE_URL: cluster.urls.map((url) => `${url}/mixed`).join(),
    CLICKHOUSE_CLUSTER: 'shards_2',
  }
  const backUp = () =>
    startSalus(['--data-dir', data, 'backup', join(directory, 'backups')], settings).result
  server = await startServer(data, settings)
  const running = await backUp()
  assert.equal(running.code, 0, running.stderr)
  assert.match(running.stdout, /^salus-\S+ holds [\d,]+ rows of \d+ tables/)
  assert.equal(await server.end('SIGTERM'), 0)
  const stopped = await backUp()
  assert.equal(stopped.code, 0, stopped.stderr)
})
