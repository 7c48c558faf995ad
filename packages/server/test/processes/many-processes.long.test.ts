import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { IMPORT_FILE } from '../../../health/src/imports/import-queue.ts'
import { exportXml, stepRecord } from '../imports/import-client.ts'
import { makeUser } from '../kill-during-uploads.ts'
import { freePort } from '../lab-connections/wired-laboratory.ts'
import { killDuringPulls } from '../linking/kill-during-pulls.ts'
import { request, type ServerProcess } from '../server-process.ts'
import { useFixture } from '../use-fixture.ts'
import { openSink, waitFor } from '../webhooks/webhook-sink.ts'
import { createFleet, MANAGEMENT_KEY } from './fleet.ts'

/** Two workers share everything; one of them is killed, again and again. */

const fleet = useFixture(createFleet)
let api: ServerProcess
before(async () => {
  // Emulated vendors are at the address of the deployment.
  const port = await freePort()
  fleet.settings.SALUS_BASE_URL = `http://127.0.0.1:${port}`
  api = await fleet.start('api', { PORT: String(port) })
  await fleet.start('worker')
})

const countImportingWorkers = async (): Promise<number> => {
  const { rows } = await fleet.database.pool.query<{ workers: number }>(
    `select count(distinct locked_by)::int as workers from graphile_worker.jobs
    where task_identifier = $1`,
    [IMPORT_FILE.name],
  )
  return rows[0]?.workers ?? 0
}

test('imports are spread over workers, and those of one that is killed are completed by the other', async () => {
  const victim = await fleet.start('worker')
  const day = Array.from({ length: 60 }, (_, minute) => stepRecord(minute)).join('\n')
  // Each of another person: the files of one are imported one after the other.
  const send = async (file: number): Promise<string> => {
    const userId = await makeUser(api.baseUrl, `importer-${file}`)
    const days = Array.from({ length: 1000 }, (_, index) => {
      const date = new Date(Date.UTC(2000 + file * 5, 0, 1 + index)).toISOString().slice(0, 10)
      return day.replaceAll('2024-03-01', date)
    })
    const path = `/v2/user/${userId}/import`
    const body = Buffer.from(exportXml(days.join('\n')))
    const sent = await request(api.baseUrl, 'POST', `${path}/apple_health`, body)
    assert.equal(sent.status, 202)
    return `${path}/${(sent.body as { id: string }).id}`
  }
  // More at once than one worker is done with while they come.
  const paths = await Promise.all([0, 1, 2, 3, 4, 5].map(send))
  await waitFor(
    'both workers to be at a file',
    async () => (await countImportingWorkers()) >= 2,
    60,
  )
  await victim.end('SIGKILL')
  for (const path of paths) {
    const completed = async () => {
      const { body } = await request(api.baseUrl, 'GET', path)
      const { status } = body as { status: string }
      assert.notEqual(status, 'failed')
      return status === 'completed'
    }
    await waitFor(path, completed, 180)
  }
})

test('every event reaches its endpoint though one sender after the other is killed', async (t) => {
  const sink = await openSink(t, (_arrival, response) => {
    setTimeout(() => response.end('ok'), 10)
  })
  const { rows } = await fleet.database.pool.query<{ organization_id: string; id: string }>(
    'select organization_id, id from teams limit 1',
  )
  const path = `/v1/org/${rows[0]?.organization_id}/team/${rows[0]?.id}/sandbox/webhook`
  const made = await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ url: sink.url }),
  })
  assert.equal(made.status, 200)
  const senders = [await fleet.start('worker'), await fleet.start('worker')]
  const expected = 400
  const makeAll = async () => {
    for (let person = 0; person < expected; person += 1)
      await makeUser(api.baseUrl, `reported-${person}`)
  }
  const making = makeAll()
  for (const sender of senders) {
    await sleep(700)
    assert.equal(await sender.end('SIGKILL'), 'SIGKILL')
  }
  await making
  const isDone = async () => {
    const { rows } = await fleet.database.pool.query<{ left: number }>(
      `select ((select count(*) from waiting_events)
        + (select count(*) from webhook_deliveries where status <> 'delivered'))::int as left`,
    )
    return rows[0]?.left === 0
  }
  await waitFor('all deliveries', isDone, 120)
  const reported = new Set(sink.arrivals.map(({ id }) => id))
  const { rows: deliveries } = await fleet.database.pool.query<{ event_id: string }>(
    'select event_id from webhook_deliveries',
  )
  assert.ok(deliveries.length >= expected)
  for (const { event_id: id } of deliveries) assert.ok(reported.has(id), `${id} never came`)
})

test('pulls of a worker that is killed are taken over, and each record is there once', async () => {
  // The API stays: what is killed is the worker beside it.
  const start = async (): Promise<ServerProcess> => ({
    ...(await fleet.start('worker')),
    baseUrl: api.baseUrl,
    output: () => `${api.output()} Management key ${MANAGEMENT_KEY}`,
  })
  // The tasks of a killed one are free when its lease ends.
  const { samples } = await killDuringPulls(start, [300, 900], 3, 240)
  assert.ok(samples > 0)
})
