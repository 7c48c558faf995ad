import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ChainCheck } from '@salus/kernel/audit/audit-chain'
import { listChains } from '@salus/kernel/audit/audit-chains.global.repository'
import { readAuditHeads } from '@salus/kernel/audit/audit-heads'
import { listAuditKeys } from '@salus/kernel/audit/audit-keys.global.repository'
import { appendEntries } from '@salus/kernel/audit/audit-log.global.repository'
import { readAuditLog } from '@salus/kernel/audit/read-audit-log'
import { auditEntry, EMPTY_AUDIT_LOG, overrideTriggers } from './audit-fixture.ts'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

const salus = useFixture(createHarness)
let environmentId: string
let apiKeyId: string
let managementKeyId: string
before(async () => {
  const { rows } = await salus.database.pool.query(
    `select key.id, key.environment_id, (select id from management_keys) as management_key_id
      from team_api_keys key`,
  )
  environmentId = rows[0].environment_id
  apiKeyId = rows[0].id
  managementKeyId = rows[0].management_key_id
})

/** What the log says of the calls, in the words of the table, without its time and place. */
async function entriesOf(work: () => Promise<unknown>) {
  const { audit } = salus.dependencies
  await audit.flush()
  const { rows: before } = await salus.database.pool.query(
    "select coalesce(array_agg(hash), '{}') as last from audit_rows",
  )
  await work()
  await audit.flush()
  const { rows } = await salus.database.pool.query(
    `select environment_id, actor_kind, actor_id, method, route, status, user_id, object_id
      from audit_rows where hash <> all($1) order by ctid`,
    [before[0].last],
  )
  return rows
}

const manage = (method: string, path: string, body?: object) =>
  salus.call(method, `/v1/org/${salus.organizationId}${path}`, body, {
    'x-management-key': salus.managementKey,
    'x-service-api-key': '',
  })

const byKey = () => ({ environment_id: environmentId, actor_kind: 'api_key', actor_id: apiKeyId })

test('a change and a read of a person are logged with route, key and person', async () => {
  let userId = ''
  const entries = await entriesOf(async () => {
    const created = await salus.call('POST', '/v2/user', { client_user_id: 'Ada Lovelace' })
    userId = created.body.user_id
    await salus.call('GET', `/v2/user/${userId.toUpperCase()}`)
    await salus.call('GET', '/v2/user/resolve/Ada%20Lovelace')
    await salus.call('POST', '/v2/link/provider/manual/manual', { user_id: userId })
    await salus.call('DELETE', `/v2/user/${userId}`)
  })
  const about = { ...byKey(), status: 200, user_id: userId, object_id: null }
  assert.deepEqual(entries, [
    { ...about, method: 'POST', route: '/v2/user' },
    ...['/v2/user/:user_id', '/v2/user/resolve/:client_user_id'].map((route) => ({
      ...about,
      method: 'GET',
      route,
    })),
    { ...about, method: 'POST', route: '/v2/link/provider/manual/:provider' },
    { ...about, method: 'DELETE', route: '/v2/user/:user_id' },
  ])
  assert.doesNotMatch(JSON.stringify(entries), /Ada/)
})

test('refused requests of a known caller are in it, and a wrong key; those of an unknown caller are not', async () => {
  const userId = '01234567-89ab-4def-8123-456789abcdef'
  const entries = await entriesOf(async () => {
    await salus.call('GET', `/v2/user/${userId}`)
    await salus.call('POST', '/v2/user', {})
    await salus.call('GET', `/v2/user/${userId}`, undefined, { 'x-service-api-key': 'sk_us_wrong' })
    await salus.call('GET', '/health/live')
    await salus.call('GET', '/v2/nowhere')
  })
  assert.deepEqual(
    entries.map(({ method, status, user_id }) => [method, status, user_id]),
    [
      ['GET', 404, userId],
      ['POST', 422, null],
      // A wrong key.
      ['GET', 401, null],
    ],
  )
})

