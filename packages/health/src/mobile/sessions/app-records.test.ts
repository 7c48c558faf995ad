import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createLogger } from '@salus/kernel/log'
import { buildApp } from '../../../../server/src/app.ts'
import { readConfig } from '../../../../server/src/config.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  assertTokenRefused,
  createAppClient,
  decodeToken,
  openSignInToken,
} from '../../../../server/test/mobile/app-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/** What is stored about apps, and the client address of requests. */

const salus = useFixture(createHarness)
let userId: string
before(async () => {
  userId = await salus.makeUser()
})

test('logs hold no token of an app and no link code, whatever becomes of them', async () => {
  const lines: string[] = []
  const log = createLogger('debug', { write: (line) => lines.push(line) })
  const app = await buildApp({ ...salus.dependencies, log })
  const { call } = salus
  const client = createAppClient({ app, call })
  const userToken = await client.makeUserToken(userId)
  const tokens = (await client.exchange(userToken)).body
  await client.exchange(userToken)
  await client.callAs(tokens.access_token, 'GET', `/v2/user/${userId}`)
  await client.callAs(tokens.access_token, 'GET', '/v2/user')
  await client.callAs(`${tokens.access_token}x`, 'GET', `/v2/user/${userId}`)
  const next = (await client.refresh(tokens.refresh_token)).body
  salus.clock.advance(61)
  await client.refresh(tokens.refresh_token)
  await client.post('/v1/token', `refresh_token=${next.refresh_token}%`)
  const { code } = (await call('POST', `/v2/link/code/create?user_id=${userId}`)).body
  const exchange = `/v2/link/code/exchange?code=${code}`
  await client.post(exchange)
  const { body } = await client.post(`${exchange}&grant_type=sign_in_token`)
  await client.post(`${exchange}&grant_type=sign_in_token`)
  await app.close()

  const all = lines.join('')
  assert.match(all, /a refresh token was reused after its grace/)
  assert.match(all, /"route":"\/v1\/token","status":200/)
  const secrets = [
    ...Object.values({ ...tokens, ...next }).map(String),
    ...[tokens.refresh_token, userToken, code, body.sign_in_token],
    openSignInToken(body.sign_in_token).user_token,
  ]
  for (const secret of secrets.filter((text) => text.length > 4)) {
    assert.ok(!all.includes(secret))
    // Nor a part of one.
    const part = secret.slice(-12)
    assert.ok(!all.includes(part))
  }
  assert.ok(!all.includes(userId))
})

test('the audit log has sign-ins and what apps do, by their session', async () => {
  const { audit } = salus.dependencies
  await audit.flush()
  await salus.database.pool.query('select 1')
  const { rows: before } = await salus.database.pool.query(
    'select array_agg(hash) as max from audit_rows',
  )
  const client = createAppClient(salus)
  const tokens = await client.signIn(userId)
  await client.refresh(tokens.refresh_token)
  await client.callAs(tokens.access_token, 'GET', `/v2/user/${userId}`)
  await client.callAs(tokens.access_token, 'GET', '/v2/user')
  const { code } = (await salus.call('POST', `/v2/link/code/create?user_id=${userId}`)).body
  await client.post(`/v2/link/code/exchange?code=${code}&grant_type=sign_in_token`)
  await audit.flush()
  const { rows } = await salus.database.pool.query(
    `select actor_kind, method, route, status, user_id, environment_id is not null as has_environment,
        (select count(*)::int from mobile_sessions where id = actor_id) as sessions
      from audit_rows where hash <> all($1) order by ctid`,
    [before[0].max],
  )
  const seen = rows.map(({ actor_kind, route, status, sessions }) =>
    [actor_kind, route, status, sessions].join(' '),
  )
  assert.deepEqual(seen.sort(), [
    'api_key /v2/link/code/create 200 0',
    'api_key /v2/user/:user_id/sign_in_token 200 0',
    'link_code /v2/link/code/exchange 200 0',
    'mobile_session /v1/token 200 1',
    'mobile_session /v1/token 200 1',
    'mobile_session /v2/user 403 1',
    'mobile_session /v2/user/:user_id 200 1',
  ])
  for (const row of rows) assert.deepEqual([row.user_id, row.has_environment], [userId, true])
})

test('a refresh token that two use ends the session with its access tokens, by an event and in the audit log', async () => {
  const client = createAppClient(salus)
  const read = (token: string) => client.callAs(token, 'GET', `/v2/user/${userId}`)
  const first = await client.signIn(userId)
  const second = (await client.refresh(first.refresh_token)).body
  assert.equal((await read(second.access_token)).status, 200)
  salus.clock.advance(61)
  assertTokenRefused(await client.refresh(first.refresh_token), 'reauthentication_required')
  assert.equal((await read(second.access_token)).status, 401)
  assertTokenRefused(await client.refresh(second.refresh_token), 'reauthentication_required')
  const { sid } = decodeToken(second.access_token)[1]
  const { pool } = salus.database
  const { rows: events } = await pool.query(
    "select body from events where event_type = 'user.mobile_session.ended'",
  )
  const seen = events
    .map(({ body }) => JSON.parse(String(body)))
    .filter(({ data }) => data.session_id === sid)
  assert.deepEqual(
    seen.map(({ data, user_id }) => [data.user_id, data.reason, user_id]),
    [[userId, 'refresh_token_reused', userId]],
  )
  await salus.dependencies.audit.flush()
  const { rows } = await pool.query(
    `select route, status, user_id from audit_rows
    where actor_id = $1 and status >= 400 and route = '/v1/token'`,
    [sid],
  )
  assert.deepEqual(rows, [{ route: '/v1/token', status: 401, user_id: userId }])
})

test('clients are limited by forwarded address only behind a trusted proxy', async () => {
  const { dependencies } = salus
  const send = async (proxies: string) => {
    const { trustedProxies } = readConfig({ SALUS_TRUSTED_PROXIES: proxies })
    const config = { ...dependencies.config, trustedProxies }
    const app = await buildApp({ ...dependencies, config })
    const client = createAppClient({ app, call: salus.call })
    const statuses = new Set<number>()
    for (let count = 0; count < 31; count += 1) {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `203.0.113.${count}`,
      }
      const form = 'grant_type=refresh_token&refresh_token=x'
      statuses.add((await client.post('/v1/token', form, { headers, from: '10.9.9.9' })).status)
    }
    await app.close()
    return [...statuses]
  }
  assert.deepEqual(await send('10.0.0.0/8, 127.0.0.1'), [401])
  // A client's own headers limit no other client: without a named proxy, forwarded addresses are
  // ignored.
  assert.deepEqual(await send(''), [401])
  assert.deepEqual(await send('192.0.2.1'), [401, 429])
  assert.throws(() => readConfig({ SALUS_TRUSTED_PROXIES: 'everybody' }), /SALUS_TRUSTED_PROXIES/)
  assert.throws(() => readConfig({ SALUS_APP_URL: 'no scheme' }), /SALUS_APP_URL/)
})

test('an app that names another person in the body is refused before anything is done', async () => {
  const client = createAppClient(salus)
  const { access_token: token } = await client.signIn(userId)
  const other = await salus.makeUser()
  const connect = (user_id: unknown) =>
    client.callAs(token, 'POST', '/v2/link/provider/manual/health_connect', { user_id } as object)
  assert.equal((await connect(other)).status, 403)
  assert.equal((await connect([userId])).status, 422)
  assert.equal((await connect(userId.toUpperCase())).status, 200)
  const { body } = await salus.call('GET', `/v2/user/providers/${other}`)
  assert.deepEqual(body.providers, [])
})
