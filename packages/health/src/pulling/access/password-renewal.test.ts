import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DAY_SECONDS, HOUR_SECONDS } from '@salus/contracts/time-units'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { createPullingFixture } from '../../../../server/test/pulling/pulling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import {
  type PasswordSignIn,
  readCredential,
  VendorError,
  type VendorFailure,
  type VendorTokens,
  writeCredential,
} from '../../connectors/index.ts'
import { credentialKey } from '../pulling-context.ts'
import { BudgetSpent } from './budgets.ts'
import { renewPasswordSession } from './password-renewal.ts'

const pulling = useFixture(createPullingFixture)

const TOKENS: VendorTokens = { accessToken: 'old', refreshToken: null, expiresAt: null }
const RENEWED: VendorTokens = { accessToken: 'new', refreshToken: null, expiresAt: null }
const GIVEN = { username: 'person', password: 'secret', region: null }
const WRONG = { kind: 'ended', errorType: 'provider_credential_error' } as const

/** What the vendor answers to sign-ins; undefined is a new session. */
let failure: VendorFailure | undefined
let attempts = 0
let userId = ''

beforeEach(async () => {
  failure = undefined
  attempts = 0
  userId = await pulling.harness.makeUser()
})

/** Renews the session of a user whose connector has these rules. */
async function renew(rules: Partial<PasswordSignIn>, tokens = TOKENS): Promise<unknown> {
  const { harness, scope, vendor } = pulling
  const auth: PasswordSignIn = {
    kind: 'password',
    signIn: () => assert.fail('only the user signs in'),
    async renew() {
      attempts += 1
      if (failure !== undefined) throw new VendorError('oura', failure)
      return RENEWED
    },
    ...rules,
  }
  const connector = { ...vendor.connector, auth }
  const account = { connector, environment: scope.environment, userId }
  const store = createCredentialStore(scope.db, harness.dependencies)
  const key = credentialKey(account)
  const known = await readCredential(store, key)
  if (known === undefined) await writeCredential(store, key, { tokens, given: GIVEN })
  const credential = known ?? (await readCredential(store, key)) ?? assert.fail()
  const context = { ...harness.dependencies, connectors: vendor.connectors }
  return renewPasswordSession(context, account, auth, credential, undefined).then(
    ({ accessToken }) => accessToken,
    (error: unknown) =>
      error instanceof VendorError ? error.failure.kind : error instanceof BudgetSpent && 'spent',
  )
}

const pass = (seconds: number) => pulling.harness.clock.advance(seconds)

test('a session is renewed by itself, or by a person only', async () => {
  assert.equal(await renew({}), 'new')
  assert.equal(await renew({ renewal: 'by_person' }), 'ended')
  assert.equal(attempts, 1)
  userId = await pulling.harness.makeUser()
  assert.equal(await renew({ renewal: 'by_person' }, { ...TOKENS, refreshToken: 'r' }), 'new')
})

test('a vendor that locks accounts is signed in to a few times a day', async () => {
  const rules = { renewal: { mostPerDay: 4 } } as const
  const outcomes: unknown[] = []
  for (let hour = 0; hour < 24; hour++) {
    outcomes.push(await renew(rules))
    pass(HOUR_SECONDS)
  }
  assert.equal(outcomes.filter((outcome) => outcome === 'new').length, attempts)
  assert.ok(attempts >= 3 && attempts <= 4, String(attempts))
  assert.ok(outcomes.every((outcome) => outcome === 'new' || outcome === 'spent'))
  pass(DAY_SECONDS)
  // A sign-in that the vendor did not answer is none.
  failure = { kind: 'unavailable' }
  for (let tries = 0; tries < 5; tries++) assert.equal(await renew(rules), 'unavailable')
  failure = undefined
  assert.equal(await renew(rules), 'new')
})

test('a refused password ends a connection at once', async () => {
  failure = WRONG
  assert.equal(await renew({}), 'ended')
})

test('a vendor that refuses right passwords in an outage gets the password three times in a day', async () => {
  const rules = { refusalsToEnd: 3 }
  failure = WRONG
  assert.equal(await renew(rules), 'unavailable')
  for (let hour = 0; hour < 11; hour++) {
    pass(HOUR_SECONDS)
    assert.equal(await renew(rules), 'unavailable')
  }
  assert.equal(attempts, 1)
  pass(HOUR_SECONDS)
  assert.equal(await renew(rules), 'unavailable')
  pass(12 * HOUR_SECONDS)
  assert.equal(attempts, 2)
  failure = undefined
  assert.equal(await renew(rules), 'new')

  userId = await pulling.harness.makeUser()
  failure = WRONG
  for (const outcome of ['unavailable', 'unavailable', 'ended']) {
    assert.equal(await renew(rules), outcome)
    pass(12 * HOUR_SECONDS)
  }
})

test('another end, such as a consent, is no matter of tries', async () => {
  failure = { kind: 'ended', errorType: 'provider_consent_needed' }
  assert.equal(await renew({ refusalsToEnd: 3 }), 'ended')
})
