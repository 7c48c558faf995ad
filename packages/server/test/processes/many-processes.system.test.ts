import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import { API_KEY, request, type ServerProcess } from '../server-process.ts'
import { useFixture } from '../use-fixture.ts'
import { createFleet, MANAGEMENT_KEY } from './fleet.ts'

const fleet = useFixture(() => createFleet({ isEmpty: true }))
let api: [ServerProcess, ServerProcess]
let worker: ServerProcess

before(async () => {
  const [first, second, third] = await Promise.all([
    fleet.start('api'),
    fleet.start('api', { SALUS_DRAIN_SECONDS: '2' }),
    fleet.start('worker'),
  ])
  api = [first, second]
  worker = third
})

test('processes that start together on empty databases make one schema and one team', async () => {
  const { pool } = fleet.database
  const { rows } = await pool.query<{ organizations: number; numbers: number; applied: number }>(`
    select (select count(*) from organizations) as organizations,
      (select count(distinct number) from salus_migrations) as numbers,
      (select count(*) from salus_migrations) as applied`)
  const [{ organizations, numbers, applied } = {}] = rows
  assert.equal(organizations, 1)
  assert.ok(Number(applied) > 30)
  assert.equal(applied, numbers)
  for (const { baseUrl } of api) {
    assert.equal((await request(baseUrl, 'GET', '/v2/user')).status, 200)
  }
})

test('a process that only works answers probes and metrics, and nothing else', async () => {
  const ready = await fetch(`${worker.baseUrl}/health/ready`)
  assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [200, 'ok'])
  assert.match(await (await fetch(`${worker.baseUrl}/metrics`)).text(), /salus_pull/)
  assert.equal((await request(worker.baseUrl, 'GET', '/v2/user')).status, 404)
})

describe('the console', () => {
  const session = '/v1/console/session'
  const send = (server: ServerProcess, method: string, cookie = '', key?: string) =>
    fetch(`${server.baseUrl}${session}`, {
      method,
      headers: { 'x-salus-console': '1', cookie, 'content-type': 'application/json' },
      ...(key !== undefined && { body: JSON.stringify({ management_key: key }) }),
      ...(method === 'DELETE' && { body: '{}' }),
    })

  test('is signed in and out on all processes at once', async () => {
    const [first, second] = api
    const signedIn = await send(first, 'POST', '', MANAGEMENT_KEY)
    assert.equal(signedIn.status, 200)
    const [cookie] = signedIn.headers.get('set-cookie')?.split(';') ?? []
    assert.equal((await send(second, 'GET', cookie)).status, 200)
    assert.equal((await send(second, 'DELETE', cookie)).status, 200)
    assert.equal((await send(first, 'GET', cookie)).status, 401)
  })

  test('refuses guesses after ten on all processes together', async () => {
    // The counts are of a minute: one that ends in the middle would begin them anew.
    const left = MINUTE_MS - (Date.now() % MINUTE_MS)
    if (left < 8_000) await sleep(left)
    const statuses: number[] = []
    for (let guess = 0; guess < 14; guess += 1) {
      const server = api[guess % 2] as ServerProcess
      statuses.push((await send(server, 'POST', '', 'mg_guessguessguessguess')).status)
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(4).fill(429)])
    const { rows } = await fleet.database.pool.query<{ failed: number }>(
      'select failed from sign_in_attempts',
    )
    assert.deepEqual(
      rows.map(({ failed }) => failed),
      [10, 10],
    )
  })
})

test('uploads through all processes lose nothing that was acknowledged when one is killed', async () => {
  const victim = await fleet.start('api')
  const userId = await makeUser(api[0].baseUrl, 'spread')
  const acknowledged: number[] = []
  let next = 0
  let isKilled = false
  const client = async (server: ServerProcess) => {
    for (let count = 0; count < 60; count += 1) {
      const first = next
      next += 20
      const body = { stage: 'daily', provider: 'manual', data: samples(first, 20) }
      const path = `/v2/timeseries/${userId}/steps`
      const { status } = await request(server.baseUrl, 'POST', path, body).catch(() => ({
        status: 0,
      }))
      if (status === 200) acknowledged.push(first)
      else assert.ok(server === victim && isKilled, `${status}`)
      if (status === 0) return
    }
  }
  const clients = [...api, victim, victim].map(client)
  while (acknowledged.length < 40) await sleep(5)
  isKilled = true
  await victim.end('SIGKILL')
  await Promise.all(clients)
  const found = await readAll(api[1].baseUrl, userId)
  assert.ok(acknowledged.length >= 120)
  for (const first of acknowledged) {
    for (const { value } of samples(first, 20)) assert.ok(found.has(value), `${value} is lost`)
  }
})

test('a process that receives SIGTERM says so first and serves on, then ends', async () => {
  const [other, server] = api
  const open = await request(server.baseUrl, 'GET', '/v2/user')
  assert.equal(open.status, 200)
  server.child.kill('SIGTERM')
  let ready = await fetch(`${server.baseUrl}/health/ready`)
  while (ready.status === 200) ready = await fetch(`${server.baseUrl}/health/ready`)
  assert.equal(((await ready.json()) as { status: string }).status, 'stopping')
  // A balancer that has not noticed yet loses nothing.
  const headers = { 'x-service-api-key': API_KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({ client_user_id: 'while-draining' })
  const made = await fetch(`${server.baseUrl}/v2/user`, { method: 'POST', headers, body })
  assert.deepEqual([made.status, made.headers.get('connection')], [200, 'close'])
  assert.equal(await server.ended, 0)
  const found = await request(other.baseUrl, 'GET', '/v2/user/resolve/while-draining')
  assert.equal(found.status, 200)
})
