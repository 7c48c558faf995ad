import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  assertTokenRefused,
  createAppClient,
  decodeToken,
  EXCHANGE,
  openSignInToken,
  SIGN_IN_TYPE,
  type Tokens,
} from '../../../../server/test/mobile/app-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
let app: ReturnType<typeof createAppClient>
let userId: string
before(async () => {
  app = createAppClient(salus)
  userId = await salus.makeUser()
})

const readOwn = (tokens: Tokens, id = userId) =>
  app.callAs(tokens.access_token, 'GET', `/v2/user/${id}`)

/** Events about sessions that ended early, oldest first. */
async function endedEvents() {
  const { rows } = await salus.database.pool.query(
    "select body from events where event_type = 'user.mobile_session.ended' order by id",
  )
  return rows.map(({ body }) => JSON.parse(String(body)))
}

async function refreshed(token: string): Promise<Tokens> {
  const { status, body, text } = await app.refresh(token)
  assert.equal(status, 200, text)
  return body
}

describe('a sign-in token', () => {
  test('is base64 of a key id and a token with the claims that clients read', async () => {
    const { body } = await salus.call('POST', `/v2/user/${userId.toUpperCase()}/sign_in_token`)
    assert.deepEqual(Object.keys(body), ['user_id', 'sign_in_token'])
    assert.equal(body.user_id, userId)
    assert.match(body.sign_in_token, /^[\w+/]+=*$/)
    const { public_key: keyId, user_token: token } = openSignInToken(body.sign_in_token)
    const [header, claims] = decodeToken(token)
    assert.deepEqual(header, { alg: 'RS256', typ: 'JWT', kid: keyId })
    const { iat, exp, jti, tenant_id, ...others } = claims
    assert.deepEqual(others, {
      uid: userId,
      claims: { vital_team_id: salus.teamId, salus_team_id: salus.teamId },
      base_url: 'http://localhost:80',
      iss: 'http://localhost:80',
      aud: 'salus:sign-in',
      gen: 0,
    })
    assert.equal(exp - iat, 600)
    for (const text of [jti, tenant_id]) assert.match(text, /^[\da-f-]{36}$/)
  })

  test('signs in once, under both names of its type, and the app reads its own person', async () => {
    for (const type of [SIGN_IN_TYPE, 'urn:junction:sign-in-token']) {
      const token = await app.makeUserToken(userId)
      const fields = { grant_type: EXCHANGE, subject_token_type: type, subject_token: token }
      const { status, body, headers } = await app.postToken(fields)
      assert.equal(status, 200)
      assert.equal(headers['cache-control'], 'no-store')
      assert.deepEqual(Object.keys(body), ['access_token', 'refresh_token', 'expires_in'])
      assert.equal(body.expires_in, 3600)
      assert.equal((await readOwn(body)).body.user_id, userId)
      assertTokenRefused(await app.postToken(fields), 'invalid_token')
    }
  })

  test('of many exchanges at once exactly one gets a session', async () => {
    const token = await app.makeUserToken(userId)
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.exchange(token)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)])
  })

  test('expires after ten minutes', async () => {
    const [early, late] = [await app.makeUserToken(userId), await app.makeUserToken(userId)]
    salus.clock.advance(598)
    assert.equal((await app.exchange(early)).status, 200)
    salus.clock.advance(3)
    assertTokenRefused(await app.exchange(late), 'invalid_token')
  })

  test('is of no use for a person or a team that was deleted since', async () => {
    const gone = await salus.makeUser()
    const token = await app.makeUserToken(gone)
    await salus.call('DELETE', `/v2/user/${gone}`)
    assertTokenRefused(await app.exchange(token), 'invalid_token')
    const team = await salus.makeTeam()
    const key = { 'x-service-api-key': team.productionKey }
    const made = await salus.call('POST', '/v2/user', { client_user_id: 'one' }, key)
    const ofTeam = await app.makeUserToken(made.body.user_id, key)
    await salus.manage('DELETE', `/team/${team.id}`)
    assertTokenRefused(await app.exchange(ofTeam), 'invalid_token')
  })

  test('is not made for a user of another team, nor for a deleted user', async () => {
    const team = await salus.makeTeam()
    const url = `/v2/user/${userId}/sign_in_token`
    const key = { 'x-service-api-key': team.sandboxKey }
    assert.equal((await salus.call('POST', url, undefined, key)).status, 404)
  })
})

