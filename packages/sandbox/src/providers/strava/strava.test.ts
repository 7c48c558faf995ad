import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createMemoryStore, ProviderEmulator } from '../index.ts'

const SCOPES = ['read', 'activity:read', 'activity:read_all']
const BASE = '/sandbox/providers/strava/api'
const CLIENT = { client_id: 'app', client_secret: 'secret' }

interface Pushed {
  headers: Record<string, string>
  body: string
}

let now: Date
let emulator: ProviderEmulator
let pushed: Pushed[]
let challengeAnswer: string | undefined

beforeEach(async () => {
  await emulator?.close()
  now = new Date('2026-03-01T18:00:00Z')
  pushed = []
  challengeAnswer = undefined
  emulator = new ProviderEmulator({
    clock: { now: () => now },
    store: createMemoryStore(),
    fetch: async (url, init = {}) => {
      if (init.method === undefined) {
        const challenge = new URL(String(url)).searchParams.get('hub.challenge')
        return Response.json({ 'hub.challenge': challengeAnswer ?? challenge })
      }
      pushed.push(init as Pushed)
      return new Response('')
    },
  })
})
after(() => emulator.close())

const pass = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds)
}

const grant = async (account: string, scopes = SCOPES) =>
  (await emulator.grant('strava', account, scopes, 'app')).access_token

