import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import type { Fault } from '../faults.ts'
import { SUMMARY_TYPES } from './summaries.ts'

const ALL = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'MCT_EXPORT', 'HISTORICAL_DATA_EXPORT']
const ADDRESS = 'https://salus.example.com/push/a-secret'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
  const json = { client_id: 'app', client_secret: 's', callback_url: ADDRESS }
  await vendors.call('PUT', 'garmin/console/push_address', { json })
})
after(() => vendors.emulator.close())

const grant = async (account: string, permissions = ALL) =>
  (await vendors.emulator.grant('garmin', account, permissions, 'app')).access_token

const call = (path: string, token: string, method: 'GET' | 'DELETE' = 'GET') =>
  vendors.call(method, `garmin/api/${path}`, { token })

const backfill = (type: string, token: string, from: number, to: number) =>
  call(
    `wellness-api/rest/backfill/${type}?summaryStartTimeInSeconds=${from / 1000}&summaryEndTimeInSeconds=${to / 1000}`,
    token,
  )

type Records = Record<string, Record<string, unknown>[]>

/** The records of all messages by type, without the user. */
const received = (): Records => {
  const records: Records = {}
  for (const { body } of vendors.pushed) {
    for (const [name, list] of Object.entries(JSON.parse(body) as Records)) {
      const own = list.map(({ userId: _id, userAccessToken: _token, ...record }) => record)
      records[name] = [...(records[name] ?? []), ...own]
    }
  }
  return records
}

describe('Garmin', () => {
  test('knows its user and the permissions', async () => {
    const token = await grant('anna', ['HEALTH_EXPORT'])
    const userId = vendors.emulator.accountIdOf('garmin', 'anna')
    const user = 'partner-gateway/rest/user'
    assert.deepEqual((await call(`${user}/id`, token)).body, { userId })
    const { body } = await call(`${user}/permissions`, token)
    assert.deepEqual(body, { permissions: ['HEALTH_EXPORT'] })
    assert.equal((await call(`${user}/id`, 'nonsense')).status, 401)
    assert.equal((await call(`${user}/registration`, token, 'DELETE')).status, 204)
    assert.equal((await call(`${user}/id`, token)).status, 401)
  })

  test('sends the requested past in messages, once', async () => {
    const token = await grant('anna')
    const to = vendors.now.getTime()
    const from = to - 30 * DAY_MS
    const truth = vendors.emulator.truthOf('garmin', 'anna', { from, to })
    for (const { name, backfill: type } of SUMMARY_TYPES) {
      if (type === undefined) continue
      vendors.pushed = []
      const answer = await backfill(type, token, from, to)
      assert.deepEqual([answer.status, answer.text], [202, ''])
      assert.deepEqual(received()[name] ?? [], truth[name], name)
      assert.equal((await backfill(type, token, from, to)).status, 409)
    }
    assert.ok((truth.sleeps?.length ?? 0) > 15 && (truth.epochs?.length ?? 0) > 2000)
    for (const { headers, url } of vendors.pushed) {
      assert.equal(url, ADDRESS)
      assert.equal(headers['garmin-client-id'], 'app')
    }
  })

  test('refuses the past without permission, and ranges that make no sense', async () => {
    const token = await grant('anna', ['HEALTH_EXPORT'])
    const to = vendors.now.getTime()
    assert.equal((await backfill('activities', token, to - DAY_MS, to)).status, 412)
    assert.equal((await backfill('dailies', token, to - 60 * DAY_MS, to)).status, 400)
    assert.equal((await backfill('dailies', token, to, to - DAY_MS)).status, 400)
    assert.equal((await backfill('nothing', token, to - DAY_MS, to)).status, 404)
    const all = await grant('bob')
    assert.equal((await backfill('dailies', all, to - 91 * DAY_MS, to)).status, 400)
    assert.equal((await call('wellness-api/rest/backfill/dailies', all)).status, 400)
  })

  test('sends what a watch uploaded, days again while they grow, nights until they are final', async () => {
    await grant('anna+live')
    const to = vendors.now.getTime()
    await vendors.emulator.push('garmin', 'anna+live', { from: to - 4 * HOUR_MS, to })
    const first = received()
    vendors.pushed = []
    vendors.pass(HOUR_MS)
    const span = { from: to, to: to + HOUR_MS }
    await vendors.emulator.push('garmin', 'anna+live', span)
    const later = received()
    const [before, after] = [first.dailies?.at(-1), later.dailies?.at(-1)]
    assert.equal(before?.calendarDate, after?.calendarDate)
    assert.equal(Number(after?.durationInSeconds) - Number(before?.durationInSeconds), 3600)
    const night = (hours: number) => {
      const at = Date.parse('2026-03-01T00:00:00Z') + hours * HOUR_MS
      vendors.now = new Date(at)
      const { sleeps } = vendors.emulator.truthOf('garmin', 'anna+live', { from: at, to: at + 1 })
      return (sleeps as Record<string, unknown>[] | undefined)?.[0]
    }
    const versions = Array.from({ length: 48 }, (_, hour) => night(hour)).filter(Boolean)
    const states = new Set(versions.map((one) => one?.validation))
    assert.deepEqual([...states].sort(), ['ENHANCED_FINAL', 'ENHANCED_TENTATIVE'])
  })

  test('sends messages only of what the user allowed, to apps with the access', async () => {
    await grant('anna', ['ACTIVITY_EXPORT'])
    const to = vendors.now.getTime()
    await vendors.emulator.push('garmin', 'anna', { from: to - 10 * DAY_MS, to })
    assert.deepEqual(
      Object.keys(received()).filter((name) => !/activit/i.test(name)),
      [],
    )
    vendors.pushed = []
    await vendors.emulator.grant('garmin', 'bob', ALL, 'another app')
    assert.equal(await vendors.emulator.push('garmin', 'bob', { from: to - DAY_MS, to }), 0)
  })

  test('says that a user has ended the access', async () => {
    const token = await grant('anna')
    await vendors.emulator.revoke('garmin', 'anna')
    const userId = vendors.emulator.accountIdOf('garmin', 'anna')
    assert.deepEqual(
      vendors.pushed.map(({ body }) => JSON.parse(body)),
      [{ deregistrations: [{ userId }] }],
    )
    assert.equal((await call('partner-gateway/rest/user/id', token)).status, 401)
  })

  test('sends messages twice, in another order, or not at all, as wished', async () => {
    await grant('anna')
    const span = { from: vendors.now.getTime() - 3 * DAY_MS, to: vendors.now.getTime() }
    const pushed = async (...faults: Fault[]): Promise<string[]> => {
      vendors.pushed = []
      await vendors.emulator.setFaults('garmin', 'anna', faults)
      await vendors.emulator.push('garmin', 'anna', span)
      return vendors.pushed.map(({ body }) => body)
    }
    const usual = await pushed()
    assert.ok(usual.length > 8)
    assert.equal((await pushed({ kind: 'push_twice' })).length, 2 * usual.length)
    assert.deepEqual(await pushed({ kind: 'push_shuffled' }), usual.toReversed())
    assert.deepEqual(await pushed({ kind: 'push_silent' }), [])
  })

  test('counts requests of an app', async () => {
    const token = await grant('anna')
    const user = 'partner-gateway/rest/user/id'
    for (let count = 0; count < 3000; count += 1) {
      const { status } = await call(user, token)
      if (status !== 200) assert.fail(`${status} after ${count}`)
    }
    assert.equal((await call(user, token)).status, 429)
    vendors.pass(60_000)
    assert.equal((await call(user, token)).status, 200)
  })
})