describe('a refresh token', () => {
  test('gives another pair, again and again', async () => {
    let tokens = await app.signIn(userId)
    const seen = new Set([tokens.refresh_token])
    for (let round = 0; round < 3; round += 1) {
      salus.clock.advance(3600)
      tokens = await refreshed(tokens.refresh_token)
      assert.ok(!seen.has(tokens.refresh_token))
      seen.add(tokens.refresh_token)
      assert.equal((await readOwn(tokens)).status, 200)
    }
  })

  test('whose answer was lost gives the same one again for 60 seconds', async () => {
    const first = await app.signIn(userId)
    const lost = await refreshed(first.refresh_token)
    salus.clock.advance(60)
    const again = await refreshed(first.refresh_token)
    assert.equal(again.refresh_token, lost.refresh_token)
    assert.equal((await readOwn(again)).status, 200)
    salus.clock.advance(3600)
    assert.equal((await readOwn(await refreshed(again.refresh_token))).status, 200)
  })

  test('that comes again later ends the session, for its copy too', async () => {
    const first = await app.signIn(userId)
    const second = await refreshed(first.refresh_token)
    salus.clock.advance(61)
    assertTokenRefused(await app.refresh(first.refresh_token), 'reauthentication_required')
    assertTokenRefused(await app.refresh(second.refresh_token), 'reauthentication_required')
    // Another installation of the same user goes on.
    assert.equal((await readOwn(await app.signIn(userId))).status, 200)
  })

  test('from long before is known for what it is', async () => {
    const first = await app.signIn(userId)
    let last = await refreshed(first.refresh_token)
    for (let round = 0; round < 3; round += 1) {
      salus.clock.advance(3600)
      last = await refreshed(last.refresh_token)
    }
    assertTokenRefused(await app.refresh(first.refresh_token), 'reauthentication_required')
    assertTokenRefused(await app.refresh(last.refresh_token), 'reauthentication_required')
  })

  test('that is guessed ends no session', async () => {
    const { refresh_token: genuine } = await app.signIn(userId)
    const bytes = Buffer.from(genuine.slice(3), 'base64url')
    bytes[3] = (bytes[3] ?? 0) ^ 1
    const guess = `rt_${bytes.toString('base64url')}`
    for (const token of [guess, 'rt_', '', 'x'.repeat(500), `rt_${'A'.repeat(64)}`, '\0']) {
      assertTokenRefused(await app.refresh(token), 'reauthentication_required')
    }
    assert.equal((await app.refresh(genuine)).status, 200)
  })

  test('that several requests use at once ends no session', async () => {
    const first = await app.signIn(userId)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.refresh(first.refresh_token)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const next = [...new Set(answers.map(({ body }) => body.refresh_token))]
    assert.equal(next.length, 1)
    salus.clock.advance(3600)
    assert.equal((await app.refresh(next[0])).status, 200)
  })

  test('lives for as long as it is used every 180 days', async () => {
    let tokens = await app.signIn(userId)
    for (let round = 0; round < 3; round += 1) {
      salus.clock.advance(179 * DAY_SECONDS)
      tokens = await refreshed(tokens.refresh_token)
    }
    salus.clock.advance(180 * DAY_SECONDS)
    assertTokenRefused(await app.refresh(tokens.refresh_token), 'reauthentication_required')
  })

  test('of a deleted user has the app delete its session', async () => {
    const gone = await salus.makeUser()
    const tokens = await app.signIn(gone)
    await salus.call('DELETE', `/v2/user/${gone}`)
    assertTokenRefused(await app.refresh(tokens.refresh_token), 'invalid_token')
    await salus.call('POST', `/v2/user/undo_delete?user_id=${gone}`)
    assert.equal((await app.refresh(tokens.refresh_token)).status, 200)
  })
})