test('management actions are logged with the management key, and the environment where they have one', async () => {
  let teamId = ''
  const entries = await entriesOf(async () => {
    teamId = (await manage('POST', '/team', { name: 'Another team', region: 'us' })).body.id
    await manage('GET', `/team/${teamId}`)
    await manage('GET', `/team/${salus.teamId}/sandbox/continuous_query`)
    await manage('DELETE', `/team/${teamId}`)
  })
  const by = { actor_kind: 'management_key', actor_id: managementKeyId, user_id: null }
  const team = '/v1/org/:org_id/team'
  const all = { ...by, status: 200, environment_id: null, object_id: null }
  assert.deepEqual(entries, [
    { ...all, method: 'POST', route: team },
    { ...all, method: 'GET', route: `${team}/:team_id`, object_id: teamId },
    {
      ...all,
      method: 'GET',
      route: `${team}/:team_id/:env/continuous_query`,
      object_id: salus.teamId,
      environment_id: environmentId,
    },
    { ...all, method: 'DELETE', route: `${team}/:team_id`, object_id: teamId },
  ])
})

test('a token is logged under the management key that created it', async () => {
  const path = `/team/${salus.teamId}/create_access_token`
  const token = (await manage('POST', path, { env: 'sandbox' })).body.access_token
  const [entry] = await entriesOf(() =>
    salus.call('GET', '/v2/user', undefined, {
      'x-service-api-key': '',
      authorization: `Bearer ${token}`,
    }),
  )
  assert.deepEqual(
    [entry.actor_kind, entry.actor_id, entry.environment_id],
    ['access_token', managementKeyId, environmentId],
  )
})

test('a change that cannot be written to the log is not answered as done, a read is answered', async () => {
  salus.errors.expect(
    'the audit log cannot be written',
    'a change was not written to the audit log',
  )
  const { pool } = salus.database
  await pool.query('alter table audit_rows rename to audit_rows_away')
  const change = await salus.call('POST', '/v2/user', { client_user_id: 'not logged' })
  const read = await salus.call('GET', '/v2/user')
  await pool.query('alter table audit_rows_away rename to audit_rows')
  assert.deepEqual([change.status, change.body.detail.error_type], [503, 'audit_unavailable'])
  assert.equal(change.headers['retry-after'], '1')
  assert.equal(read.status, 200)
  const [queued] = await entriesOf(() => salus.call('GET', '/v2/user'))
  assert.equal(queued.route, '/v2/user')
  const { rows } = await pool.query(
    "select count(*) as n from audit_rows where route = '/v2/user' and method = 'GET'",
  )
  assert.ok(rows[0].n >= 2, 'the read of meanwhile was kept')
})

/** Does the work while a table of the log is away. */
async function without<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const { pool } = salus.database
  await pool.query(`alter table ${table} rename to ${table}_away`)
  return work().finally(() => pool.query(`alter table ${table}_away rename to ${table}`))
}

test('a change in a transaction is logged in it, and neither exists without the other', async () => {
  salus.errors.expect('a change is rolled back')
  const webhooks = `/team/${salus.teamId}/sandbox/webhook`
  const webhook = await manage('POST', webhooks, { url: 'https://example.com/a', events: [] })
  assert.equal(webhook.status, 200, JSON.stringify(webhook.body))
  const path = `${webhooks}/${webhook.body.id}`
  const remove = () => manage('DELETE', path)
  const refused = await without('pending_audit_rows', remove)
  assert.deepEqual([refused.status, refused.body.detail.error_type], [503, 'audit_unavailable'])
  assert.equal((await manage('GET', path)).status, 200)
  const [reported] = await entriesOf(async () => {
    // Nothing waits for the chain then, and nothing is moved into it.
    const { removed, pending } = await without('audit_rows', async () => ({
      removed: await remove(),
      pending: await salus.database.pool.query(
        "select actor_id, method, object_id from pending_audit_rows where method = 'DELETE'",
      ),
    }))
    assert.ok(removed.status < 300, `${removed.status}`)
    const row = { actor_id: managementKeyId, method: 'DELETE', object_id: webhook.body.id }
    assert.deepEqual(pending.rows, [row])
  })
  assert.deepEqual([reported.method, reported.object_id], ['DELETE', webhook.body.id])
  const { rows } = await salus.database.pool.query(
    "select * from pending_audit_rows where method = 'DELETE'",
  )
  assert.deepEqual(rows, [])
})

