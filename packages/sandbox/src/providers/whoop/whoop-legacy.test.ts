import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

/** Calls an action of Cognito. */
async function cognito(action: string, body: object) {
  const answer = await vendors.emulator.app.inject({
    method: 'POST',
    url: '/sandbox/providers/whoop/api/auth-service/v3/whoop/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
    },
    payload: JSON.stringify({ ClientId: '', ...body }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

const signIn = (PASSWORD: string, USERNAME = 'mia') =>
  cognito('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME, PASSWORD },
  })

const typeOf = ({ status, body }: Awaited<ReturnType<typeof signIn>>) => [
  status,
  body.__type.split('#').at(-1),
]

describe('the sign-in of WHOOP', () => {
  test('says by the password what happens, and locks an account after five wrong ones', async () => {
    const { AuthenticationResult: result } = (await signIn('correct')).body
    assert.equal(result.ExpiresIn, 86_400)
    assert.deepEqual(typeOf(await signIn('expired')), [400, 'PasswordResetRequiredException'])
    const messages: string[] = []
    for (let tries = 0; tries < 6; tries++) messages.push((await signIn('wrong')).body.message)
    assert.equal(messages[4], 'Incorrect username or password.')
    assert.equal(messages[5], 'Password attempts exceeded')
  })

  test('asks for the code that the account has, for three minutes', async () => {
    for (const [account, name] of [
      ['mia', 'SMS_MFA'],
      ['mia+totp', 'SOFTWARE_TOKEN_MFA'],
      ['mia+mail', 'EMAIL_OTP'],
    ] as const) {
      const { body } = await signIn('code', account)
      assert.equal(body.ChallengeName, name)
      const respond = (code: string) =>
        cognito('RespondToAuthChallenge', {
          ChallengeName: name,
          Session: body.Session,
          ChallengeResponses: { USERNAME: account, [`${name}_CODE`]: code },
        })
      assert.deepEqual(typeOf(await respond('000000')), [400, 'CodeMismatchException'])
      assert.ok((await respond('123456')).body.AuthenticationResult.RefreshToken)
      vendors.pass(3 * MINUTE_MS)
      assert.deepEqual(typeOf(await respond('123456')), [400, 'NotAuthorizedException'])
    }
  })

  test('refreshes without a new refresh token, for 30 days', async () => {
    const { RefreshToken } = (await signIn('correct')).body.AuthenticationResult
    const refresh = () =>
      cognito('InitiateAuth', {
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters: { REFRESH_TOKEN: RefreshToken },
      })
    vendors.pass(29 * DAY_MS)
    const { AuthenticationResult: result } = (await refresh()).body
    assert.equal(result.RefreshToken, undefined)
    assert.notEqual(result.AccessToken, '')
    vendors.pass(DAY_MS)
    assert.deepEqual(typeOf(await refresh()), [400, 'NotAuthorizedException'])
  })
})

test('cycles come with all that happened in them, and stages by the id of a sleep', async () => {
  const token = (await signIn('correct', 'mia+live')).body.AuthenticationResult.AccessToken
  const id = vendors.emulator.accountIdOf('whoop', 'mia+live')
  const to = vendors.now.getTime()
  const span = { from: to - 20 * DAY_MS, to }
  const read = (path: string) => vendors.call('GET', `whoop/api/${path}`, { token })
  const range = (from: number) =>
    `apiVersion=7&startTime=${new Date(from).toISOString()}&endTime=${new Date(to).toISOString()}`
  const path = `core-details-bff/v0/cycles/details?id=${id}`
  const { body } = await read(`${path}&${range(span.from)}`)
  const cycles: { sleeps: { activity_id: string; during: string }[] }[] = body
  assert.deepEqual(body, vendors.emulator.truthOf('whoop', 'mia+live', span).cycles)
  assert.ok(cycles.length > 15 && cycles.length <= 26)
  const sleep = cycles[3]?.sleeps[0] ?? assert.fail()
  const { body: events } = await read(
    `sleep-service/v1/sleep-events?apiVersion=7&activityId=${sleep.activity_id}`,
  )
  const [first, last] = [events[0].during, events.at(-1).during]
  assert.equal(`${first.split(',')[0]},${last.split(',')[1]}`, sleep.during)
  assert.equal((await read('sleep-service/v1/sleep-events?apiVersion=7&activityId=x')).status, 404)
  assert.equal((await read(`${path}1&${range(span.from)}`)).status, 403)
  assert.equal((await read(`${path}&${range(to - 201 * DAY_MS)}`)).status, 400)
  assert.equal((await read(path)).status, 400)
  await vendors.emulator.revoke('whoop', 'mia+live')
  assert.equal((await read(`${path}&${range(span.from)}`)).status, 401)
  assert.equal(
    (await signIn('correct', 'mia+live')).body.message,
    'Incorrect username or password.',
  )
})
