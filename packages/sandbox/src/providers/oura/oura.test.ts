import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { ALL_SCOPES, EmulatedVendors } from '../../../test/emulated-vendors.ts'
import type { Fault } from '../faults.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

describe('Oura', () => {
  test('serves page by page what the truth says', async () => {
    const token = await vendors.grant('anna+travel')
    const from = vendors.now.getTime() - 89 * DAY_MS
    const truth = vendors.emulator.truthOf('oura', 'anna+travel', {
      from,
      to: vendors.now.getTime(),
    })
    const dates = `start_date=2025-12-01&end_date=2026-03-02`
    const first = (truth.daily_activity as { day: string }[])[0]?.day ?? ''
    for (const name of [
      'daily_activity',
      'daily_sleep',
      'sleep',
      'daily_readiness',
      'workout',
      'tag',
    ]) {
      const records = (await vendors.readAll(`${name}?${dates}`, token)) as { day: string }[]
      assert.deepEqual(
        records.filter(({ day }) => day >= first),
        truth[name],
        name,
      )
      assert.ok(records.length > 5, name)
    }
  })

  test('serves heart rates of up to 30 days in pages that neither repeat nor lose one', async () => {
    const token = await vendors.grant('anna+minute')
    const [from, to] = [Date.parse('2026-01-10T03:30:00Z'), Date.parse('2026-02-08T12:00:00Z')]
    const query = `start_datetime=${new Date(from).toISOString()}&end_datetime=${new Date(to).toISOString()}`
    const samples = await vendors.readAll(`heartrate?${query}`, token)
    assert.ok(samples.length > 20_000)
    const truth = vendors.emulator.truthOf('oura', 'anna+minute', { from, to }).heartrate
    assert.deepEqual(samples, truth)
    const long = query.replace('2026-01-10', '2025-12-10')
    assert.equal((await vendors.read(`heartrate?${long}`, token)).status, 400)
  })

  test('has a document under its id', async () => {
    const token = await vendors.grant('anna')
    const { body } = await vendors.read('sleep?start_date=2026-02-20&end_date=2026-02-28', token)
    for (const record of body.data) {
      assert.deepEqual((await vendors.read(`sleep/${record.id}`, token)).body, record)
    }
    assert.equal(
      (await vendors.read('sleep/3fa85f64-5717-4562-b3fc-2c963f66afa6', token)).status,
      404,
    )
  })

  test('opens only what the scopes allow', async () => {
    const token = await vendors.grant('anna', ['heartrate'])
    assert.equal((await vendors.read('heartrate', token)).status, 200)
    const refused = await vendors.read('daily_sleep', token)
    assert.equal(refused.status, 401)
    assert.match(refused.body.detail, /scope/)
    assert.equal((await vendors.read('heartrate', 'nonsense')).status, 401)
  })

  test('refuses ranges that make no sense', async () => {
    const token = await vendors.grant('anna')
    assert.equal((await vendors.read('sleep?start_date=2026-02-30', token)).status, 422)
    assert.equal(
      (await vendors.read('sleep?start_date=2026-03-02&end_date=2026-03-01', token)).status,
      400,
    )
    assert.equal((await vendors.read('sleep?next_token=x', token)).status, 422)
    assert.equal((await vendors.read('heartrate?start_datetime=yesterday', token)).status, 422)
  })

  test('knows the day so far, and more of it later', async () => {
    const token = await vendors.grant('anna+live')
    const today = 'daily_activity?start_date=2026-03-01&end_date=2026-03-01'
    const { body: before } = await vendors.read(today, token)
    vendors.pass(3 * HOUR_MS)
    const { body: later } = await vendors.read(today, token)
    assert.equal(before.data[0].id, later.data[0].id)
    assert.ok(later.data[0].steps >= before.data[0].steps)
    assert.equal(later.data[0].met.items.length - before.data[0].met.items.length, 180)
  })

  test('ends access tokens after a day, at a revocation, and when they are made to expire', async () => {
    const token = await vendors.grant('anna')
    assert.equal((await vendors.read('daily_sleep', token)).status, 200)
    await vendors.emulator.expire('oura', 'anna')
    assert.equal((await vendors.read('daily_sleep', token)).status, 401)
    const other = await vendors.grant('anna')
    vendors.pass(DAY_MS)
    assert.equal((await vendors.read('daily_sleep', other)).status, 401)
    const third = await vendors.grant('anna')
    await vendors.emulator.revoke('oura', 'anna')
    assert.equal((await vendors.read('daily_sleep', third)).status, 401)
  })

  test('counts requests of an app', async () => {
    const token = await vendors.grant('anna', ['tag'])
    for (let count = 0; count < 5000; count += 1) {
      const { status } = await vendors.read('tag', token)
      if (status !== 200) assert.fail(`${status} after ${count}`)
    }
    const { status, headers } = await vendors.read('tag', token)
    assert.equal(status, 429)
    assert.equal(headers['retry-after'], '300')
    vendors.pass(300_000)
    assert.equal((await vendors.read('tag', token)).status, 200)
  })
})