describe('an access token', () => {
  test('is good for an hour', async () => {
    const second = await refreshed((await app.signIn(userId)).refresh_token)
    salus.clock.advance(3599)
    assert.equal((await readOwn(second)).status, 200)
    salus.clock.advance(1)
    const { status, body, headers } = await readOwn(second)
    assert.deepEqual([status, body.detail.error_type], [401, 'invalid_token'])
    assert.equal(headers['www-authenticate'], 'Bearer')
  })

  test('ends with all sessions of its user when the team ends them, and not with those of others', async () => {
    const [own, other] = [await salus.makeUser(), await salus.makeUser()]
    const phones = [await app.signIn(own), await app.signIn(own)]
    const bystander = await app.signIn(other)
    const code = (await salus.call('POST', `/v2/link/code/create?user_id=${own}`)).body.code
    for (const phone of phones) assert.equal((await readOwn(phone, own)).status, 200)
    const end = (headers?: object) =>
      salus.call('DELETE', `/v2/user/${own}/mobile_session`, undefined, headers)
    const stranger = await salus.makeTeam()
    assert.equal((await end({ 'x-service-api-key': stranger.sandboxKey })).status, 404)
    const bearer = { authorization: `Bearer ${phones[0]?.access_token}`, 'x-service-api-key': '' }
    assert.equal((await end(bearer)).status, 403)
    assert.deepEqual((await end()).body, { ended: 2 })
    for (const phone of phones) {
      assert.equal((await readOwn(phone, own)).status, 401)
      assertTokenRefused(await app.refresh(phone.refresh_token), 'reauthentication_required')
    }
    assert.equal((await readOwn(bystander, other)).status, 200)
    const exchange = `/v2/link/code/exchange?code=${code}&grant_type=sign_in_token`
    assert.equal((await app.post(exchange)).status, 400)
    assert.deepEqual((await end()).body, { ended: 0 })
    assert.deepEqual(
      (await endedEvents()).slice(-2).map(({ data }) => [data.user_id, data.reason]),
      [
        [own, 'revoked'],
        [own, 'revoked'],
      ],
    )
    assert.equal((await readOwn(await app.signIn(own), own)).status, 200)
  })

  test('ends with its person at once', async () => {
    const gone = await salus.makeUser()
    const tokens = await app.signIn(gone)
    assert.equal((await readOwn(tokens, gone)).status, 200)
    await salus.call('DELETE', `/v2/user/${gone}`)
    assert.equal((await readOwn(tokens, gone)).status, 401)
  })
})

describe('the token endpoint', () => {
  test('refuses other grants and forms, and says what is missing', async () => {
    const cases: [fields: Record<string, string>, status: number, code: string][] = [
      [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{}, 422, 'missing'],
      [{ grant_type: 'refresh_token' }, 422, 'missing'],
      [{ grant_type: EXCHANGE }, 422, 'missing'],
      [{ grant_type: EXCHANGE, subject_token_type: SIGN_IN_TYPE }, 422, 'missing'],
      [{ grant_type: EXCHANGE, subject_token_type: 'jwt', subject_token: 'x' }, 422, 'enum'],
    ]
    for (const [fields, status, code] of cases) {
      const { body, ...answer } = await app.postToken(fields)
      assert.equal(answer.status, status, JSON.stringify(fields))
      assert.equal(body.detail.error_type ?? body.detail[0].type, code)
    }
    const asJson = { headers: { 'content-type': 'application/json' } }
    assert.equal((await app.post('/v1/token', '{}', asJson)).status, 415)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const huge = await app.post('/v1/token', `refresh_token=${'x'.repeat(40_000)}`, form)
    assert.equal(huge.status, 413)
  })

  test('answers 30 requests of an address in a minute', async () => {
    const from = '2001:db8:1:2::1'
    for (let count = 0; count < 30; count += 1) {
      assert.equal((await app.refresh('guess', from)).status, 401)
    }
    const { status, body, headers } = await app.refresh('guess', '2001:db8:1:2:ffff::9')
    assert.deepEqual([status, body.detail.error_type], [429, 'rate_limited'])
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 60)
    assert.equal((await app.refresh('guess', '2001:db8:1:3::1')).status, 401)
    salus.clock.advance(seconds)
    assert.equal((await app.refresh('guess', from)).status, 401)
  })
})

test('sessions, codes and keys that have ended are swept away', async () => {
  const count = async (table: string): Promise<number> =>
    (await salus.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n
  const tokens = await app.signIn(userId)
  const sweep = salus.dependencies.jobs.handlers.sweep_mobile_sessions
  const run = () => sweep?.({}, new AbortController().signal, { isLast: false })
  await run()
  assert.ok((await count('mobile_sessions')) > 0)
  salus.clock.advance(92 * DAY_SECONDS)
  // The pair of keys has changed: the session goes on.
  const later = await refreshed(tokens.refresh_token)
  await run()
  assert.equal(await count('mobile_signing_keys'), 1)
  assert.equal((await readOwn(later)).status, 200)
  salus.clock.advance(182 * DAY_SECONDS)
  await run()
  assert.equal(await count('mobile_sessions'), 0)
})
