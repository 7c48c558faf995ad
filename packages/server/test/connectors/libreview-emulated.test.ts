import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { failureOf } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** LibreLinkUp as it is emulated, and the connector, which share no code. */

const vendor = new EmulatedPassword('abbott_libreview')
const SLUG = 'abbott_libreview'

before(() => vendor.emulator.listen())
after(() => vendor.close())

const refused = (reason: string) => ({ state: 'refused', reason })

test('each password has its outcome', async () => {
  for (const [password, reason] of [
    ['wrong', 'wrong_credential'],
    ['expired', 'password_expired'],
    ['elsewhere', 'unsupported_region'],
    ['consent', 'consent_needed'],
    ['unshared', 'nothing_shared'],
    ['locked', 'blocked'],
  ] as const) {
    assert.deepEqual(await vendor.signIn('anna', password), refused(reason))
  }
  assert.deepEqual(await failureOf(vendor.signIn('anna', 'down')), { kind: 'unavailable' })
  const blocked = await failureOf(vendor.signIn('anna', 'robot'))
  assert.equal(blocked?.kind, 'blocked')
})

test('a code completes a sign-in, after a wrong one', async () => {
  const needed = await vendor.signIn('anna', 'code')
  assert.ok(needed.state === 'code_needed')
  assert.deepEqual([needed.method, needed.hint], ['sms', '•••-•••-0142'])
  assert.deepEqual(await vendor.completeMfa(needed.challenge, '000000'), refused('wrong_code'))
  const done = await vendor.completeMfa(needed.challenge, '123456')
  assert.ok(done.state === 'signed_in')
  assert.equal(done.accountId, vendor.emulator.accountIdOf(SLUG, 'anna'))
})

test('ten wrong passwords lock the account for a while', async () => {
  for (let tries = 0; tries < 10; tries++) await vendor.signIn('eve', 'wrong')
  assert.deepEqual(await vendor.signIn('eve', 'wrong'), refused('blocked'))
})

interface Shown {
  FactoryTimestamp: string
  Timestamp: string
  type: number
  ValueInMgPerDl: number
}

/** Lines of samples: instant, offset in seconds, mg/dL, kind. */
const lineOf = ({ FactoryTimestamp, Timestamp, ValueInMgPerDl }: Shown, kind: string) => {
  const at = Date.parse(`${FactoryTimestamp} UTC`)
  const offset = (Date.parse(`${Timestamp} UTC`) - at) / 1000
  return `${at} ${offset} ${ValueInMgPerDl} ${kind}`
}

for (const account of ['anna', 'bob+eu', 'chris+travel', 'dora+live']) {
  test(`all that LibreLinkUp shows of ${account} is stored to the unit`, async () => {
    const tokens = await vendor.tokensOf(account)
    assert.equal(tokens.extra?.host, account.includes('+eu') ? 'api-eu' : 'api')
    const range = { from: vendor.now() - 14 * DAY_MS, to: vendor.now() }
    const { samples, quarantined } = await vendor.pull('graph', tokens, range)
    assert.deepEqual(quarantined, [])
    const span = { from: 0, to: vendor.now() + 1 }
    const truth = vendor.emulator.truthOf(SLUG, account, span) as Record<string, Shown[]>
    const { graph = [], newest = [], logbook = [] } = truth
    const expected = [
      ...[...graph, ...newest].map((one) => lineOf(one, 'automatic')),
      ...logbook.map((one) => lineOf(one, one.type === 1 ? 'manual_scan' : 'automatic')),
    ]
    assert.ok(graph.length > 5 && logbook.length > 20)
    const stored = samples.map(({ startedAt, timezoneOffset, value, sampleType }) =>
      [startedAt, timezoneOffset, Math.round(value * 18.0182), sampleType].join(' '),
    )
    assert.deepEqual(new Set(stored), new Set(expected))
    assert.ok(samples.every(({ series, sourceType }) => series === 'glucose' && sourceType))
  })
}

test('an ended session is renewed with the password, until that is another one', async () => {
  const account = 'otto'
  const tokens = await vendor.tokensOf(account)
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  await vendor.emulator.expire(SLUG, account)
  const ended = await failureOf(vendor.pull('graph', tokens, range))
  assert.deepEqual(ended, { kind: 'unauthorized' })
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, account)
  assert.deepEqual(renewed.extra, tokens.extra)
  await vendor.pull('graph', renewed, range)
  await vendor.emulator.revoke(SLUG, account)
  assert.deepEqual(await failureOf(vendor.renew(renewed, account)), {
    kind: 'ended',
    errorType: 'provider_credential_error',
  })
})

test('a wearer who no longer shares ends the connection', async () => {
  const tokens = await vendor.tokensOf('lea')
  await vendor.signIn('lea', 'unshared')
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const over = { kind: 'ended', errorType: 'deregistered_per_provider' }
  assert.deepEqual(await failureOf(vendor.pull('graph', tokens, range)), over)
})
