import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import type { Fault } from '../faults.ts'
import { WHOOP_KINDS } from './records.ts'

const SCOPES = [
  ...['offline', 'read:profile', 'read:body_measurement', 'read:cycles', 'read:sleep'],
  ...['read:recovery', 'read:workout'],
]
const PATHS = {
  cycle: 'cycle',
  sleep: 'activity/sleep',
  workout: 'activity/workout',
  recovery: 'recovery',
}
const HOST = 'whoop_v2/api'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const grant = async (account: string, scopes = SCOPES, app = 'app') =>
  (await vendors.emulator.grant('whoop_v2', account, scopes, app)).access_token

const read = (path: string, token: string) =>
  vendors.call('GET', `${HOST}/developer/v2/${path}`, { token })

/** All records from December on, page by page. */
async function readAll(
  path: string,
  token: string,
  limit = 25,
): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = []
  const range = `start=2025-12-01T00:00:00Z&end=2026-03-02T00:00:00Z&limit=${limit}`
  for (let cursor = ''; ; ) {
    const { status, body, text } = await read(`${path}?${range}${cursor}`, token)
    assert.equal(status, 200, text)
    assert.ok(body.records.length <= limit)
    records.push(...body.records)
    if (body.next_token === undefined) return records
    cursor = `&nextToken=${body.next_token}`
  }
}

describe('WHOOP', () => {
  test('serves page by page, the newest first, what the truth says', async () => {
    const token = await grant('anna+travel')
    const span = { from: Date.parse('2025-12-01T00:00:00Z'), to: vendors.now.getTime() }
    const truth = vendors.emulator.truthOf('whoop_v2', 'anna+travel', span)
    for (const kind of WHOOP_KINDS) {
      const records = await readAll(PATHS[kind], token, 7)
      assert.deepEqual(records, truth[kind], kind)
      assert.ok(records.length > 5, kind)
      const starts = records.map(({ start }) => String(start))
      assert.deepEqual(starts, starts.toSorted().reverse())
    }
    const body = await read('user/measurement/body', token)
    assert.deepEqual([body.body], truth.body_measurement)
  })

  test('has a record under its id', async () => {
    const token = await grant('anna')
    for (const path of [PATHS.sleep, PATHS.workout]) {
      const { body } = await read(`${path}?limit=3`, token)
      for (const record of body.records) {
        assert.deepEqual((await read(`${path}/${record.id}`, token)).body, record)
      }
      const missing = await read(`${path}/3fa85f64-5717-4562-b3fc-2c963f66afa6`, token)
      assert.equal(missing.status, 404)
    }
  })

  test('opens only what the scopes allow, and refuses wrong requests', async () => {
    const token = await grant('anna', ['read:sleep'])
    assert.equal((await read('activity/sleep', token)).status, 200)
    assert.equal((await read('cycle', token)).status, 403)
    assert.equal((await read('cycle', 'nonsense')).status, 401)
    for (const query of ['limit=26', 'limit=0', 'start=yesterday', 'nextToken=x']) {
      assert.equal((await read(`activity/sleep?${query}`, token)).status, 400, query)
    }
  })

  test('scores a night some time after it came, and a recovery with it', async () => {
    const states: string[] = []
    const from = new Date(vendors.now.getTime() - 2 * DAY_MS).toISOString()
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      vendors.pass(5 * MINUTE_MS)
      const token = await grant('anna+live')
      const { body } = await read(`activity/sleep?limit=1&start=${from}`, token)
      const [night] = body.records
      assert.equal(night.score === undefined, night.score_state !== 'SCORED')
      if (states.at(-1) !== night.score_state) states.push(night.score_state)
      const { body: recovery } = await read(`recovery?limit=1&start=${from}`, token)
      if (night.score_state === 'SCORED') assert.equal(recovery.records[0].sleep_id, night.id)
      vendors.pass(MINUTE_MS)
    }
    assert.deepEqual(states, ['SCORED', 'PENDING_SCORE', 'SCORED'])
  })

  test('gives a refresh token with `offline` only, and one access token at a time', async () => {
    const client = { client_id: 'app', client_secret: 'secret' }
    const refresh = (refresh_token: string) =>
      vendors.post(`${HOST}/oauth/oauth2/token`, {
        ...client,
        grant_type: 'refresh_token',
        refresh_token,
        scope: 'offline',
      })
    const first = await vendors.emulator.grant('whoop_v2', 'anna', SCOPES, 'app')
    assert.equal((await read('cycle', first.access_token)).status, 200)
    const next = (await refresh(first.refresh_token)).json()
    assert.equal(next.expires_in, 3600)
    assert.ok(next.refresh_token)
    assert.equal((await read('cycle', first.access_token)).status, 401)
    assert.equal((await read('cycle', next.access_token)).status, 200)
    assert.equal((await refresh(first.refresh_token)).json().error, 'invalid_grant')
    const online = await vendors.emulator.grant('whoop_v2', 'anna', ['read:sleep'], 'app')
    assert.equal((await refresh(online.refresh_token)).json().refresh_token, undefined)
  })

  test('ends the access by DELETE', async () => {
    const token = await grant('anna')
    const end = () => vendors.call('DELETE', `${HOST}/developer/v2/user/access`, { token })
    assert.equal((await end()).status, 204)
    assert.equal((await end()).status, 401)
    assert.equal((await read('cycle', token)).status, 401)
  })

  test('wants a state of eight characters', async () => {
    const url = (state: string) =>
      `${HOST}/oauth/oauth2/auth?response_type=code&client_id=app&redirect_uri=https://app.example.com/&state=${state}`
    const short = await vendors.call('GET', url('1234567'))
    assert.match(String(short.headers.location), /error=invalid_state/)
    assert.equal((await vendors.call('GET', url('12345678'))).status, 200)
  })

  test('counts requests of an app, and says when they begin again', async () => {
    const token = await grant('anna')
    for (let count = 0; count < 100; count += 1) {
      assert.equal((await read('user/measurement/body', token)).status, 200)
    }
    vendors.pass(20_000)
    const { status, headers } = await read('user/measurement/body', token)
    assert.equal(status, 429)
    assert.equal(headers['x-ratelimit-reset'], '40')
    assert.equal(headers['retry-after'], undefined)
  })
})