describe('pushes', () => {
  const client = { 'x-client-id': 'app', 'x-client-secret': 'very secret' }
  const subscribe = (data_type: string, event_type: string) =>
    vendors.call('POST', 'oura/api/v2/webhook/subscription', {
      headers: client,
      json: {
        callback_url: 'https://salus.example.com/push',
        verification_token: 'token',
        event_type,
        data_type,
      },
    })

  test('are signed, and report new data of users who gave access', async () => {
    assert.equal((await subscribe('sleep', 'create')).status, 201)
    assert.equal((await subscribe('daily_activity', 'update')).status, 201)
    await vendors.emulator.grant('oura', 'anna', ALL_SCOPES, 'app')
    await vendors.emulator.grant('oura', 'bob', ALL_SCOPES, 'another app')
    await vendors.emulator.pushChanges()
    vendors.pass(DAY_MS)
    await vendors.emulator.pushChanges()
    assert.ok(vendors.pushed.length > 0)
    const id = vendors.emulator.accountIdOf('oura', 'anna')
    for (const { headers, body } of vendors.pushed) {
      assert.equal(JSON.parse(body).user_id, id)
      const signature = createHmac('sha256', 'very secret')
        .update(`${headers['x-oura-timestamp']}${body}`)
        .digest('hex')
      assert.equal(headers['x-oura-signature'], signature.toUpperCase())
    }
    const count = vendors.pushed.length
    await vendors.emulator.pushChanges()
    assert.equal(vendors.pushed.length, count)
  })

  test('come twice, in another order, or not at all, as wished', async () => {
    for (const type of ['sleep', 'daily_sleep', 'daily_readiness']) await subscribe(type, 'create')
    await vendors.emulator.grant('oura', 'anna', ALL_SCOPES, 'app')
    const span = { from: vendors.now.getTime() - 5 * DAY_MS, to: vendors.now.getTime() }
    const pushed = async (...faults: Fault[]): Promise<string[]> => {
      vendors.pushed = []
      await vendors.emulator.setFaults('oura', 'anna', faults)
      await vendors.emulator.push('oura', 'anna', span)
      return vendors.pushed.map(({ body }) => body)
    }
    const usual = await pushed()
    assert.ok(usual.length > 6)
    assert.deepEqual((await pushed({ kind: 'push_twice' })).length, 2 * usual.length)
    assert.deepEqual(await pushed({ kind: 'push_shuffled' }), usual.toReversed())
    assert.deepEqual(await pushed({ kind: 'push_silent' }), [])
  })

  test('go to no address that does not answer the challenge', async () => {
    vendors.challenge = 'no'
    assert.equal((await subscribe('sleep', 'create')).status, 400)
    assert.equal(
      (await vendors.call('GET', 'oura/api/v2/webhook/subscription', { headers: client })).body
        .length,
      0,
    )
  })
})
