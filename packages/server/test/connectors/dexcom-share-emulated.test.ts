import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { readingsOf } from '../../../sandbox/src/providers/dexcom-share/readings.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { failureOf } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'
import { rowsOf } from './emulated-session.ts'

/** The connector brings the readings of the emulated people. */

const vendor = new EmulatedPassword('dexcom')
const calendarOf = (account: string) => new Calendar(personOf('dexcom', account))
const DAY = () => ({ from: vendor.now() - DAY_MS, to: vendor.now() })

before(() => vendor.emulator.listen())
after(() => vendor.close())

const isClose = (actual: unknown, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) <= tolerance, `${actual} ${expected}`)

for (const account of ['kim', 'lou', 'max']) {
  test(`all readings of a day arrive, each once (${account})`, async () => {
    const data = await vendor.pull('readings', await vendor.tokensOf(account), DAY())
    const calendar = calendarOf(account)
    // The vendor has 288 readings at most, the newest.
    const served = readingsOf(calendar, DAY(), vendor.now()).slice(0, 288)
    const measured = (value: number) => value >= 40 && value <= 400
    const expected = served
      .filter(({ value, at, isSecondDevice }) => {
        const isTwin = served.some((one) => one.at === at - 7000 && one.value === value)
        return measured(value) && !(isSecondDevice && isTwin)
      })
      .reverse()
    const samples = rowsOf(data, 'glucose')
    assert.ok(samples.length > 100)
    assert.deepEqual(
      samples.map(({ startedAt }) => startedAt),
      expected.map(({ at }) => at),
    )
    for (const [index, sample] of samples.entries()) {
      const { at, value } = expected[index] ?? assert.fail()
      isClose(sample.value, value / 18.0182, 0.001)
      assert.equal(sample.timezoneOffset, calendar.offsetAt(at) / 1000)
      assert.deepEqual([sample.sourceType, sample.sampleType], ['automatic', 'automatic'])
    }
    assert.ok(data.quarantined.every(({ reason }) => reason === 'out_of_range'))
  })
}

test('a poll asks for the minutes since its range began, and reads what came later', async () => {
  const tokens = await vendor.tokensOf('kim')
  const requested: unknown[] = []
  const fetchJson = vendor.fetchJson(tokens)
  const range = { from: vendor.now() - 3 * HOUR_MS, to: vendor.now() }
  const data = await vendor.pull('readings', tokens, range, async (wanted) => {
    if ('query' in wanted) requested.push(wanted.query?.minutes)
    return fetchJson(wanted)
  })
  assert.deepEqual(requested, ['180'])
  assert.ok(data.samples.every(({ startedAt }) => startedAt >= range.from - MINUTE_MS))
})

test('each password has its outcome, also where the vendor answers with errors', async () => {
  assert.equal(await vendor.reasonOf('ada', 'wrong'), 'wrong_credential')
  assert.equal(await vendor.reasonOf('ada', 'elsewhere'), 'wrong_credential')
  assert.equal(await vendor.reasonOf('ada', 'expired'), 'wrong_credential')
  assert.deepEqual(await failureOf(vendor.signIn('kim', 'down')), { kind: 'unavailable' })
  for (let tries = 0; tries < 3; tries++) await vendor.reasonOf('ada', 'x')
  assert.equal(await vendor.reasonOf('ada', 'x'), 'blocked')
  for (const region of ['us', 'eu', 'jp']) {
    assert.equal((await vendor.signIn('bob', 'correct', region)).state, 'signed_in')
  }
})

test('an ended session is opened again, until the password is another one', async () => {
  const tokens = await vendor.tokensOf('emil')
  const pull = (own = tokens) => failureOf(vendor.pull('readings', own, DAY()))
  assert.equal(await pull(), undefined)
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await vendor.emulator.setFaults('dexcom', 'emil', [{ kind, times: 1 }])
    assert.equal((await pull())?.kind, expected, kind)
  }
  await vendor.emulator.expire('dexcom', 'emil')
  assert.equal((await pull())?.kind, 'unauthorized')
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, 'emil')
  assert.notEqual(renewed.accessToken, tokens.accessToken)
  assert.equal(await pull(renewed), undefined)
  await vendor.emulator.revoke('dexcom', 'emil')
  const ended = { kind: 'ended', errorType: 'provider_credential_error' }
  assert.deepEqual(await failureOf(vendor.renew(renewed, 'emil')), ended)
})
