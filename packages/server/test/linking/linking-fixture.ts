import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { Puller } from '@salus/health/pulling'
import type { Logger } from '@salus/kernel/log'
import type { ProviderEmulator } from '@salus/sandbox/providers'
import type { Config } from '../../src/config.ts'
import { createHarness, type Harness } from '../harness.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import { open, signInAtVendor, type Visit } from './browser.ts'

export interface HttpAnswer {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  headers: Headers
}

/** The whole application, listening, with the vendors of its sandbox; asked by HTTP alone. */
export interface Linking {
  harness: Harness
  emulator: ProviderEmulator
  puller: Puller
  baseUrl: string
  /** All that was answered so far. */
  answers: string[]
  /** As the first team, unless other headers are given. */
  call(method: string, path: string, body?: unknown, headers?: object): Promise<HttpAnswer>
  /** With a link token alone. */
  link(method: string, path: string, token: string, body?: unknown): Promise<HttpAnswer>
  makeUser(): Promise<string>
  /** A link token of a new person, or of the one that is named. */
  issue(body?: Record<string, unknown>): Promise<{ token: string; userId: string }>
  /** Where the browser is sent to, to sign in. */
  startOAuth(token: string): Promise<string>
  /** Signs a user in at the emulated Oura; returns the last address of the browser. */
  connect(
    visit: Visit,
    body?: Record<string, unknown>,
  ): Promise<{ userId: string; token: string; end: URL }>
  /** How the history of a person's resources is going, by resource. */
  historyOf(userId: string, provider?: string): Promise<Record<string, History>>
  connectionOf(userId: string, provider?: string): Promise<Record<string, unknown> | undefined>
  /** Waits until every resource's history has come to its end; until then seconds go by. */
  waitForHistory(userId: string, provider?: string): Promise<Record<string, History>>
  /** Waits for background work, and until nothing is due at this time. */
  settle(): Promise<void>
  /** Has the newest data of a person asked for, and waits for them. */
  wantNews(userId: string): Promise<void>
  /** Time goes on, and what is due then is done. */
  advance(minutes: number): Promise<void>
  /** Ends a connection, so that later polls of other tests do not pull it too. */
  disconnect(userId: string, provider: string): Promise<void>
  /** Ends the pulls of all users connected so far. */
  pauseAll(): Promise<void>
  /** Team's wish for the days of history of a provider's connections. */
  wantDays(days: number, provider?: string): Promise<void>
  now(): number
  close(): Promise<void>
}

export interface History {
  status: string
  days_with_data: number
  error_details: string | null
  range_start: string
  range_end: string
}

/** A free port that no other process takes until it is released. */
async function reservePort(): Promise<{ port: number; release: () => Promise<unknown> }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { port, release: () => new Promise((resolve) => server.close(resolve)) }
}

let nextUser = 0

