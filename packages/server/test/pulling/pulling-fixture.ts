import { findEnvironment } from '@salus/accounts/teams'
import { findUser } from '@salus/accounts/users'
import { connectAccount } from '@salus/health/connections'
import type { Connector } from '@salus/health/connectors'
import { writeCredential } from '@salus/health/connectors'
import type { Puller } from '@salus/health/pulling'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { createScope, type Scope } from '@salus/kernel/scope'
import { planConnection } from '../../../health/src/pulling/planning/plan-connection.service.ts'
import {
  keyOf,
  type PullTaskRow,
} from '../../../health/src/pulling/pull-tasks.global.repository.ts'
import type { Config } from '../../src/config.ts'
import { createHarness, type Harness } from '../harness.ts'
import type { SinkOwner } from '../local-sink.ts'
import { type FakeVendor, openFakeVendor } from './fake-vendor.ts'

/** The application with a vendor of its own, and a puller that works on request. */
export interface PullingFixture {
  harness: Harness
  vendor: FakeVendor
  scope: Scope
  puller: Puller
  /** A new person who is connected to the vendor, with tokens that are taken for a day. */
  connect(options?: ConnectOptions): Promise<string>
  /** Connects a person, anew. */
  connectUser(userId: string, options?: ConnectOptions): Promise<void>
  plan(userId: string, isTriggered?: boolean): Promise<void>
  tasksOf(userId: string): Promise<Record<string, PullTaskRow>>
  /** Samples of a series: how many, and at how many instants. */
  countSamples(userId: string, series: string): Promise<{ rows: number; instants: number }>
  // biome-ignore lint/suspicious/noExplicitAny: as the API answers it
  historyOf(userId: string): Promise<any>
  close(): Promise<void>
}

export interface ConnectOptions {
  accountId?: string
  scopes?: string[]
  expiresInSeconds?: number
  isPlanned?: boolean
}

export const PROVIDER = 'oura'
let nextAccount = 0

export async function createPullingFixture(
  settings: Partial<Config> = {},
  change: Partial<Connector> = {},
): Promise<PullingFixture> {
  const ends: (() => Promise<void>)[] = []
  const owner: SinkOwner = { after: (end) => void ends.push(end) }
  const vendor = await openFakeVendor(owner, change)
  const harness = await createHarness(settings, { connectors: vendor.connectors })
  const { rows } = await harness.database.pool.query(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [harness.teamId],
  )
  const environment = await findEnvironment(harness.database.db, rows[0].id)
  if (environment === undefined) throw new Error('The first team has no sandbox.')
  const scope = createScope(harness.dependencies, environment)
  // Jitter in the middle, so that tests know when something is due.
  const puller = harness.startPuller({ pollMs: 3_600_000, random: () => 0.5 })

  const connectUser = async (
    userId: string,
    {
      accountId,
      scopes = ['heart', 'body'],
      expiresInSeconds = 86_400,
      isPlanned = true,
    }: ConnectOptions = {},
  ) => {
    const user = await findUser(scope, userId)
    if (user === undefined) throw new Error('no user')
    await scope.transaction(async (tx) => {
      const known = { provider: PROVIDER, grantedScopes: scopes, region: null }
      const account = { ...known, accountId: accountId ?? `account-${userId}` }
      await connectAccount(tx, user, account, { baseUrl: '', scopes: vendor.connector.scopes })
      const store = createCredentialStore(tx.db, harness.dependencies)
      const expiresAt = harness.clock.now().getTime() + expiresInSeconds * 1000
      const tokens = { ...vendor.issue(), expiresAt }
      const key = { environmentId: environment.id, userId, name: PROVIDER }
      await writeCredential(store, key, { tokens })
    })
    if (isPlanned) await plan(userId)
  }
  const plan = async (userId: string, isTriggered = false) => {
    const environmentId = environment.id
    const job = { environmentId, userId, provider: PROVIDER, isTriggered }
    await planConnection(scope, vendor.connectors, job)
  }
  return {
    harness,
    vendor,
    scope,
    puller,
    connectUser,
    plan,
    async connect(options = {}) {
      const userId = await harness.makeUser()
      nextAccount += 1
      await connectUser(userId, { accountId: `account-${nextAccount}`, ...options })
      return userId
    },
    async tasksOf(userId) {
      const rows = await harness.database.db
        .selectFrom('pull_tasks')
        .selectAll()
        .where('user_id', '=', userId)
        .execute()
      return Object.fromEntries(rows.map((row) => [keyOf(row).split(' ')[3], row]))
    },
    async countSamples(userId, series) {
      const [row] = await harness.clickhouse.queryRows<{ rows: number; instants: number }>(
        `select count() as rows, uniqExact(started_at) as instants from samples
        where user_id = {userId:UUID} and series = {series:String}`,
        { userId, series },
      )
      return { rows: Number(row?.rows), instants: Number(row?.instants) }
    },
    async historyOf(userId) {
      const url = `/v2/introspect/historical_pull?user_id=${userId}`
      const { body } = await harness.call('GET', url)
      return body.data[0]?.provider[PROVIDER]
    },
    async close() {
      await harness.close()
      for (const end of ends) await end()
    },
  }
}
