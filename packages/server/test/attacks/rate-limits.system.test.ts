import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { App } from '@salus/kernel/http/app-types'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { assertRefusal } from '../assert-refusal.ts'
import { answerOf, createHarness, type Harness } from '../harness.ts'
import { createAppClient } from '../mobile/app-client.ts'

/** Needs no credential. */
const OPEN = '/v1/console/sign_in_methods'
const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'

let salus: Harness
const apps: App[] = []
before(async () => {
  salus = await createHarness()
})
after(async () => {
  for (const app of apps) await app.close()
  await salus.close()
})

interface Sent {
  url?: string
  method?: 'GET' | 'POST'
  ip?: string
  headers?: Record<string, string>
  payload?: object
}

async function appWith(settings: Partial<Config>) {
  // What was counted in another test is of a minute that is over.
  salus.clock.advance(3_600)
  const app = await buildApp({ ...salus.dependencies, config: { ...salus.config, ...settings } })
  apps.push(app)
  return async ({
    url = '/v2/providers',
    method = 'GET',
    ip = HERE,
    headers = {},
    payload,
  }: Sent) =>
    answerOf(
      await app.inject({
        method,
        url,
        headers,
        remoteAddress: ip,
        ...(payload !== undefined && { payload }),
      }),
    )
}

const withKey = (key: string) => ({ 'x-service-api-key': key })
const statusesOf = async (times: number, send: () => Promise<{ status: number }>) => {
  const statuses = []
  for (let n = 0; n < times; n += 1) statuses.push((await send()).status)
  return statuses
}
const times = (count: number, status: number) => Array<number>(count).fill(status)

describe('requests', () => {
  test('are limited by key, and each answer says how many are left', async () => {
    const send = await appWith({ keyRateLimit: 3 })
    const headers = withKey(salus.apiKey)
    const first = await send({ headers })
    const wait = 60 - salus.clock.now().getUTCSeconds()
    assert.equal(first.headers['ratelimit-policy'], '"key";q=3;w=60')
    assert.equal(first.headers.ratelimit, `"key";r=2;t=${wait}`)
    assert.deepEqual(await statusesOf(3, () => send({ headers })), [200, 200, 429])
    const refused = await send({ headers, ip: ELSEWHERE })
    assertRefusal(refused, 429, 'rate_limited')
    assert.equal(refused.headers['retry-after'], String(wait))
    assert.equal(refused.headers.ratelimit, `"key";r=0;t=${wait}`)
    const { sandboxKey } = await salus.makeTeam()
    assert.equal((await send({ headers: withKey(sandboxKey) })).status, 200)
    salus.clock.advance(60)
    assert.equal((await send({ headers })).status, 200)
  })

  test('without a credential are limited by address, which takes nothing from those with one', async () => {
    const send = await appWith({ addressRateLimit: 3, keyRateLimit: 100 })
    const urls = ['/v2/providers', '/nowhere', OPEN]
    const statuses = []
    for (const url of urls) statuses.push((await send({ url })).status)
    assert.deepEqual(statuses, [401, 404, 200])
    for (const url of urls) assertRefusal(await send({ url }), 429, 'rate_limited')
    assert.equal((await send({ headers: withKey(salus.apiKey) })).status, 200)
    assert.equal((await send({ url: OPEN, ip: ELSEWHERE })).status, 200)
    assert.equal((await send({ url: '/health/live' })).status, 200)
  })

  test('of a person are limited over all apps and sessions, and of no one else', async () => {
    const send = await appWith({ personRateLimit: 3 })
    const signIn = async (userId: string) => {
      const { access_token } = await createAppClient(salus).signIn(userId)
      const url = `/v2/user/${userId}`
      return () => send({ url, headers: { authorization: `Bearer ${access_token}` } })
    }
    const [person, other] = [await salus.makeUser(), await salus.makeUser()]
    const [phone, tablet, others] = [
      await signIn(person),
      await signIn(person),
      await signIn(other),
    ]
    assert.deepEqual(await statusesOf(3, phone), [200, 200, 200])
    assert.equal((await tablet()).status, 429)
    assert.equal((await others()).status, 200)
  })
})