export async function createLinking(
  settings: Partial<Config> = {},
  { log }: { log?: Logger } = {},
): Promise<Linking> {
  const { port, release } = await reservePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const harness = await createHarness(
    { host: '127.0.0.1', port, baseUrl, ...settings },
    log === undefined ? {} : { log },
  )
  await release()
  await harness.app.listen({ host: '127.0.0.1', port })
  await harness.startJobs()
  // Pulls on request, so nothing is late or early by chance.
  const puller = harness.startPuller({ pollMs: 3_600_000, random: () => 0.5 })
  const emulator = harness.dependencies.emulator as ProviderEmulator
  const answers: string[] = []

  const call: Linking['call'] = async (method, path, body, headers) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers ?? { 'x-service-api-key': harness.apiKey }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    answers.push(text, answer.headers.get('location') ?? '')
    const isJson = answer.headers.get('content-type')?.includes('json') && text !== ''
    return {
      status: answer.status,
      text,
      body: isJson && JSON.parse(text),
      headers: answer.headers,
    }
  }
  const countJobs = async (): Promise<number> => {
    const { rows } = await harness.database.pool.query(
      `select count(*)::int as count from graphile_worker._private_jobs
        where run_at <= now() or locked_at is not null`,
    )
    return rows[0].count
  }

  const people: string[] = []
  const linking: Linking = {
    harness,
    emulator,
    puller,
    baseUrl,
    answers,
    call,
    link: (method, path, token, body) =>
      call(method, path, body, { 'x-service-link-token': token }),
    async makeUser() {
      nextUser += 1
      const made = await call('POST', '/v2/user', { client_user_id: `linked-${nextUser}` })
      assert.equal(made.status, 200, made.text)
      people.push(made.body.user_id)
      return made.body.user_id
    },
    async issue(body = {}) {
      const userId = String(body.user_id ?? (await linking.makeUser()))
      const answer = await call('POST', '/v2/link/token', { ...body, user_id: userId })
      assert.equal(answer.status, 200, answer.text)
      return { token: answer.body.link_token, userId }
    },
    async startOAuth(token) {
      const started = await linking.link('GET', '/v2/link/provider/oauth/oura', token)
      assert.equal(started.status, 200, started.text)
      return started.body.oauth_url
    },
    async connect(visit, body) {
      const { token, userId } = await linking.issue(body)
      const back = await signInAtVendor(await linking.startOAuth(token), visit)
      const { status, location = '', html } = await open(back)
      assert.equal(status, 307, html)
      answers.push(html, location)
      return { userId, token, end: new URL(location) }
    },
    async historyOf(userId, provider = 'oura') {
      const url = `/v2/introspect/historical_pull?user_id=${userId}`
      const { body } = await call('GET', url)
      return body.data[0]?.provider[provider]?.pulled ?? {}
    },
    async connectionOf(userId, provider = 'oura') {
      const { body } = await call('GET', `/v2/user/providers/${userId}`)
      return body.providers.find(({ slug }: { slug: string }) => slug === provider)
    },
    async waitForHistory(userId, provider) {
      let rounds = 0
      return waitFor(
        'the history to come to its end',
        async () => {
          await linking.settle()
          const history = await linking.historyOf(userId, provider)
          const states = Object.values(history).map(({ status }) => status)
          const isOver = states.every((status) => status === 'success' || status === 'failure')
          // Budgets of vendors fill with time, some within hours.
          rounds += 1
          if (!isOver) harness.clock.advance(rounds < 10 ? 10 : 300)
          return states.length > 0 && isOver && history
        },
        20,
      )
    },
    async settle() {
      do {
        // A busy machine takes long for the many requests of some vendors.
        await waitFor('jobs', async () => (await countJobs()) === 0, 120)
        await puller.poll()
      } while ((await countJobs()) > 0)
      await harness.dependencies.idle()
    },
    async wantNews(userId) {
      const refresh = call('POST', `/v2/user/refresh/${userId}?timeout=10`)
      await puller.poll()
      const { status, text } = await refresh
      assert.equal(status, 200, text)
      await linking.settle()
    },
    async advance(minutes) {
      harness.clock.advance(minutes * 60)
      await linking.settle()
    },
    async disconnect(userId, provider) {
      const { status, text } = await call('DELETE', `/v2/user/${userId}/${provider}`)
      assert.equal(status, 200, text)
    },
    async pauseAll() {
      const user_ids = people.splice(0)
      if (user_ids.length === 0) return
      await call('POST', '/v2/link/bulk_pause', { user_ids, provider: 'oura' })
    },
    async wantDays(days, provider = 'oura') {
      const path = '/team_data_pull_preferences/sandbox/us'
      const wanted = { default: { historical_days_to_pull: days } }
      const body = { team_ids: [harness.teamId], providers: { [provider]: wanted } }
      const answer = await harness.manage('POST', path, body)
      assert.ok(answer.status < 300, answer.text)
    },
    now: () => harness.clock.now().getTime(),
    close: () => harness.close(),
  }
  return linking
}
