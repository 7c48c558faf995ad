import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { Heart } from '../../../sandbox/src/providers/people/heart.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { type Sleep, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { failureOf } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector brings the nights that the people of the emulated bed sleep. */

const SLUG = 'eight_sleep'
const vendor = new EmulatedPassword(SLUG)
const SPAN: Span = { from: vendor.now() - 60 * DAY_MS, to: vendor.now() }

before(() => vendor.emulator.listen())
after(() => vendor.close())

const refused = (reason: string) => ({ state: 'refused', reason })

test('each password has its outcome', async () => {
  assert.deepEqual(await vendor.signIn('anna', 'wrong'), refused('wrong_credential'))
  assert.deepEqual(await vendor.signIn('anna', 'unshared'), refused('nothing_shared'))
  assert.deepEqual(await failureOf(vendor.signIn('anna', 'down')), { kind: 'unavailable' })
  for (const password of ['locked', 'robot']) {
    const failure = await failureOf(vendor.signIn('anna', password))
    assert.equal(failure?.kind, 'blocked', password)
  }
  const outcome = await vendor.signIn('anna')
  assert.ok(outcome.state === 'signed_in')
  assert.equal(outcome.accountId, vendor.emulator.accountIdOf(SLUG, 'anna'))
})

for (const account of ['lea', 'otto+travel']) {
  test(`every night and nap of ${account} at home arrives with its stages and readings`, async () => {
    const calendar = new Calendar(personOf(SLUG, account))
    const { homeZone } = calendar.person
    const tokens = await vendor.tokensOf(account)
    assert.equal(tokens.extra?.zone, homeZone)
    const { summaries, samples, quarantined } = await vendor.pull('trends', tokens, SPAN)
    assert.deepEqual(quarantined, [])
    const stored = new Map(summaries.map((one) => [one.startedAt, one]))
    const slept = calendar
      .days({ from: SPAN.from + DAY_MS, to: SPAN.to - DAY_MS })
      .flatMap(({ number }) => sleepsOn(calendar, number))
      .filter(({ from }) => calendar.zoneAt(from) === homeZone)
    assert.ok(slept.length > 40)
    for (const sleep of slept) {
      const found = stored.get(sleep.from) ?? assert.fail(new Date(sleep.from).toISOString())
      assert.equal(found.endedAt, sleep.to)
      assert.equal(found.timezoneOffset, calendar.offsetAt(sleep.to) / 1000)
      assertStages(found.values as Record<string, unknown>, sleep)
    }
    assert.ok(summaries.length >= slept.length && summaries.length <= slept.length + 6)
    const beats = new Map<number, number>()
    for (const { from, to } of slept) {
      new Heart(calendar).each({ from, to }, 5 * MINUTE_MS, (at, rate) => beats.set(at, rate))
    }
    const first = slept[0]?.from ?? 0
    const rates = samples.filter(
      ({ series, startedAt }) => series === 'heartrate' && startedAt >= first,
    )
    assert.ok(rates.length > 3000)
    for (const { startedAt, value, timezoneOffset } of rates) {
      if (startedAt > (slept.at(-1)?.to ?? 0)) continue
      assert.equal(value, beats.get(startedAt))
      assert.equal(timezoneOffset, calendar.offsetAt(startedAt) / 1000)
    }
    for (const series of ['hrv', 'respiratory_rate']) {
      assert.ok(
        samples.some((one) => one.series === series),
        series,
      )
    }
  })
}

/** Of each stage the vendor knows all but the minutes in which the bed was empty. */
function assertStages(values: Record<string, unknown>, { stages }: Sleep): void {
  const secondsOf = (...wanted: string[]) =>
    300 * stages.filter((stage) => wanted.includes(stage)).length
  assert.equal(values.stage_asleep_second, secondsOf('light', 'deep', 'rem'))
  assert.equal(values.stage_deep_second, secondsOf('deep'))
  assert.equal(values.stage_rem_second, secondsOf('rem'))
  const awake = secondsOf('awake')
  assert.ok([awake, awake - 300].includes(Number(values.stage_awake_second)))
}

test('a session is renewed with the password, also after an outage, until that is another one', async () => {
  const account = 'eve'
  const tokens = await vendor.tokensOf(account)
  await vendor.emulator.expire(SLUG, account)
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  assert.deepEqual(await failureOf(vendor.pull('trends', tokens, range)), { kind: 'unauthorized' })
  const wrong = { kind: 'ended', errorType: 'provider_credential_error' }
  await vendor.emulator.setFaults(SLUG, account, [{ kind: 'unauthorized', on: 'token', times: 1 }])
  assert.deepEqual(await failureOf(vendor.renew(tokens, account)), wrong)
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, account)
  await vendor.pull('trends', renewed, range)
  await vendor.emulator.revoke(SLUG, account)
  assert.deepEqual(await failureOf(vendor.renew(renewed, account)), wrong)
})