describe('pushes', () => {
  const enter = (callback_url: string) =>
    vendors.call('PUT', 'whoop_v2/console/push_address', {
      json: { client_id: 'app', client_secret: 'secret', callback_url },
    })

  test('are signed, and name what changed and what was deleted', async () => {
    assert.equal((await enter('https://salus.example.com/push')).status, 204)
    await grant('emil')
    const user = Number(vendors.emulator.accountIdOf('whoop_v2', 'emil'))
    const known = new Map<string, string>()
    for (let day = 0; day < 60; day++) {
      const from = vendors.now.getTime()
      vendors.pass(DAY_MS / 2)
      await vendors.emulator.push('whoop_v2', 'emil', { from, to: vendors.now.getTime() })
    }
    for (const { headers, body } of vendors.pushed) {
      const message = JSON.parse(body)
      assert.equal(message.user_id, user)
      known.set(`${message.type.split('.')[0]} ${message.id}`, message.type)
      const timestamp = headers['x-whoop-signature-timestamp'] ?? ''
      const signature = createHmac('sha256', 'secret')
        .update(timestamp + body)
        .digest('base64')
      assert.equal(headers['x-whoop-signature'], signature)
    }
    const types = new Set([...known.values()])
    for (const kind of ['sleep', 'recovery', 'workout']) assert.ok(types.has(`${kind}.updated`))
    assert.ok(types.has('sleep.deleted') && types.has('workout.deleted'))
    // What the messages leave is what there is.
    const token = await grant('emil')
    for (const kind of ['sleep', 'workout'] as const) {
      const { body } = await read(`${PATHS[kind]}?limit=10`, token)
      for (const { id, score_state } of body.records) {
        if (score_state === 'PENDING_SCORE') continue
        assert.equal(known.get(`${kind} ${id}`), `${kind}.updated`)
      }
    }
  })

  test('come twice, in another order, or not at all, as wished', async () => {
    await enter('https://salus.example.com/push')
    await grant('anna')
    const span = { from: vendors.now.getTime() - 5 * DAY_MS, to: vendors.now.getTime() }
    const pushed = async (...faults: Fault[]): Promise<string[]> => {
      vendors.pushed = []
      await vendors.emulator.setFaults('whoop_v2', 'anna', faults)
      await vendors.emulator.push('whoop_v2', 'anna', span)
      return vendors.pushed.map(({ body }) => body)
    }
    const usual = await pushed()
    assert.ok(usual.length > 4)
    assert.equal((await pushed({ kind: 'push_twice' })).length, 2 * usual.length)
    assert.deepEqual(await pushed({ kind: 'push_shuffled' }), usual.toReversed())
    assert.deepEqual(await pushed({ kind: 'push_silent' }), [])
  })
})
