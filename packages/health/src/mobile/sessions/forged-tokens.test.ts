import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import { SignJWT } from 'jose'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  assertTokenRefused,
  createAppClient,
  decodeToken,
  openSignInToken,
  type Tokens,
} from '../../../../server/test/mobile/app-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { AppTokens } from './app-tokens.ts'
import { SigningKeys } from './signing-keys.ts'

/** Attacks by a holder of app tokens, or of none. */

const salus = useFixture(createHarness)
let app: ReturnType<typeof createAppClient>
let userId: string
let userToken: string
let tokens: Tokens
let publicKey: KeyObject
before(async () => {
  app = createAppClient(salus)
  userId = await salus.makeUser()
  tokens = await app.signIn(userId)
  userToken = await app.makeUserToken(userId)
  const { db, secrets, clock, log } = salus.dependencies
  const keys = new SigningKeys({ db, secrets, clock, log })
  publicKey = (await keys.getCurrent()).publicKey
})

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Checks that it gives neither a session nor an answer. */
async function assertWorthless(forged: string): Promise<void> {
  assertTokenRefused(await app.exchange(forged), 'invalid_token')
  const { status, body } = await app.callAs(forged, 'GET', `/v2/user/${userId}`)
  assert.deepEqual([status, body.detail.error_type], [401, 'invalid_token'])
}

/** Changes both genuine tokens. */
async function assertChangedWorthless(change: (parts: string[]) => string): Promise<void> {
  for (const token of [userToken, tokens.access_token]) {
    await assertWorthless(change(token.split('.')))
  }
}

const withHeader = (parts: string[], change: object): [string, string] => [
  encode({ ...decodeToken(parts.join('.'))[0], ...change }),
  parts[1] ?? '',
]

describe('a forged token is worth nothing', () => {
  test('without a signature', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      await assertChangedWorthless((parts) => `${withHeader(parts, { alg }).join('.')}.`)
    }
    await assertChangedWorthless(([header, claims]) => `${header}.${claims}.`)
  })

  test('signed with the public key as if it were a password', async () => {
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      publicKey.export({ type: 'pkcs1', format: 'pem' }),
    ]
    for (const secret of secrets) {
      await assertChangedWorthless((parts) => {
        const text = withHeader(parts, { alg: 'HS256' }).join('.')
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
      })
    }
  })

  test('with other claims under the signature', async () => {
    const other = await salus.makeUser()
    const changes = [
      { uid: other },
      { tenant_id: newId() },
      { aud: ['salus:api', 'salus:sign-in'] },
      { exp: 9_999_999_999 },
    ]
    for (const change of changes) {
      await assertChangedWorthless((parts) => {
        const claims = encode({ ...decodeToken(parts.join('.'))[1], ...change })
        return [parts[0], claims, parts[2]].join('.')
      })
    }
  })

  test('of another deployment, whatever key it names', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const [{ kid }, { aud, iss, ...claims }] = decodeToken(userToken)
    const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
    for (const [audience, typ] of [
      [aud, 'JWT'],
      ['salus:api', 'at+jwt'],
    ] as const) {
      for (const named of [
        { kid },
        { kid: newId() },
        {},
        { kid, jwk },
        { kid, jku: 'https://evil.test/keys' },
        { kid: '../../dev/null' },
        { kid: "' or 1=1 --" },
        { kid: { $ne: 1 } },
      ]) {
        const forged = await new SignJWT({ ...claims, sid: newId(), aud: audience, iss })
          .setProtectedHeader({ alg: 'RS256', typ, ...(named as object) })
          .sign(privateKey)
        await assertWorthless(forged)
      }
    }
  })

  test('with extensions that must be understood, of other forms, or no token at all', async () => {
    await assertChangedWorthless((parts) => {
      const header = withHeader(parts, { crit: ['b64'], b64: false })
      return [...header, parts[2]].join('.')
    })
    for (const text of ['a.b.c', '..', 'e30.e30.e30', `${'x'.repeat(3000)}.y.z`]) {
      await assertWorthless(text)
    }
    assertTokenRefused(await app.exchange('x'.repeat(8000)), 'invalid_token')
    assertTokenRefused(await app.exchange(''), 'invalid_token')
  })
})

