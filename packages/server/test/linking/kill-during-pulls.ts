import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { API_KEY, type ServerProcess } from '../server-process.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import { open, signInAtVendor } from './browser.ts'
import { type Asked, assertSameRecords, expectedRecords, readRecords } from './oura-records.ts'

/** History of a new connection to Oura. */
const DAYS = 180

const emulatorAt = (now: () => number): ProviderEmulator =>
  new ProviderEmulator({ clock: { now: () => new Date(now()) }, store: createMemoryStore() })

/**
 * A person of whose data the vendor gets nothing new for a while, so that what it has can be said.
 */
function findQuietAccount(seed: number): string {
  const newest = (account: string, at: number): string => {
    const truth = emulatorAt(() => at).truthOf('oura', account, { from: at - 7 * DAY_MS, to: at })
    return JSON.stringify([truth.heartrate?.at(-1), truth.daily_activity, truth.daily_stress])
  }
  for (let number = 0; ; number++) {
    const account = `killed-${seed}-${number}@example.com`
    const now = Date.now()
    if (newest(account, now - MINUTE_MS) === newest(account, now + 10 * MINUTE_MS)) return account
  }
}

interface HistoryAnswer {
  data: {
    provider: Record<string, { pulled: Record<string, { status: string; range_start: string }> }>
  }[]
}

/** App of the team, whose secret signs messages. */
const APP = { client_id: 'killed', client_secret: 'secret-of-killed' }

/** Sends a message of the vendor. @returns its status; undefined when the server is gone */
async function sendMessage(baseUrl: string, accountId: string, count: number) {
  const data_type = ['sleep', 'workout', 'daily_activity'][count % 3]
  const body = JSON.stringify({ event_type: 'update', data_type, user_id: accountId, count })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', APP.client_secret)
    .update(timestamp + body)
    .digest('hex')
  const headers = { 'x-oura-timestamp': timestamp, 'x-oura-signature': signature }
  const url = `${baseUrl}/v2/provider/oura/push`
  const answer = await fetch(url, { method: 'POST', body, headers }).catch(() => undefined)
  return answer?.status
}

/**
 * Sends messages until the server is gone or, where another process is killed, the burst is over;
 * counts those that it accepted.
 */
async function sendBurst(
  baseUrl: string,
  accountId: string,
  count: { accepted: number; isOver: boolean },
) {
  while (!count.isOver) {
    const status = await sendMessage(baseUrl, accountId, count.accepted)
    if (status === undefined) return
    assert.equal(status, 200)
    count.accepted += 1
  }
}

/**
 * Connects a user and kills the server again and again while half a year is pulled, then asserts
 * that each record of the vendor is there once.
 * @param start Starts the server on the same data.
 * @param delays How long after the start of the server, or the sign-in, each kill comes, in
 *   milliseconds.
 */
export async function killDuringPulls(
  start: () => Promise<ServerProcess>,
  delays: readonly number[],
  seed: number,
  // On a busy machine requests to the vendor fail, and are repeated after one and then two minutes.
  patienceSeconds = 240,
): Promise<{ unfinished: number; messages: number; samples: number }> {
  const account = findQuietAccount(seed)
  let server = await start()
  const call: Asked['call'] = async (method, path, body, headers) => {
    const answer = await fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers ?? { 'x-service-api-key': API_KEY }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, text, body: JSON.parse(text), headers: answer.headers }
  }
  const [, organization] = /organization (\S+):/.exec(server.output()) ?? []
  const [, managementKey = ''] = /Management key\s+(\S+)/.exec(server.output()) ?? []
  const manager = { 'x-management-key': managementKey }
  const made = await call('POST', '/v2/user', { client_user_id: account })
  const userId: string = made.body.user_id
  const { link_token: token } = (await call('POST', '/v2/link/token', { user_id: userId })).body
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
  const events = `/v1/org/${organization}/team/${claims.team_id}/sandbox/event`
  const withToken = { 'x-service-link-token': token }
  const app = { team_id: claims.team_id, provider: 'oura', ...APP }
  const ofTeam = `/v1/org/${organization}/team_custom_credentials/sandbox/us`
  await call('POST', ofTeam, app, manager)
  const started = await call('GET', '/v2/link/provider/oauth/oura', undefined, withToken)
  const back = await signInAtVendor(started.body.oauth_url, { account })
  const { location = '' } = await open(back)
  assert.match(location, /state=success/)

  const readHistory = async () => {
    const { body } = await call('GET', `/v2/introspect/historical_pull?user_id=${userId}`)
    return Object.values((body as HistoryAnswer).data[0]?.provider.oura?.pulled ?? {})
  }
  const accountId = emulatorAt(Date.now).accountIdOf('oura', account)
  // A job notes the app of a new connection; until then its signature is unknown.
  const isKnown = async () => (await sendMessage(server.baseUrl, accountId, 0)) === 200
  await waitFor('a message to be accepted', isKnown)
  let unfinished = 0
  let messages = 0
  for (const delay of delays) {
    const count = { accepted: 0, isOver: false }
    const burst = sendBurst(server.baseUrl, accountId, count)
    await sleep(delay)
    await waitFor('a message of the burst to be accepted', () => count.accepted > 0)
    const states = await readHistory()
    if (states.some(({ status }) => status !== 'success')) unfinished += 1
    assert.equal(await server.end('SIGKILL'), 'SIGKILL')
    count.isOver = true
    await burst
    messages += count.accepted
    server = await start()
  }
  const history = await waitFor(
    'the history to be complete',
    async () => {
      const states = await readHistory()
      return states.length > 0 && states.every(({ status }) => status === 'success') && states
    },
    patienceSeconds,
  )
  const [{ range_start: rangeStart } = { range_start: '' }] = history
  const from = Date.parse(rangeStart)
  const linking: Asked = { call, emulator: emulatorAt(Date.now), now: Date.now }
  assert.ok(linking.now() - from >= DAYS * DAY_MS)
  const expected = expectedRecords(linking, account, from)
  assertSameRecords(await readRecords(linking, userId, from), expected)
  await waitFor('accepted messages to be applied', async () => {
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
    return !/^salus_jobs\{[^}]*apply_vendor_message[^}]*\} [1-9]/m.test(metrics)
  })
  const { data } = (await call('GET', `${events}?user_id=${userId}&limit=50`, undefined, manager))
    .body as { data: { event_type: string }[] }
  const sent = data.map(({ event_type: type }) => type).filter((type) => /^historical/.test(type))
  assert.equal(new Set(sent).size, sent.length, 'a history has one event')
  assert.equal(sent.length, history.length)
  assert.equal(await server.end('SIGTERM'), 0)
  return { unfinished, messages, samples: expected.heartrate?.length ?? 0 }
}