async function read(path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await emulator.app.inject({ url: `${BASE}/api/v3/${path}`, headers })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

async function send(method: 'GET' | 'POST' | 'DELETE', path: string, form: object = {}) {
  const payload = new URLSearchParams({ ...CLIENT, ...form }).toString()
  const isPost = method === 'POST'
  const answer = await emulator.app.inject({
    method,
    url: `${BASE}${path}${isPost ? '' : `?${payload}`}`,
    ...(isPost && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    }),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}

const subscribe = () =>
  send('POST', '/api/v3/push_subscriptions', {
    callback_url: 'https://salus.example.com/push',
    verify_token: 'token',
  })

describe('Strava', () => {
  test('serves page by page, the oldest first, what the truth says', async () => {
    const token = await grant('jan+travel')
    const span = { from: now.getTime() - 120 * DAY_MS, to: now.getTime() }
    const { activities = [] } = emulator.truthOf('strava', 'jan+travel', span)
    const bounds = `after=${span.from / 1000 - 1}&before=${span.to / 1000}`
    const found: unknown[] = []
    for (let page = 1; ; page++) {
      const { body } = await read(`athlete/activities?${bounds}&per_page=7&page=${page}`, token)
      found.push(...body)
      if (body.length < 7) break
    }
    assert.ok(found.length > 20)
    assert.deepEqual(found, activities)
    const { body: newest } = await read('athlete/activities?per_page=1', token)
    assert.deepEqual(newest, activities.slice(-1))
  })

  test('has details and streams of one length, but none of a manual entry', async () => {
    const token = await grant('jan')
    const { body } = await read('athlete/activities?per_page=60', token)
    let manual = 0
    for (const summary of body) {
      const { body: detail } = await read(`activities/${summary.id}`, token)
      assert.deepEqual([detail.id, detail.resource_state], [summary.id, 3])
      const streams = await read(
        `activities/${summary.id}/streams?keys=time,heartrate,latlng&key_by_type=true`,
        token,
      )
      pass(15 * MINUTE_MS)
      if (summary.manual) {
        manual += 1
        assert.equal(streams.status, 404)
        continue
      }
      const { time, ...others } = streams.body
      assert.ok(!Object.hasOwn(others, 'watts'))
      for (const stream of Object.values<{ data: unknown[] }>(others)) {
        assert.equal(stream.data.length, time.data.length)
      }
      if (manual > 0) break
    }
    assert.ok(manual > 0)
    assert.equal((await read('activities/12345', token)).status, 404)
  })

  test('shows private activities with their scope only', async () => {
    const count = async (scopes: string[]) => {
      const { body } = await read('athlete/activities?per_page=200', await grant('jan', scopes))
      return body.length
    }
    assert.ok((await count(['activity:read'])) < (await count(['activity:read_all'])))
    const none = await read('athlete/activities', await grant('jan', ['read']))
    assert.equal(none.status, 401)
    assert.equal(none.body.errors[0].code, 'missing')
  })

  test('counts reads of an app in quarters of an hour and days', async () => {
    now = new Date('2026-03-01T22:10:00Z')
    const token = await grant('jan')
    for (let count = 1; count <= 100; count += 1) {
      const { status, headers } = await read('athlete', token)
      assert.equal(status, 200)
      assert.equal(headers['x-readratelimit-usage'], `${count},${count}`)
    }
    const { status, headers, body } = await read('athlete', token)
    assert.deepEqual([status, body.message], [429, 'Rate Limit Exceeded'])
    assert.equal(headers['retry-after'], undefined)
    assert.equal(headers.date, now.toUTCString())
    pass(5 * MINUTE_MS)
    assert.equal((await read('athlete', token)).status, 200)
  })

  test('has its own errors of tokens, and names the athlete in the first answer', async () => {
    const wrong = await send('POST', '/api/v3/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: 'nonsense',
    })
    assert.deepEqual(
      [wrong.status, wrong.body.errors],
      [400, [{ resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' }]],
    )
    const { refresh_token } = await emulator.grant('strava', 'jan', SCOPES, 'app')
    const form = { grant_type: 'refresh_token', refresh_token }
    const { body } = await send('POST', '/api/v3/oauth/token', form)
    assert.deepEqual(
      [body.token_type, body.expires_in, body.scope, body.athlete],
      ['Bearer', 21_600, undefined, undefined],
    )
    assert.equal(body.expires_at, now.getTime() / 1000 + 21_600)
    const end = () => send('POST', '/oauth/deauthorize', { access_token: body.access_token })
    assert.equal((await end()).status, 200)
    assert.equal((await end()).status, 401)
    assert.equal((await read('athlete', body.access_token)).status, 401)
  })
})

describe('pushes', () => {
  test('are signed, and name what changed and what was deleted', async () => {
    assert.equal((await subscribe()).status, 201)
    assert.equal((await subscribe()).status, 400)
    await grant('lea')
    const owner = Number(emulator.accountIdOf('strava', 'lea'))
    const known = new Map<number, string>()
    const aspects = new Set<string>()
    for (let half = 0; half < 200; half++) {
      const from = now.getTime()
      pass(DAY_MS / 2)
      await emulator.push('strava', 'lea', { from, to: now.getTime() })
    }
    for (const { headers, body } of pushed) {
      const message = JSON.parse(body)
      assert.equal(message.owner_id, owner)
      known.set(message.object_id, message.aspect_type)
      aspects.add(message.aspect_type)
      const [, time, signature] =
        /^t=(\d+),v1=(\w+)$/.exec(headers['x-strava-signature'] ?? '') ?? []
      const expected = createHmac('sha256', 'secret').update(`${time}.${body}`).digest('hex')
      assert.equal(signature, expected)
    }
    assert.deepEqual([...aspects].sort(), ['create', 'delete', 'update'])
    // What the messages leave is what there is.
    const { body } = await read('athlete/activities?per_page=20', await grant('lea'))
    const present = new Set(body.map(({ id }: { id: number }) => id))
    for (const id of present) assert.notEqual(known.get(Number(id)) ?? 'delete', 'delete')
    for (const [id, aspect] of known) if (aspect === 'delete') assert.ok(!present.has(id))
  })

  test('report the end of the access, and are unsigned for some people', async () => {
    await subscribe()
    await grant('jan+unsigned')
    await emulator.revoke('strava', 'jan+unsigned')
    const [message] = pushed
    assert.equal(message?.headers['x-strava-signature'], undefined)
    const { body } = await send('GET', '/api/v3/push_subscriptions')
    const { object_type, updates, subscription_id } = JSON.parse(message?.body ?? '{}')
    assert.deepEqual([object_type, updates], ['athlete', { authorized: 'false' }])
    assert.equal(subscription_id, body[0].id)
    const removed = await send('DELETE', `/api/v3/push_subscriptions/${subscription_id}`)
    assert.equal(removed.status, 204)
    assert.deepEqual((await send('GET', '/api/v3/push_subscriptions')).body, [])
  })

  test('go to no address that does not answer the challenge', async () => {
    challengeAnswer = 'no'
    assert.equal((await subscribe()).status, 400)
    await grant('jan')
    const span = { from: now.getTime() - HOUR_MS, to: now.getTime() }
    assert.equal(await emulator.push('strava', 'jan', span), 0)
  })
})
