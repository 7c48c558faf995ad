import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { CONNECTORS, type Connector } from '@salus/health/connectors'
import { MOST_MFA_TRIES } from '../../../health/src/link/link.machine.ts'
import { createLinking } from '../linking/linking-fixture.ts'
import { storedEvents } from '../stored-events.ts'
import { useFixture } from '../use-fixture.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import { connectAccount } from './connect-account.ts'

/**
 * What a person and a team see of trouble with a sign-in by password, for every such connector: the
 * state of the connection, its event, and the way back.
 */

const BY_PASSWORD = CONNECTORS.filter(({ auth }) => auth.kind === 'password')
const WITH_CODE = BY_PASSWORD.filter(
  ({ auth }) => auth.kind === 'password' && auth.completeMfa !== undefined,
)

const linking = useFixture(createLinking)
before(async () => {
  for (const { slug } of BY_PASSWORD) await linking.wantDays(3, slug)
})

const pathOf = ({ slug }: Connector) => `/v2/link/provider/password/${slug}`

async function signIn(connector: Connector, token: string, username: string, password: string) {
  const body = { username, password }
  const answer = await linking.link('POST', pathOf(connector), token, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function sendCode(connector: Connector, token: string, mfa_code: string) {
  const path = `${pathOf(connector)}/complete_mfa`
  return (await linking.link('POST', path, token, { mfa_code })).body
}

const eventsOf = async (userId: string) =>
  (await storedEvents(linking.harness, userId, /^provider\.connection/)).map(
    ({ event_type: type, payload }) => [type, payload.data?.error_type ?? null],
  )

/** Signs a new person in, and has the history. The connection ends with the test. */
async function connect(context: TestContext, connector: Connector, account: string) {
  const userId = await connectAccount(linking, connector, account)
  context.after(() => linking.disconnect(userId, connector.slug))
  await linking.waitForHistory(userId, connector.slug)
  return userId
}

/** Time goes on in steps of some hours. */
async function passHours(hours: number, step = 3): Promise<void> {
  for (let hour = 0; hour < hours; hour += step) await linking.advance(step * 60)
}

/** A connector may send a password again after half a day only. */
const PATIENCE_SECONDS = 120

/** Resources whose last attempt failed. */
async function failedResources({ slug }: Connector, userId: string): Promise<string[]> {
  const url = `/v2/introspect/resources?user_id=${userId}&provider=${slug}`
  const { body } = await linking.call('GET', url)
  const attempts: Record<string, { last_attempt: { status: string } | null }> =
    body.data[0].provider[slug]
  return Object.keys(attempts).filter((name) => attempts[name]?.last_attempt?.status !== 'success')
}

function isHealthy(connector: Connector, userId: string): Promise<unknown> {
  const hasAll = async () => {
    await linking.advance(30)
    return (await failedResources(connector, userId)).length === 0
  }
  return waitFor('every resource to be there', hasAll, PATIENCE_SECONDS)
}

for (const connector of WITH_CODE) {
  const { slug } = connector

  test(`${slug}: five wrong codes end the attempt, and another sign-in gets another code`, async () => {
    const { token, userId } = await linking.issue()
    const username = `codes.${slug}@example.com`
    const needed = await signIn(connector, token, username, 'code')
    assert.equal(needed.state, 'pending_provider_mfa')
    const outcomes: string[] = []
    for (let tries = 0; tries < MOST_MFA_TRIES; tries++) {
      outcomes.push((await sendCode(connector, token, '000000')).error_type)
    }
    const expected = Array.from({ length: MOST_MFA_TRIES - 1 }, () => 'incorrect_mfa_code')
    assert.deepEqual(outcomes, [...expected, 'provider_credential_error'])
    assert.equal((await sendCode(connector, token, '123456')).error_type, 'token_not_validated')
    assert.equal(await linking.connectionOf(userId, slug), undefined)
    assert.deepEqual(await eventsOf(userId), [])

    assert.equal((await signIn(connector, token, username, 'code')).state, 'pending_provider_mfa')
    const done = await sendCode(connector, token, '123456')
    assert.deepEqual([done.state, done.connected], ['success', true])
    assert.equal((await linking.connectionOf(userId, slug))?.status, 'connected')
    await linking.disconnect(userId, slug)
  })
}

for (const connector of BY_PASSWORD) {
  const { slug, auth } = connector

  describe(slug, () => {
    test('a vendor that is down for a day ends nothing, and is read again afterwards', async (context) => {
      const account = `down.${slug}@example.com`
      const userId = await connect(context, connector, account)
      const down = { kind: 'unavailable' } as const
      await linking.emulator.setFaults(slug, null, [down, { ...down, on: 'token' }])
      await linking.emulator.expire(slug, account)
      await passHours(27)
      assert.notDeepEqual(await failedResources(connector, userId), [])
      assert.equal((await linking.connectionOf(userId, slug))?.status, 'connected')
      await linking.emulator.setFaults(slug, null, [])
      if (auth.kind === 'password' && auth.renewal === 'by_person') return
      await passHours(7)
      await isHealthy(connector, userId)
      assert.equal((await linking.connectionOf(userId, slug))?.status, 'connected')
      assert.deepEqual(await eventsOf(userId), [['provider.connection.created', null]])
    })

    test('a password that was changed at the vendor ends the connection, until the new one', async (context) => {
      const account = `changed.${slug}@example.com`
      const userId = await connect(context, connector, account)
      await linking.emulator.revoke(slug, account)
      const hasEnded = async () => {
        await passHours(6, 6)
        return (await linking.connectionOf(userId, slug))?.status === 'error'
      }
      await waitFor('the connection to end', hasEnded, PATIENCE_SECONDS)
      const connection = await linking.connectionOf(userId, slug)
      const errorType =
        auth.kind === 'password' && auth.renewal === 'by_person'
          ? 'token_refresh_failed'
          : 'provider_credential_error'
      const details = (connection?.error_details ?? {}) as Record<string, string>
      assert.equal(details.error_type, errorType)
      assert.match(details.error_message ?? '', /no longer accepts/)
      const ended = (await eventsOf(userId)).filter(
        ([type]) => type !== 'provider.connection.created',
      )
      assert.deepEqual(ended, [['provider.connection.error', errorType]])

      const { token } = await linking.issue({ user_id: userId })
      const old = await signIn(connector, token, account, 'correct')
      assert.equal(old.error_type, 'provider_credential_error')
      assert.equal((await signIn(connector, token, account, 'changed')).state, 'success')
      const again = await linking.connectionOf(userId, slug)
      assert.deepEqual([again?.status, again?.error_details], ['connected', null])
      await linking.settle()
      await passHours(7)
      await isHealthy(connector, userId)
    })
  })
}
