import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import type { Fault } from '../faults.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const SCOPES = ['activity', 'heartrate', 'nutrition', 'profile', 'settings', 'sleep', 'weight']

const grant = async (account: string, scopes = SCOPES, clientId = 'sandbox') =>
  (await vendors.emulator.grant('fitbit', account, scopes, clientId)).access_token

const read = (path: string, token: string, version = '1') =>
  vendors.call('GET', `fitbit/api/${version}/user/-/${path}`, { token })

describe('Fitbit', () => {
  test('serves what the truth says', async () => {
    const token = await grant('anna')
    const span = {
      from: Date.parse('2026-02-25T12:00:00Z'),
      to: Date.parse('2026-02-28T12:00:00Z'),
    }
    const truth = vendors.emulator.truthOf('fitbit', 'anna', span)
    const days = '2026-02-25/2026-02-28.json'
    const { sleep } = (await read(`sleep/date/${days}`, token, '1.2')).body
    assert.ok(sleep.length > 2)
    assert.deepEqual(sleep, truth.sleep)
    assert.deepEqual((await read(`body/log/weight/date/${days}`, token)).body.weight, truth.weight)
    const { body: day } = await read('activities/date/2026-02-26.json', token)
    const { date, ...expected } = (truth.activities as { date: string }[])[1] ?? { date: '' }
    assert.equal(date, '2026-02-26')
    assert.deepEqual(day, expected)
    const minutes = await read('activities/steps/date/2026-02-26/1d/1min.json', token)
    assert.equal(minutes.body['activities-steps-intraday'].dataset.length, 1440)
    const steps = Number(minutes.body['activities-steps'][0].value)
    assert.equal(steps, (expected as { summary: { steps: number } }).summary.steps)
    assert.deepEqual(minutes.body, truth.steps?.[1])
    const { foods } = (await read('foods/log/date/2026-02-26.json', token)).body
    const [, served] = truth.foods as { foods: unknown }[]
    assert.deepEqual(foods, served?.foods)
  })

  test('lists activity logs page by page, the oldest first', async () => {
    const token = await grant('dora')
    const logs: { startTime: string }[] = []
    let query = 'afterDate=2025-12-01&sort=asc&offset=0&limit=5'
    for (let pages = 0; query !== ''; pages += 1) {
      assert.ok(pages < 30)
      const { body } = await read(`activities/list.json?${query}`, token)
      logs.push(...body.activities)
      query = body.pagination.next.split('?')[1] ?? ''
    }
    const starts = logs.map(({ startTime }) => Date.parse(startTime))
    assert.ok(starts.length > 20)
    assert.deepEqual(starts, starts.toSorted())
    assert.equal((await read('activities/list.json', token)).status, 400)
    const many = 'activities/list.json?afterDate=2025-12-01&sort=asc&offset=0&limit=101'
    assert.equal((await read(many, token)).status, 400)
  })

  test('opens only what the scopes allow, for ranges that it serves', async () => {
    const token = await grant('anna', ['weight'])
    const refused = await read('devices.json', token)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.errors[0].errorType, 'insufficient_scope')
    const days = (from: string, to: string) =>
      read(`body/log/weight/date/${from}/${to}.json`, token)
    assert.equal((await days('2026-01-01', '2026-01-31')).status, 200)
    for (const [from, to] of [
      ['2026-01-01', '2026-02-01'],
      ['2026-01-02', '2026-01-01'],
      ['2026-02-30', '2026-03-01'],
    ] as const) {
      assert.equal((await days(from, to)).status, 400)
    }
    assert.equal((await read('devices.json', 'nonsense')).status, 401)
  })

  test('counts requests of a person until the full hour', async () => {
    vendors.now = new Date('2026-03-01T18:40:00Z')
    const token = await grant('anna')
    for (let count = 0; count < 150; count += 1) {
      assert.equal((await read('devices.json', token)).status, 200)
    }
    const { status, headers } = await read('devices.json', token)
    assert.equal(status, 429)
    assert.equal(headers['fitbit-rate-limit-reset'], '1200')
    assert.equal((await read('devices.json', await grant('bob'))).status, 200)
    vendors.pass(HOUR_MS / 3)
    assert.equal((await read('devices.json', token)).status, 200)
  })

  test('names the person in token answers, and errors in its own form', async () => {
    const { refresh_token } = await vendors.emulator.grant('fitbit', 'anna', SCOPES)
    const form = {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: 'sandbox',
      client_secret: 'sandbox',
    }
    const good = await vendors.post('fitbit/api/oauth2/token', form)
    assert.equal(good.json().user_id, vendors.emulator.accountIdOf('fitbit', 'anna'))
    const used = await vendors.post('fitbit/api/oauth2/token', form)
    assert.equal(used.statusCode, 400)
    assert.equal(used.json().errors[0].errorType, 'invalid_grant')
    assert.equal(used.json().success, false)
  })
})

describe('messages', () => {
  const subscribe = (kind: string, id: string, token: string) =>
    vendors.call('POST', `fitbit/api/1/user/-/${kind}/apiSubscriptions/${id}.json`, { token })

  const enterAddress = () =>
    vendors.emulator.app.inject({
      method: 'PUT',
      url: '/sandbox/providers/fitbit/console/push_address',
      payload: {
        client_id: 'app',
        client_secret: 'very secret',
        callback_url: 'https://salus.example.com/push',
      },
    })

  test('are signed, and name the days of subscribed kinds', async () => {
    await enterAddress()
    const token = await grant('anna', SCOPES, 'app')
    assert.equal((await subscribe('sleep', 's1', token)).status, 201)
    assert.equal((await subscribe('sleep', 's1', token)).status, 200)
    assert.equal((await subscribe('sleep', 's2', token)).status, 409)
    const span = { from: vendors.now.getTime() - DAY_MS, to: vendors.now.getTime() }
    const messages = async (...faults: Fault[]) => {
      vendors.pushed = []
      await vendors.emulator.setFaults('fitbit', 'anna', faults)
      await vendors.emulator.push('fitbit', 'anna', span)
      return vendors.pushed.flatMap(({ body }) => JSON.parse(body) as Record<string, string>[])
    }
    const usual = await messages()
    assert.ok(usual.length > 0)
    const [{ headers, body } = { headers: {}, body: '' }] = vendors.pushed
    const signature = createHmac('sha1', 'very secret&').update(body).digest('base64')
    assert.equal((headers as Record<string, string>)['x-fitbit-signature'], signature)
    const ownerId = vendors.emulator.accountIdOf('fitbit', 'anna')
    for (const message of usual) {
      assert.match(message.date ?? '', /^2026-0[23]-\d\d$/)
      const { date: _, ...rest } = message
      assert.deepEqual(rest, {
        collectionType: 'sleep',
        ownerId,
        ownerType: 'user',
        subscriptionId: 's1',
      })
    }
    assert.equal((await messages({ kind: 'push_twice' })).length, 2 * usual.length)
    assert.deepEqual(await messages({ kind: 'push_silent' }), [])
  })

  test('say when a person ends the access', async () => {
    await enterAddress()
    const token = await grant('anna', SCOPES, 'app')
    await subscribe('userRevokedAccess', 'r', token)
    await vendors.emulator.revoke('fitbit', 'anna')
    const [message] = vendors.pushed.flatMap(({ body }) => JSON.parse(body))
    assert.equal(message.collectionType, 'userRevokedAccess')
    assert.equal((await read('devices.json', token)).status, 401)
  })
})
