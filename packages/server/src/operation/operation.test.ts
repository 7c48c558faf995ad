import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { addJob } from '@salus/kernel/jobs/jobs'
import { useFixture } from '../../test/use-fixture.ts'
import { untilAttempts } from '../../test/webhooks/deliver.ts'
import { openMessageSink } from '../../test/webhooks/message-sink.ts'
import { until } from '../../test/webhooks/until.ts'
import {
  createWebhookHarness,
  openNewEnvironment,
} from '../../test/webhooks/webhook-environment.ts'
import { RECOVER_WEBHOOK } from '../webhooks/messages/recovery.ts'

const salus = useFixture(createWebhookHarness)

const ask = (method: string, path: string, body?: unknown, key = salus.managementKey) =>
  salus.call(method, `/v1/operation${path}`, body, { 'x-management-key': key })

async function read(path: string) {
  const answer = await ask('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('whoever does not run the installation is refused', async () => {
  const team = await salus.makeTeam()
  const { body } = await salus.manage('POST', '/management_key', {
    label: 'of a team',
    role: 'team_admin',
    team_role_bindings: [{ team_id: team.id }],
  })
  for (const path of ['/status', '/delivery', '/provider', '/job_kind', '/job', '/audit_log']) {
    const answer = await ask('GET', path, undefined, body.key)
    assert.deepEqual([answer.status, answer.body.detail.error_type], [403, 'role_too_low'], path)
  }
  const retry = await ask('POST', '/job/retry', { kind: 'recover_webhook' }, body.key)
  assert.equal(retry.status, 403)
})

test('the status has versions, sizes of the stores and the requests of the process', async () => {
  await salus.makeUser()
  const { versions, postgres, clickhouse, files, process, requests } = await read('/status')
  assert.match(versions.salus, /^\d+\.\d+\.\d+$/)
  assert.match(versions.postgres, /^1[5-9]/)
  assert.match(versions.clickhouse, /^\d+\.\d+/)
  assert.match(versions.schema, /^\d{4} \w+$/)
  assert.ok(postgres.bytes > 1_000_000 && postgres.tables.length > 10)
  assert.ok(postgres.tables.every(({ name }: { name: string }) => name !== ''))
  assert.ok(clickhouse.bytes >= 0 && Array.isArray(clickhouse.tables))
  assert.ok(files.total_bytes > files.free_bytes)
  assert.ok(process.memory_bytes > 10_000_000)
  assert.deepEqual(process.postgres_pooling, { mode: 'none', prepares_statements: true })
  const { protections, missing } = process.lab_report_reader
  assert.deepEqual([...protections, ...missing].sort(), [
    'files',
    'local_sockets',
    'network',
    'programs',
    'server',
    'writing',
  ])
  const [minute] = requests.slice(-1)
  assert.ok(minute.requests >= 1 && minute.mean_ms > 0)
})

describe('jobs', () => {
  const person = 'Ada Moreau'
  const payload = { environmentId: randomUUID(), endpointId: person, fromId: '', toId: 'msg_' }
  const failing = async () => (await read('/job?state=failing&kind=recover_webhook')).data

  test('that fail show why, without what they were about, and can be run again', async () => {
    salus.errors.expect('(recover_webhook,')
    const { db, pool } = salus.database
    await addJob(db, RECOVER_WEBHOOK, payload)
    const worker = await salus.startJobs()
    const [job] = await until('the job failed', async () => {
      const jobs = await failing()
      return jobs.length > 0 && jobs[0].failure !== null ? jobs : undefined
    })
    await worker.stop()
    assert.equal(job.failure.code, '22P02')
    assert.equal(job.failure.message, null)
    const { rows } = await pool.query('select last_error from graphile_worker._private_jobs')
    assert.ok(rows.every(({ last_error: text }) => !String(text).includes(person)))

    const kinds = await read('/job_kind')
    const kind = kinds.data.find((entry: { kind: string }) => entry.kind === 'recover_webhook')
    assert.deepEqual([kind.failing, kind.given_up], [1, 0])

    assert.deepEqual((await ask('POST', '/job/retry', { ids: [job.id] })).body, { retried: 1 })
    assert.deepEqual(await failing(), [])
    await pool.query('update graphile_worker._private_jobs set attempts = max_attempts')
    assert.equal((await read('/job?state=given_up')).data[0].id, job.id)
    const retried = await ask('POST', '/job/retry', { kind: 'recover_webhook' })
    assert.deepEqual(retried.body, { retried: 1 })
    await pool.query('delete from graphile_worker._private_jobs')
  })

  test('that were given up are removed after 30 days, and counted', async () => {
    const { db, pool } = salus.database
    for (let number = 0; number < 4; number += 1) await addJob(db, RECOVER_WEBHOOK, payload)
    const now = salus.clock.now()
    const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
    const { rows } = await pool.query('select id from graphile_worker._private_jobs order by id')
    const [old, recent, waiting, running] = rows.map(({ id }) => id)
    const set = 'update graphile_worker._private_jobs set attempts = $2, updated_at = $3'
    await pool.query(`${set} where id = $1`, [old, 25, daysAgo(31)])
    await pool.query(`${set} where id = $1`, [recent, 25, daysAgo(29)])
    await pool.query(`${set} where id = $1`, [waiting, 3, daysAgo(31)])
    await pool.query(`${set}, locked_at = now(), locked_by = 'w' where id = $1`, [
      running,
      25,
      daysAgo(31),
    ])
    const forget = salus.dependencies.jobs.handlers.forget_given_up_jobs
    const { signal } = new AbortController()
    for (let run = 0; run < 2; run += 1) await forget?.({}, signal, { isLast: false })
    const left = await pool.query('select id from graphile_worker._private_jobs order by id')
    assert.deepEqual(
      left.rows.map(({ id }) => id),
      [recent, waiting, running],
    )
    const { data } = await read('/job_kind')
    const kind = data.find((entry: { kind: string }) => entry.kind === 'recover_webhook')
    assert.deepEqual([kind.given_up, kind.forgotten], [1, 1])
    await pool.query('delete from graphile_worker._private_jobs')
    const later = await read('/job_kind')
    assert.deepEqual(
      later.data.map(({ forgotten }: { forgotten: number }) => forgotten),
      [1],
    )
  })

  test('are listed in pages', async () => {
    const { db, pool } = salus.database
    for (let number = 0; number < 5; number += 1) await addJob(db, RECOVER_WEBHOOK, payload)
    const first = await read('/job?kind=recover_webhook&limit=3')
    const second = await read(`/job?kind=recover_webhook&limit=3&next_cursor=${first.next_cursor}`)
    assert.deepEqual([first.data.length, second.data.length], [3, 2])
    assert.equal(second.next_cursor, null)
    const other = await ask('GET', `/job?limit=3&next_cursor=${first.next_cursor}`)
    assert.deepEqual([other.status, other.body.detail.error_type], [400, 'invalid_cursor'])
    await pool.query('delete from graphile_worker._private_jobs')
  })

  test('are retried by ids or by kind, and not by both or neither', async () => {
    for (const body of [{}, { ids: [1], kind: 'recover_webhook' }]) {
      const answer = await ask('POST', '/job/retry', body)
      assert.deepEqual([answer.status, answer.body.detail[0].type], [422, 'exactly_one'])
    }
  })
})

