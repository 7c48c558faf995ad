import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import type { Fault } from '../faults.ts'
import { fitFile } from '../fit-file.ts'

const ALL = ['user_read', 'workouts_read', 'offline_data']

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
  const callback_url = 'https://salus.example.com/push'
  const json = { client_id: 'app', client_secret: 'token', callback_url }
  await vendors.call('PUT', 'wahoo/console/push_address', { json })
})
after(() => vendors.emulator.close())

const grant = async (account: string, scopes = ALL) =>
  (await vendors.emulator.grant('wahoo', account, scopes, 'app')).access_token
const read = (path: string, token: string) => vendors.call('GET', `wahoo/api/v1/${path}`, { token })

interface Workout {
  id: number
  starts: string
  updated_at: string
  workout_summary: Record<string, unknown> & { file: { url: string } }
}

describe('Wahoo', () => {
  test('serves all workouts page by page, the newest first, and a planned one', async () => {
    const token = await grant('anna')
    const workouts: Workout[] = []
    for (let page = 1; ; page++) {
      const { body } = await read(`workouts?page=${page}&per_page=20`, token)
      workouts.push(...body.workouts)
      assert.deepEqual([body.page, body.per_page, body.order], [page, 20, 'descending'])
      if (page * 20 >= body.total) break
    }
    const [planned, ...done] = workouts
    assert.equal(planned?.workout_summary, null)
    assert.ok(done.length > 20)
    assert.deepEqual(
      done.map(({ starts }) => starts),
      done
        .map(({ starts }) => starts)
        .sort()
        .reverse(),
    )
    const span = { from: 0, to: vendors.now.getTime() }
    const { workouts: truth = [] } = vendors.emulator.truthOf('wahoo', 'anna', span)
    const withoutFile = (list: readonly unknown[]) =>
      (list as Workout[]).map(({ workout_summary: { file: _file, ...summary }, ...workout }) => ({
        ...workout,
        summary,
      }))
    assert.deepEqual(withoutFile(done), withoutFile(truth))
  })

  test('serves one workout, its summary, and its file without a token', async () => {
    const token = await grant('anna')
    const { body } = await read('workouts?per_page=2', token)
    const [, workout] = body.workouts as Workout[]
    assert.ok(workout !== undefined)
    assert.deepEqual((await read(`workouts/${workout.id}`, token)).body, workout)
    const summary = await read(`workouts/${workout.id}/workout_summary`, token)
    assert.deepEqual(summary.body, workout.workout_summary)
    assert.equal((await read('workouts/1', token)).status, 404)
    const path = new URL(workout.workout_summary.file.url).pathname
    const file = await vendors.emulator.app.inject({ method: 'GET', url: path })
    assert.equal(file.rawPayload.subarray(8, 12).toString(), '.FIT')
    const other = await vendors.emulator.app.inject({ method: 'GET', url: `${path}x` })
    assert.equal(other.statusCode, 403)
  })

  test('opens what the scopes allow, and says its limits in each answer', async () => {
    const token = await grant('anna', ['user_read'])
    const { status, headers, body } = await read('user', token)
    assert.equal(status, 200)
    assert.equal(String(body.id), vendors.emulator.accountIdOf('wahoo', 'anna'))
    assert.equal(headers['x-ratelimit-limit'], '5000, 1000, 200')
    assert.equal(headers['x-ratelimit-remaining'], '4999, 999, 199')
    assert.equal((await read('workouts', token)).status, 403)
    assert.equal((await read('user', 'nonsense')).status, 401)
    for (let count = 3; count <= 200; count++) await read('user', token)
    const refused = await read('user', token)
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers['x-ratelimit-remaining']), /, 0$/)
    vendors.pass(300_000)
    assert.equal((await read('user', token)).status, 200)
    const ended = await vendors.call('DELETE', 'wahoo/api/v1/permissions', { token })
    assert.equal(ended.status, 200)
    assert.equal((await read('user', token)).status, 401)
  })

  test('sends an empty summary, then the whole one, and one for an edit', async () => {
    await grant('anna')
    const to = vendors.now.getTime()
    const span = { from: to - 390 * DAY_MS, to }
    assert.ok((await vendors.emulator.push('wahoo', 'anna', span)) > 10)
    const messages = vendors.pushed.map(({ body }) => JSON.parse(body))
    for (const { event_type, webhook_token, user } of messages) {
      assert.deepEqual([event_type, webhook_token], ['workout_summary', 'token'])
      assert.equal(String(user.id), vendors.emulator.accountIdOf('wahoo', 'anna'))
    }
    const ofFirst = messages.filter(
      ({ workout_summary: { id } }) => id === messages[0].workout_summary.id,
    )
    assert.deepEqual(
      ofFirst
        .slice(0, 2)
        .map(({ workout_summary }) => workout_summary.duration_total_accum === null),
      [true, false],
    )
    const counts = Map.groupBy(messages, ({ workout_summary: { id } }) => id)
    assert.ok(
      [...counts.values()].some((own) => own.length === 3),
      'some were edited',
    )
    vendors.pass(HOUR_MS)
    const pushed = async (...faults: Fault[]) => {
      vendors.pushed = []
      await vendors.emulator.setFaults('wahoo', 'anna', faults)
      await vendors.emulator.push('wahoo', 'anna', span)
      return vendors.pushed.map(({ body }) => body)
    }
    const usual = await pushed()
    assert.equal((await pushed({ kind: 'push_twice' })).length, 2 * usual.length)
    assert.deepEqual(await pushed({ kind: 'push_shuffled' }), usual.toReversed())
    assert.deepEqual(await pushed({ kind: 'push_silent' }), [])
  })
})

test('a FIT file has a header, its length and checksums', () => {
  const file = fitFile([{ at: Date.UTC(2026, 0, 1), heartRate: 140 }])
  assert.equal(file.readUInt32LE(4) + 14 + 2, file.length)
  assert.equal(file.subarray(8, 12).toString(), '.FIT')
  // 2026-01-01 is 1,136,160,000 seconds after 1989-12-31.
  assert.ok(file.includes(Buffer.from([0x00, 0x6d, 0xb8, 0x43])))
})