describe('wrong keys', () => {
  const guess = withKey('sk_us_guessguessguessguess')

  test('of an address are refused with 429 after some, and right ones still pass', async () => {
    const send = await appWith({ failedSignInLimit: 3 })
    assert.deepEqual(await statusesOf(5, () => send({ headers: guess })), [
      ...times(3, 401),
      429,
      429,
    ])
    assert.equal((await send({ headers: withKey(salus.apiKey) })).status, 200)
    assert.equal((await send({ headers: guess, ip: ELSEWHERE })).status, 401)
    // Another process counts on.
    const sendOther = await buildApp({
      ...salus.dependencies,
      config: { ...salus.config, failedSignInLimit: 3 },
    })
    apps.push(sendOther)
    const answer = await sendOther.inject({
      url: '/v2/providers',
      headers: guess,
      remoteAddress: HERE,
    })
    assert.equal(answer.statusCode, 429)
  })

  test('of all kinds are counted in the metrics, and the first of an address is in the audit log', async () => {
    const send = await appWith({ failedSignInLimit: 3 })
    const countOf = async (kind: string) => {
      const text = await salus.dependencies.registry.metrics()
      return Number(
        new RegExp(`salus_sign_in_failures_total{kind="${kind}"} (\\d+)`).exec(text)?.[1],
      )
    }
    const kinds = [
      ['api_key', guess],
      ['access_token', { authorization: 'Bearer guess' }],
      ['app_token', { authorization: 'Bearer a.b.c' }],
    ] as const
    for (const [kind, headers] of kinds) {
      const before = await countOf(kind)
      assert.deepEqual(await statusesOf(4, () => send({ headers })), [401, 401, 401, 429])
      assert.equal((await countOf(kind)) - before, 4, kind)
    }
    const url = `/v1/org/${salus.organizationId}/team`
    assert.equal((await send({ url, headers: { 'x-management-key': 'mg_guess' } })).status, 401)
    await salus.dependencies.audit.flush()
    const { rows } = await salus.database.pool.query(
      `select route, status from audit_rows where actor_kind = 'unknown' and at = $1 order by sequence`,
      [salus.clock.now()],
    )
    const routes = rows.map(({ route, status }) => `${route} ${status}`)
    const expected = [...Array(3).fill('/v2/providers 401'), '/v1/org/:org_id/team 401']
    assert.deepEqual(routes, expected)
  })
})

test('messages that no provider signed are refused with 429 after some, and count for nothing else', async () => {
  const send = await appWith({ failedSignInLimit: 3, addressRateLimit: 2 })
  const url = '/v2/provider/oura/push'
  const push = () => send({ url, method: 'POST', payload: { user_id: 'u', data_type: 'sleep' } })
  assert.deepEqual(await statusesOf(5, push), [...times(3, 401), 429, 429])
  assert.equal((await send({ url: OPEN })).status, 200)
})

describe('behind a proxy that no setting names', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  const SIGN_IN = '/v1/console/session'
  const console = { 'x-salus-console': '1', ...forwarded }

  test('no client locks out others: there is no limit by address', async () => {
    const send = await appWith({ addressRateLimit: 2, failedSignInLimit: 2 })
    const stranger = () => send({ url: OPEN, headers: forwarded })
    assert.deepEqual(await statusesOf(5, stranger), times(5, 200))
    const guess = { ...forwarded, ...withKey('sk_us_guessguessguessguess') }
    assert.deepEqual(await statusesOf(5, () => send({ headers: guess })), times(5, 401))
    const signIn = (management_key: string) =>
      send({ url: SIGN_IN, method: 'POST', headers: console, payload: { management_key } })
    assert.deepEqual(await statusesOf(15, () => signIn('mg_guessguessguess')), times(15, 401))
    assert.equal((await signIn(salus.managementKey)).status, 200)
  })

  test('a client that only says so is limited by its own address where proxies are named', async () => {
    const send = await appWith({ addressRateLimit: 2, trustedProxies: ['10.0.0.1'] })
    const url = OPEN
    const pretend = (n: number) => ({ url, headers: { 'x-forwarded-for': `203.0.113.${n}` } })
    assert.equal((await send(pretend(1))).status, 200)
    assert.equal((await send(pretend(2))).status, 200)
    assert.equal((await send(pretend(3))).status, 429)
    // From the proxy the address is the client's.
    const ip = '10.0.0.1'
    assert.deepEqual(await statusesOf(2, () => send({ ...pretend(4), ip })), [200, 200])
    assert.equal((await send({ ...pretend(4), ip })).status, 429)
    assert.equal((await send({ ...pretend(5), ip })).status, 200)
  })
})
