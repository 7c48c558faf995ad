import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { hashKey } from '@salus/kernel/crypto/keys'
import { StartupError } from '@salus/kernel/errors'
import { createLogger } from '@salus/kernel/log'
import { openDatabase } from '@salus/kernel/postgres/database'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { buildTeamsApp, send, TestClock } from '../../../server/test/teams-app.ts'
import { bootstrap, waitForFirstTeam } from './bootstrap.ts'

let database: TestDatabase
const clock = new TestClock()

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const GIVEN_API_KEY = 'pk_us_given0123456789abcdef'
const GIVEN_MANAGEMENT_KEY = 'mg_given0123456789abcdef'

function start(given: { apiKey?: string; managementKey?: string } = {}, db = database.db) {
  const { apiKey, managementKey } = given
  return bootstrap({ db, config: { apiKey, managementKey, region: 'eu' }, clock })
}

async function whoami(apiKey: string | undefined) {
  const app = buildTeamsApp(database.db, clock)
  const headers = { 'x-service-api-key': apiKey }
  const answer = await send(app, { url: '/whoami', headers })
  await app.close()
  return answer
}

async function manage(key: string | undefined, method: 'GET' | 'DELETE', path: string) {
  const app = buildTeamsApp(database.db, clock)
  const headers = { 'x-management-key': key }
  const answer = await send(app, { method, url: `/v1/org/${path}`, headers })
  await app.close()
  return answer
}

async function countOf(table: string): Promise<number> {
  const { rows } = await database.pool.query(`select count(*) from ${table}`)
  return rows[0].count
}

test('the first start makes an organization, a team and two keys that work', async () => {
  const { firstKeys, unusedKeys } = await start()
  assert.match(firstKeys?.apiKey ?? '', /^sk_eu_/)
  const environment = (await whoami(firstKeys?.apiKey)).body
  assert.equal(environment.kind, 'sandbox')
  assert.equal(environment.region, 'eu')
  assert.equal(environment.teamId, firstKeys?.teamId)
  const id = firstKeys?.organizationId ?? ''
  const organization = await manage(firstKeys?.managementKey, 'GET', id)
  assert.equal(organization.body.name, 'My organization')
  const keys = await manage(firstKeys?.managementKey, 'GET', `${id}/management_key`)
  assert.equal(keys.body.data[0].role, 'org_admin')
  assert.deepEqual(keys.body.data[0].creator, { type: 'bootstrap' })
  assert.deepEqual(unusedKeys, [])
})

test('later starts make nothing', async () => {
  await start()
  assert.deepEqual(await start(), { firstKeys: undefined, unusedKeys: [] })
  assert.equal(await countOf('team_api_keys'), 1)
  assert.equal(await countOf('management_keys'), 1)
})

test('given keys are used instead of generated ones and are not repeated', async () => {
  const given = { apiKey: GIVEN_API_KEY, managementKey: GIVEN_MANAGEMENT_KEY }
  const { firstKeys } = await start(given)
  assert.equal(firstKeys?.apiKey, undefined)
  assert.equal(firstKeys?.managementKey, undefined)
  assert.equal((await whoami(GIVEN_API_KEY)).body.kind, 'production')
  const id = firstKeys?.organizationId ?? ''
  assert.equal((await manage(GIVEN_MANAGEMENT_KEY, 'GET', id)).status, 200)
  await start(given)
  assert.equal(await countOf('team_api_keys'), 1)
  assert.equal(await countOf('management_keys'), 1)
})

test('keys given later are added to the first team and organization', async () => {
  const { firstKeys } = await start()
  await start({ apiKey: GIVEN_API_KEY, managementKey: GIVEN_MANAGEMENT_KEY })
  assert.equal((await whoami(GIVEN_API_KEY)).body.teamId, firstKeys?.teamId)
  const id = firstKeys?.organizationId ?? ''
  assert.equal((await manage(GIVEN_MANAGEMENT_KEY, 'GET', id)).status, 200)
  assert.equal((await whoami(firstKeys?.apiKey)).status, 200)
})

test('a deleted key that is given again is not revived but reported', async () => {
  const given = { apiKey: GIVEN_API_KEY, managementKey: GIVEN_MANAGEMENT_KEY }
  const { firstKeys } = await start()
  await start(given)
  const id = firstKeys?.organizationId ?? ''
  const key = firstKeys?.managementKey
  const list = await manage(key, 'GET', `${id}/team_api_keys/production/eu`)
  const keyId = list.body.api_keys[0].id
  await manage(key, 'DELETE', `${id}/team_api_keys/production/eu?api_key_id=${keyId}`)
  await database.pool.query('update management_keys set deleted_at = now() where key_hash = $1', [
    hashKey(GIVEN_MANAGEMENT_KEY),
  ])
  const again = await start(given)
  assert.deepEqual(again.unusedKeys, [
    { setting: 'SALUS_MANAGEMENT_KEY', reason: 'deleted' },
    { setting: 'SALUS_API_KEY', reason: 'deleted' },
  ])
  assert.equal((await whoami(GIVEN_API_KEY)).status, 401)
  assert.equal((await manage(GIVEN_MANAGEMENT_KEY, 'GET', id)).status, 401)
})

test('a key given after the last team was deleted is reported', async () => {
  const { firstKeys } = await start()
  const path = `${firstKeys?.organizationId}/team/${firstKeys?.teamId}`
  await manage(firstKeys?.managementKey, 'DELETE', path)
  const { unusedKeys } = await start({ apiKey: GIVEN_API_KEY })
  assert.deepEqual(unusedKeys, [{ setting: 'SALUS_API_KEY', reason: 'no_team' }])
})

test('processes that start together make one organization', async () => {
  const pools = Array.from({ length: 4 }, () => openDatabase({ url: database.url, poolSize: 2 }))
  const results = await Promise.all(pools.map(({ db }) => start({}, db)))
  await Promise.all(pools.map((pool) => pool.close()))
  assert.equal(results.filter(({ firstKeys }) => firstKeys !== undefined).length, 1)
  for (const table of ['organizations', 'teams', 'team_api_keys', 'management_keys']) {
    assert.equal(await countOf(table), 1, table)
  }
  assert.equal(await countOf('team_environments'), 2)
})

test('a process that leaves the first team to another waits until it is there, and not for ever', async () => {
  const log = createLogger('silent')
  const wait = (limitSeconds: number) =>
    waitForFirstTeam({ db: database.db, log, checkpoint: () => {}, limitSeconds })
  await assert.rejects(wait(0.1), (error) => error instanceof StartupError)
  assert.equal(await countOf('organizations'), 0)
  const waiting = wait(60)
  await start()
  await waiting
  await wait(0)
})
