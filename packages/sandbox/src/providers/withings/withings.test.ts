import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import type { Fault } from '../faults.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const SCOPES = ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents']

type Body = Record<string, unknown>

/** Sends an action; everything is HTTP 200. */
async function call(path: string, form: Record<string, string>, token = '') {
  const answer = await vendors.emulator.app.inject({
    method: 'POST',
    url: `/sandbox/providers/withings/api${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams(form).toString(),
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json() as { status: number; body: Body; error?: string }
}

const grant = async (account: string, scopes = SCOPES) =>
  (await vendors.emulator.grant('withings', account, scopes)).access_token

/** Reads all pages of a list. */
async function readAll(path: string, name: string, form: Record<string, string>, token: string) {
  const records: Body[] = []
  for (let offset = '0'; ; ) {
    const { status, body } = await call(path, { ...form, offset }, token)
    assert.equal(status, 0)
    records.push(...(body[name] as Body[]))
    if (body.more !== true) return records
    offset = String(body.offset)
  }
}

const seconds = (text: string): string => String(Date.parse(text) / 1000)
const FEBRUARY = { startdate: seconds('2026-02-01'), enddate: seconds('2026-02-25') }
const DAYS = { startdateymd: '2026-02-01', enddateymd: '2026-02-24' }
const TYPES = '1,5,6,9,10,11,54,71,76,77,88,170'

describe('Withings', () => {
  test('serves page by page what the truth says, with the requested fields', async () => {
    const token = await grant('anna+travel')
    const { emulator, now } = vendors
    const span = { from: now.getTime() - 60 * DAY_MS, to: now.getTime() }
    const truth = emulator.truthOf('withings', 'anna+travel', span) as Record<string, Body[]>
    const days = { startdateymd: '2025-12-31', enddateymd: '2026-03-01' }
    const fields = { data_fields: 'total_sleep_time,hr_average' }
    const nights = await readAll(
      '/v2/sleep',
      'series',
      { action: 'getsummary', ...days, ...fields },
      token,
    )
    assert.deepEqual(
      nights.map(({ id }) => id),
      truth.sleep?.map(({ id }) => id),
    )
    assert.deepEqual(Object.keys(nights[0]?.data as Body), ['total_sleep_time', 'hr_average'])
    const rows = await readAll(
      '/v2/measure',
      'activities',
      { action: 'getactivity', ...days },
      token,
    )
    assert.deepEqual(rows, truth.activity)
    assert.ok(rows.length > 30, 'there are several pages')
  })

  test('measures are whole numbers with a power of ten, and no goals unless they are requested', async () => {
    const token = await grant('anna')
    const form = { action: 'getmeas', meastypes: TYPES, ...FEBRUARY }
    const all = await readAll('/measure', 'measuregrps', form, token)
    const own = await readAll('/measure', 'measuregrps', { ...form, category: '1' }, token)
    assert.ok(all.some(({ category }) => category === 2))
    assert.ok(own.length > 30 && own.every(({ category }) => category === 1))
    for (const { measures } of own) {
      for (const { value, unit } of measures as Body[]) {
        assert.ok(Number.isInteger(value) && Number.isInteger(unit))
      }
    }
    const weights = await readAll('/measure', 'measuregrps', { ...form, meastypes: '1' }, token)
    assert.ok(weights.every(({ measures }) => (measures as Body[]).every(({ type }) => type === 1)))
  })

  test('a measure that was taken for the person vanishes later', async () => {
    const form = { action: 'getmeas', meastypes: '1', ...FEBRUARY, enddate: seconds('2026-03-20') }
    const countChildren = async () => {
      const token = await grant('anna+live')
      const groups = await readAll('/measure', 'measuregrps', form, token)
      return groups.filter(({ measures }) => (measures as Body[])[0]?.value === 24_300).length
    }
    const counts: number[] = []
    for (let day = 0; day < 12; day++) {
      counts.push(await countChildren())
      vendors.pass(DAY_MS)
    }
    assert.ok(counts.includes(1))
    assert.equal(counts.slice(counts.indexOf(1)).includes(0), true)
  })

  test('rows of a day and stages of a night are of 24 hours at most', async () => {
    const token = await grant('anna+gaps')
    const day = { startdate: seconds('2026-02-10'), enddate: seconds('2026-02-11') }
    const { body } = await call('/v2/measure', { action: 'getintradayactivity', ...day }, token)
    const rows = Object.entries(body.series as Body)
    assert.ok(rows.every(([key]) => Number(key) >= Number(day.startdate)))
    for (const [path, action] of [
      ['/v2/measure', 'getintradayactivity'],
      ['/v2/sleep', 'get'],
    ] as const) {
      assert.equal((await call(path, { action, ...FEBRUARY }, token)).status, 503)
    }
    const past = { startdate: seconds('2020-02-10'), enddate: seconds('2020-02-11') }
    const none = await call('/v2/measure', { action: 'getintradayactivity', ...past }, token)
    assert.deepEqual(none.body, { series: [] })
  })

  test('electrocardiograms have a signal in microvolts', async () => {
    const token = await grant('anna')
    const list = await readAll('/v2/heart', 'series', { action: 'list', ...FEBRUARY }, token)
    const signalid = String((list[0] as { ecg: Body }).ecg.signalid)
    const { body } = await call('/v2/heart', { action: 'get', signalid }, token)
    assert.equal((body.signal as number[]).length, 30 * 300)
    assert.equal(body.sampling_frequency, 300)
    assert.equal((await call('/v2/heart', { action: 'get', signalid: 'x' }, token)).status, 503)
  })

  test('errors are numbers of HTTP 200', async () => {
    const token = await grant('anna', ['user.info'])
    const statusOf = async (path: string, form: Record<string, string>, given = token) =>
      (await call(path, form, given)).status
    assert.equal(await statusOf('/v2/user', { action: 'getdevice' }), 0)
    assert.equal(await statusOf('/v2/user', { action: 'getdevice' }, 'x'), 401)
    assert.equal(await statusOf('/v2/user', { action: 'constructor' }), 2554)
    assert.equal(await statusOf('/measure', { action: 'getmeas', ...FEBRUARY }), 277)
    const all = await grant('bob')
    assert.equal(await statusOf('/v2/measure', { action: 'getactivity' }, all), 503)
    const faults: [Fault, number][] = [
      [{ kind: 'rate_limit' }, 601],
      [{ kind: 'server_error' }, 518],
      [{ kind: 'unavailable' }, 522],
      [{ kind: 'unauthorized' }, 401],
    ]
    for (const [fault, status] of faults) {
      await vendors.emulator.setFaults('withings', 'bob', [fault])
      assert.equal(await statusOf('/v2/measure', { action: 'getactivity', ...DAYS }, all), status)
    }
    await vendors.emulator.setFaults('withings', 'bob', [])
    for (let count = 0; count < 121; count++) await call('/v2/user', { action: 'getdevice' }, all)
    assert.equal(await statusOf('/v2/user', { action: 'getdevice' }, all), 601)
    vendors.pass(61_000)
    assert.equal(await statusOf('/v2/user', { action: 'getdevice' }, all), 0)
  })

  test('tokens are wrapped, name the account, and are refreshed once', async () => {
    const { refresh_token: token } = await vendors.emulator.grant('withings', 'anna', SCOPES)
    const form = {
      action: 'requesttoken',
      grant_type: 'refresh_token',
      client_id: 'sandbox',
      client_secret: 'sandbox',
      refresh_token: token,
    }
    const { status, body } = await call('/v2/oauth2', form)
    assert.equal(status, 0)
    assert.equal(body.userid, vendors.emulator.accountIdOf('withings', 'anna'))
    assert.equal(body.scope, SCOPES.join(','))
    assert.equal(body.expires_in, 10_800)
    const again = await call('/v2/oauth2', form)
    assert.deepEqual([again.status, again.body], [503, {}])
    assert.match(again.error ?? '', /refresh_token/)
    assert.equal((await call('/v2/oauth2', { ...form, action: 'x' })).status, 2554)
    const wrong = await call('/v2/oauth2', { ...form, client_secret: 'wrong' })
    assert.match(wrong.error ?? '', /client/)
  })

  test('a person has messages of each kind at one address, which must answer', async () => {
    const token = await grant('anna+live')
    const notify = (form: Record<string, string>) => call('/notify', form, token)
    const address = 'https://salus.example/push/secret'
    for (const appli of ['1', '4', '16', '44', '46', '54']) {
      const answer = await notify({ action: 'subscribe', appli, callbackurl: address })
      assert.equal(answer.status, 0)
    }
    assert.equal(vendors.pushed.length, 12, 'each address was tried twice')
    const other = { action: 'subscribe', appli: '1', callbackurl: 'https://other.example' }
    assert.equal((await notify(other)).status, 293)
    const odd = { action: 'subscribe', appli: '2', callbackurl: 'ftp://x' }
    assert.equal((await notify(odd)).status, 293)
    const { body } = await notify({ action: 'list' })
    assert.equal((body.profiles as Body[]).length, 6)
    vendors.pushed = []
    const to = vendors.now.getTime()
    const sent = await vendors.emulator.push('withings', 'anna+live', { from: to - 2 * DAY_MS, to })
    assert.ok(sent > 3)
    const forms = vendors.pushed.map((one) => Object.fromEntries(new URLSearchParams(one.body)))
    const userid = vendors.emulator.accountIdOf('withings', 'anna+live')
    assert.ok(forms.every((form) => form.userid === userid))
    assert.deepEqual([...new Set(forms.map(({ appli }) => appli))].includes('16'), true)
    assert.ok(forms.some(({ appli, date }) => appli === '16' && /^2026-0/.test(date ?? '')))
    await vendors.emulator.revoke('withings', 'anna+live')
    const last = Object.fromEntries(new URLSearchParams(vendors.pushed.at(-1)?.body))
    assert.deepEqual(last, { userid, appli: '46', action: 'unlink' })
    assert.equal((await notify({ action: 'list' })).status, 401)
  })
})
