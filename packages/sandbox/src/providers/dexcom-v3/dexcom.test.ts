import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const grant = async (account: string) =>
  (await vendors.emulator.grant('dexcom_v3', account, ['offline_access'])).access_token

const read = (path: string, token: string) =>
  vendors.call('GET', `dexcom_v3/api/v3/users/self/${path}`, { token })

const MARCH = 'startDate=2026-02-20T00:00:00&endDate=2026-03-02T00:00:00'

describe('Dexcom', () => {
  test('serves all records of a range at once, the newest first', async () => {
    const token = await grant('anna')
    const from = Date.parse('2026-02-20T00:00:00Z')
    const span = { from, to: vendors.now.getTime() }
    const truth = vendors.emulator.truthOf('dexcom_v3', 'anna', span)
    for (const [list, recordType] of [
      ['egvs', 'egv'],
      ['events', 'event'],
      ['calibrations', 'calibration'],
    ] as const) {
      const { status, body } = await read(`${list}?${MARCH}`, token)
      assert.equal(status, 200)
      const { records, ...head } = body as { records: { systemTime: string }[] }
      const userId = vendors.emulator.accountIdOf('dexcom_v3', 'anna')
      assert.deepEqual(head, { recordType, recordVersion: '3.0', userId })
      assert.deepEqual(records, truth[list])
      assert.ok(records.length > 0, list)
      const times = records.map(({ systemTime }) => systemTime.slice(0, 19))
      assert.deepEqual(times, times.toSorted().toReversed())
    }
    assert.ok((truth.egvs?.length ?? 0) > 2500)
  })

  test('shows data of a phone after an hour, and those of a receiver after days', async () => {
    type Record = Readonly<{ systemTime: string; displayTime: string; displayDevice: string }>
    const records = async (): Promise<Record[]> =>
      (await read(`egvs?${MARCH}`, await grant('anna'))).body.records
    const isOfReceiver = ({ displayDevice }: Record) => displayDevice === 'receiver'
    const before = await records()
    const age = vendors.now.getTime() - Date.parse(before[0]?.systemTime ?? '')
    assert.ok(age >= HOUR_MS && age < 2 * HOUR_MS)
    vendors.pass(9 * DAY_MS)
    const later = (await records()).filter(isOfReceiver)
    assert.ok(later.length > before.filter(isOfReceiver).length)
    for (const { systemTime, displayTime } of later) {
      assert.match(systemTime, /T\d{2}:\d{2}:\d{2}$/)
      assert.match(displayTime, /T\d{2}:\d{2}:\d{2}$/)
    }
  })

  test('refuses ranges that make no sense, and longer ones than 30 days', async () => {
    const token = await grant('anna')
    for (const query of [
      '',
      'startDate=2026-02-20&endDate=2026-02-21',
      'startDate=2026-02-20T00:00:00Z&endDate=2026-02-21T00:00:00Z',
      'startDate=2026-02-21T00:00:00&endDate=2026-02-20T00:00:00',
      'startDate=2026-01-01T00:00:00&endDate=2026-01-31T00:00:01',
    ]) {
      assert.equal((await read(`egvs?${query}`, token)).status, 400, query)
    }
    const most = 'startDate=2026-01-01T00:00:00&endDate=2026-01-31T00:00:00'
    assert.equal((await read(`egvs?${most}`, token)).status, 200)
  })

  test('ends access tokens after two hours, and serves none without one', async () => {
    const token = await grant('anna')
    assert.equal((await read('dataRange', token)).status, 200)
    assert.equal((await read('dataRange', 'nonsense')).status, 401)
    vendors.pass(2 * HOUR_MS)
    const { status, body } = await read('dataRange', token)
    assert.equal(status, 401)
    assert.equal(body.fault.faultstring, 'Invalid Access Token')
  })
})