test('a search that is sent by POST does not wait', async () => {
  const search = { mode: 'canonical', query: 'glucose' }
  const { status } = await without('audit_rows', () =>
    salus.call('POST', '/v3/compendium/search', search),
  )
  assert.equal(status, 200)
})

test('the log of the whole has a chain for each environment, and each is whole', async () => {
  await salus.dependencies.audit.flush()
  const { check } = await checkLog()
  assert.deepEqual(check.damages, [])
  assert.ok(check.rows > 10)
})

/** As "salus audit verify" does. */
async function checkLog() {
  const { database, clickhouse, secrets, files } = salus
  const keys = await listAuditKeys(database.db, secrets)
  const kept = await readAuditHeads(files, keys)
  const check = new ChainCheck({ kept: kept.heads, keys, chains: await listChains(database.db) })
  for await (const row of readAuditLog({ db: database.db, clickhouse })) check.add(row)
  check.end()
  return { check, heads: kept.heads, changed: kept.changed }
}

test('who owns the database cannot write the log anew, nor take its end off, once its head was kept', async () => {
  const { keep_audit_head: keep } = salus.dependencies.jobs.handlers
  const { pool, db } = salus.database
  await keep?.({}, new AbortController().signal, { isLast: true })
  salus.clock.advance(3600)
  await salus.call('GET', '/v2/user')
  await keep?.({}, new AbortController().signal, { isLast: true })
  const whole = await checkLog()
  assert.deepEqual([whole.check.damages, whole.changed], [[], []])
  const ofChain = (id: number) => whole.heads.filter(({ chainId }) => chainId === id)
  const [own, other] = whole.check.heads.toSorted(
    (a, b) => ofChain(b.chainId).length - ofChain(a.chainId).length,
  )
  if (own === undefined || other === undefined) throw new Error('There are two chains.')
  assert.deepEqual(
    [ofChain(own.chainId).length, ofChain(other.chainId).length],
    [2, 1],
    'that grew',
  )
  const { chainId, sequence } = own
  await overrideTriggers(
    pool,
    `delete from audit_rows where chain_id = ${chainId} and sequence = ${sequence}`,
    `update audit_chains set sequence = sequence - 1, hash = (select hash from audit_rows
      where chain_id = ${chainId} and sequence = ${sequence - 1}) where id = ${chainId}`,
  )
  const { damages } = (await checkLog()).check
  assert.deepEqual(damages, [{ kind: 'missing', chainId, sequence, lastSequence: sequence }])
  // A chain that hangs together, without a key, in place of all that was there.
  await overrideTriggers(pool, ...EMPTY_AUDIT_LOG, 'truncate audit_log_keys')
  const forged = Array.from({ length: sequence }, () => auditEntry({ environmentId }))
  await appendEntries(db, forged, { key: null })
  const { changed } = await checkLog()
  assert.equal(changed.length, 2, 'without their key kept heads cannot be believed')
  const [{ id: forgedId } = { id: 0 }] = (await listChains(db)).slice(-1)
  const kept = whole.heads.map((head) => ({ ...head, chainId: forgedId }))
  const check = new ChainCheck({ kept })
  for await (const row of readAuditLog({ db, clickhouse: salus.clickhouse })) check.add(row)
  assert.ok(check.damages.length > 0)
})
