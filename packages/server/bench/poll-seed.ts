import { DAY_SECONDS } from '@salus/contracts/time-units'
import { writeCredential } from '@salus/health/connectors'
import { createCredentialStore, Secret } from '@salus/kernel/crypto/credential-store'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Db } from '@salus/kernel/postgres/database'
import type pg from 'pg'
import { OURA } from '../../health/src/connectors/oura/oura.connector.ts'
import type { VendorProcess } from './vendor-process.ts'

/** Where connections are put: their rows, as if they had been linked long ago. */
export interface SeedStores {
  db: Db
  pool: pg.Pool
  secrets: SecretBox
}

const clock = { now: () => new Date() }

const TEAMS = `
  with made as (
    insert into teams (id, organization_id, name, region, created_at)
    select gen_random_uuid(), organizations.id, 'Bench ' || number, 'us', now()
    from generate_series(1, $1::int) as number, (select id from organizations limit 1) as organizations
    returning id
  )
  insert into team_environments (id, team_id, environment, settings)
  select gen_random_uuid(), id, 'sandbox', '{}' from made returning id`

const PEOPLE = `
  with given as (
    select environment_id, gen_random_uuid() as user_id, account_id, account
    from unnest($1::uuid[], $2::text[], $3::text[]) as given (environment_id, account_id, account)
  ), people as (
    insert into users (environment_id, id, client_user_id, created_at)
    select environment_id, user_id, account, now() from given
  ), made as (
    insert into connections (environment_id, user_id, provider, id, status, external_user_id,
      granted_scopes, created_at, updated_at)
    select environment_id, user_id, 'oura', gen_random_uuid(), 'connected', account_id, $4::jsonb,
      now(), now()
    from given
  ), tasks as (
    insert into pull_tasks (environment_id, user_id, provider, collection, account_id, coverage,
      polls_from, planned_at, kind, poll_at, failures)
    select environment_id, user_id, 'oura', collection, account_id, $5::jsonb,
      now() - interval '90 days', now() - interval '90 days', 'poll', now(), 0
    from given, unnest($6::text[]) as collection
  )
  select environment_id, user_id, account from given`

/**
 * Makes connections to Oura whose history is held, of `apps` teams with an app of their own each:
 * the vendor lets an app ask so much, and no more than some 1,500 connections fit into that. None
 * of their tasks is due.
 */
export async function seedConnections(
  { db, pool, secrets }: SeedStores,
  vendors: VendorProcess,
  { connections, apps }: { connections: number; apps: number },
): Promise<void> {
  const { rows: environments } = await pool.query<{ id: string }>(TEAMS, [apps])
  const store = createCredentialStore(db, { secrets, clock })
  const people = Array.from({ length: connections }, (_, index) => ({
    account: `person-${index}`,
    clientId: `bench-${index % apps}`,
    environmentId: environments[index % apps]?.id ?? '',
  }))
  for (const [index, { id: environmentId }] of environments.entries()) {
    const app = JSON.stringify({ clientId: `bench-${index}`, clientSecret: 'bench' })
    await store.put({ environmentId, userId: null, name: 'app:oura' }, new Secret(app), null)
  }
  const scopes = OURA.auth.kind === 'oauth' ? OURA.auth.scopes : []
  const grants = await vendors.grant(people, scopes)
  const held = { from: Date.now() - 90 * DAY_SECONDS * 1000, to: Date.now(), state: 'held' }
  const { rows } = await pool.query<{ environment_id: string; user_id: string; account: string }>(
    PEOPLE,
    [
      people.map(({ environmentId }) => environmentId),
      grants.map(({ accountId }) => accountId),
      people.map(({ account }) => account),
      JSON.stringify(scopes),
      JSON.stringify([held]),
      OURA.collections.map(({ name }) => name),
    ],
  )
  const tokensOf = new Map(people.map(({ account }, index) => [account, grants[index]]))
  const write = async (): Promise<void> => {
    for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
      const given = tokensOf.get(row.account)
      if (given === undefined) throw new Error('no user granted this')
      const tokens = {
        accessToken: given.access_token,
        refreshToken: given.refresh_token,
        expiresAt: Date.now() + DAY_SECONDS * 1000,
      }
      const key = { environmentId: row.environment_id, userId: row.user_id, name: 'oura' }
      await writeCredential(store, key, { tokens })
    }
  }
  await Promise.all(Array.from({ length: 8 }, write))
  await pool.query('vacuum (analyze) pull_tasks, connections, credentials, users')
}