test('the delivery of all teams shows what waits where, those in trouble first', async (context) => {
  const [good, bad] = [await openNewEnvironment(salus), await openNewEnvironment(salus)]
  const [goodSink, badSink] = [await openMessageSink(context), await openMessageSink(context)]
  badSink.answer = () => 500
  const { id: goodId } = await good.makeWebhook({ url: goodSink.url })
  const { id: badId } = await bad.makeWebhook({ url: badSink.url })
  await good.raise()
  const waiting = await read('/delivery')
  assert.equal(waiting.outbox.events, 1)
  assert.notEqual(waiting.outbox.oldest_at, null)

  const dispatcher = salus.startWebhooks({ timeoutMs: 1_000 })
  await untilAttempts(good, await good.raise(), 1, dispatcher)
  await untilAttempts(bad, await bad.raise(), 1, dispatcher)
  await dispatcher.stop()
  const { outbox, endpoints, minutes } = await read('/delivery')
  assert.equal(outbox.events, 0)
  assert.equal(endpoints[0].webhook_id, badId)
  assert.deepEqual(
    [endpoints[0].failures, endpoints[0].retrying, endpoints[0].failed, endpoints[0].host],
    [1, 1, 1, new URL(badSink.url).host],
  )
  const ofGood = endpoints.find((entry: { webhook_id: string }) => entry.webhook_id === goodId)
  assert.deepEqual([ofGood.succeeded, ofGood.failed, ofGood.pending], [2, 0, 0])
  assert.ok(ofGood.duration_p95_ms >= ofGood.duration_p50_ms)
  assert.equal(ofGood.team.name, 'Another team')
  const attempts = minutes.reduce(
    (sum: number, minute: { succeeded: number; failed: number }) =>
      sum + minute.succeeded + minute.failed,
    0,
  )
  assert.equal(attempts, 3)

  const status = await bad.succeed('GET', '/webhook_status')
  assert.equal(status.data.length, 1)
  assert.deepEqual([status.data[0].webhook_id, status.data[0].failures], [badId, 1])
  const failed = await bad.succeed('GET', `/event?webhook_id=${badId}&status=pending`)
  assert.equal(failed.data.length, 1)
  assert.equal((await bad.succeed('GET', `/event?webhook_id=${goodId}`)).data.length, 0)
})

test('providers show what is left of their budgets', async () => {
  const now = salus.clock.now()
  const until = new Date(now.getTime() + 60_000)
  await salus.database.pool.query(
    `insert into pull_budgets (bucket, tokens, filled_at, blocked_until) values
      ('oura sandbox app 0123456789abcdef 5000/300', 100, $1, null),
      ('oura sandbox ${randomUUID()} 60/60', 0, $1, null),
      ('oura sandbox ${randomUUID()} 60/60', 4, $1, $2)`,
    [now, until],
  )
  const { data } = await read('/provider')
  const oura = data.find(({ provider }: { provider: string }) => provider === 'oura')
  const [ofApp, ofPeople] = oura.budgets.sort((one: { per: string }) =>
    one.per === 'app' ? -1 : 1,
  )
  assert.deepEqual([ofApp.available, ofApp.capacity, ofApp.spent], [100, 500, 0])
  assert.deepEqual([ofPeople.used, ofPeople.spent, ofPeople.available], [2, 2, 0])
  assert.equal(Date.parse(ofPeople.blocked_until), Math.floor(until.getTime() / 1000) * 1000)
})