describe('a genuine token', () => {
  test('of one kind does not stand for the other', async () => {
    assertTokenRefused(await app.exchange(tokens.access_token), 'invalid_token')
    assertTokenRefused(await app.exchange(tokens.refresh_token), 'invalid_token')
    assertTokenRefused(await app.refresh(tokens.access_token), 'reauthentication_required')
    assertTokenRefused(await app.refresh(userToken), 'reauthentication_required')
    for (const token of [userToken, tokens.refresh_token]) {
      assert.equal((await app.callAs(token, 'GET', `/v2/user/${userId}`)).status, 401)
    }
  })

  test('of a sandbox opens nothing of production, where the same team has the same app', async () => {
    const team = await salus.makeTeam()
    const [inSandbox, inProduction] = [team.sandboxKey, team.productionKey].map((key) => ({
      'x-service-api-key': key,
    }))
    const body = { client_user_id: 'both' }
    const tester = (await salus.call('POST', '/v2/user', body, inSandbox)).body.user_id
    const person = (await salus.call('POST', '/v2/user', body, inProduction)).body.user_id
    const ofSandbox = await app.signIn(tester, inSandbox)
    const readAs = (token: string, id: string) => app.callAs(token, 'GET', `/v2/user/${id}`)
    assert.equal((await readAs(ofSandbox.access_token, tester)).status, 200)
    assert.equal((await readAs(ofSandbox.access_token, person)).status, 403)
    const ofProduction = await app.signIn(person, inProduction)
    assert.equal((await readAs(ofProduction.access_token, tester)).status, 403)
  })

  test('of before all sessions of its person were ended begins none any more', async () => {
    const [own, other] = [await salus.makeUser(), await salus.makeUser()]
    const before = await app.makeUserToken(own)
    const bystander = await app.makeUserToken(other)
    const ended = await salus.call('DELETE', `/v2/user/${own}/mobile_session`)
    assert.deepEqual(ended.body, { ended: 0 })
    // In the same moment: the clock stands still.
    const after = await app.makeUserToken(own)
    assertTokenRefused(await app.exchange(before), 'invalid_token')
    for (const token of [after, bystander]) assert.equal((await app.exchange(token)).status, 200)
    const code = (await salus.call('POST', `/v2/link/code/create?user_id=${own}`)).body.code
    const { body } = await app.post(`/v2/link/code/exchange?code=${code}&grant_type=sign_in_token`)
    const { user_token: ofCode } = openSignInToken(body.sign_in_token)
    assert.equal((await app.exchange(ofCode)).status, 200)
  })

  test('of a session does not say its refresh token, nor does the database', async () => {
    const { rows } = await salus.database.pool.query('select * from mobile_sessions')
    const stored = JSON.stringify(rows)
    const bytes = Buffer.from(tokens.refresh_token.slice(3), 'base64url')
    for (const part of [bytes.subarray(0, 16), bytes.subarray(16)]) {
      assert.ok(!stored.includes(part.toString('hex')))
      assert.ok(!stored.includes(JSON.stringify([...part]).slice(1, -1)))
    }
  })
})

describe('signing keys', () => {
  const open = () => new SigningKeys(salus.dependencies)

  test('are the same for several processes and after a restart, and sealed', async () => {
    const { database, dependencies } = salus
    const one = new AppTokens(dependencies)
    const other = new AppTokens(dependencies)
    const { rows } = await database.pool.query('select id from team_environments limit 1')
    const environment = { id: rows[0].id, teamId: salus.teamId } as never
    const session = { environment, userId, sessionId: newId(), baseUrl: '' }
    const made = await one.createAccessToken(await one.getKey(), session)
    assert.equal((await other.readAccessToken(made))?.userId, userId)
    const sealed = await database.pool.query('select sealed from mobile_signing_keys')
    assert.equal(sealed.rows.length, 1)
    assert.ok(!sealed.rows[0].sealed.includes('PRIVATE KEY'))
  })

  test('that processes need at once are made once, and change after 90 days', async () => {
    salus.clock.advance(91 * DAY_SECONDS)
    const made = await Promise.all([open(), open(), open()].map((keys) => keys.getCurrent()))
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
    const { rows } = await salus.database.pool.query('select id from mobile_signing_keys')
    assert.equal(rows.length, 2)
  })

  test('that cannot be opened are replaced, and sessions go on', async () => {
    const { refresh_token: token } = await app.signIn(userId)
    await salus.database.pool.query(
      'update mobile_signing_keys set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)',
    )
    salus.clock.advance(61)
    const again = await app.refresh(token)
    assert.equal(again.status, 200)
    const own = await app.callAs(again.body.access_token, 'GET', `/v2/user/${userId}`)
    assert.equal(own.status, 200)
  })
})

test('a failure of the database is never reported as an invalid token', async () => {
  salus.errors.expect('request failed')
  const { pool } = salus.database
  const { refresh_token: token } = await app.signIn(userId)
  const fresh = await app.makeUserToken(userId)
  for (const table of ['mobile_sessions', 'users']) {
    await pool.query(`alter table ${table} rename to away`)
    const answers = [await app.refresh(token), await app.exchange(fresh)]
    await pool.query(`alter table away rename to ${table}`)
    for (const { status, text } of answers) {
      assert.ok(status >= 500, text)
      assert.doesNotMatch(text, /invalid_token|reauthentication/)
    }
  }
  assert.equal((await app.refresh(token)).status, 200)
  assert.equal((await app.exchange(fresh)).status, 200)
})
