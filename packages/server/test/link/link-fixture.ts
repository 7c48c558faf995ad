import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { type Answer, createHarness, type Harness } from '../harness.ts'
import { type FakeVendor, startFakeVendor } from './fake-vendor.ts'

/** The application, with a vendor that people can sign in to. */
export interface LinkFixture {
  harness: Harness
  vendor: FakeVendor
  /** How many jobs are to plan pulls of a person. */
  countPlans(userId: string): Promise<number>
  /** A link token of a new user, or of the one that the body names. */
  issue(body?: Record<string, unknown>): Promise<{ token: string; userId: string }>
  /** Calls with a link token alone. */
  link(method: string, url: string, token: string | undefined, body?: unknown): Promise<Answer>
  /** Comes back from the vendor, as a browser does; brings where it is sent on to. */
  comeBack(token: string, query?: Record<string, string>, provider?: string): Promise<URL>
  /** Signs in by OAuth with a good code. */
  connect(account: string, token: string, scope?: string): Promise<URL>
  /** Connections of a user, by the API. */
  connectionsOf(userId: string): Promise<Record<string, unknown>[]>
  /** What is sealed of a person's sign-in. */
  credentialOf(userId: string, provider: string): Promise<Record<string, unknown> | undefined>
  close(): Promise<void>
}

let nextCode = 0

export async function createLinkFixture(
  settings: Parameters<typeof createHarness>[0] = {},
): Promise<LinkFixture> {
  const vendor = await startFakeVendor()
  const harness = await createHarness(settings, { connectors: vendor.connectors })
  const none = { 'x-service-api-key': '' }
  const fixture: LinkFixture = {
    harness,
    vendor,
    async countPlans(userId) {
      const { rows } = await harness.database.pool.query(
        `select count(*)::int as count from graphile_worker._private_jobs as job
          join graphile_worker._private_tasks as task on task.id = job.task_id
          where task.identifier = 'plan_pulls' and payload->>'userId' = $1`,
        [userId],
      )
      return rows[0].count
    },
    async issue(body = {}) {
      const userId = String(body.user_id ?? (await harness.makeUser()))
      const answer = await harness.call('POST', '/v2/link/token', { ...body, user_id: userId })
      if (answer.status !== 200) throw new Error(answer.text)
      return { token: answer.body.link_token, userId }
    },
    link: (method, url, token, body) =>
      harness.call(method, url, body, {
        ...none,
        ...(token !== undefined && { 'x-service-link-token': token }),
      }),
    async comeBack(token, query = {}, provider = 'oura') {
      const search = new URLSearchParams({ state: token, ...query })
      const url = `/v2/link/connect/${provider}?${search}`
      const { status, headers, text } = await harness.call('GET', url, undefined, none)
      if (status !== 307) throw new Error(`${status} ${text}`)
      return new URL(String(headers.location))
    },
    async connect(account, token, scope) {
      const code = `code-${nextCode++}`
      vendor.codes.set(code, { account, ...(scope !== undefined && { scope }) })
      await fixture.link('GET', '/v2/link/provider/oauth/oura', token)
      return fixture.comeBack(token, { code })
    },
    async connectionsOf(userId) {
      return (await harness.call('GET', `/v2/user/providers/${userId}`)).body.providers
    },
    async credentialOf(userId, name) {
      const { db, secrets, clock } = harness.dependencies
      const { environment_id: environmentId } = await db
        .selectFrom('users')
        .select('environment_id')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      const found = await createCredentialStore(db, { secrets, clock }).find({
        environmentId,
        userId,
        name,
      })
      return found && JSON.parse(found.secret.reveal())
    },
    async close() {
      await harness.close()
      await vendor.close()
    },
  }
  return fixture
}
