import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { createHarness } from '../test/harness.ts'
import { orderBody, startingLabTests } from '../test/orders/order-bodies.ts'
import { useFixture } from '../test/use-fixture.ts'
import { resealSecrets } from './reseal-secrets.ts'

const former = randomBytes(32)
const harness = useFixture(() => createHarness({ secretKeys: [former] }))

/** Every column of the database that holds something sealed, and how many rows are of a key. */
async function countOfKey(key: Buffer): Promise<number> {
  const { pool } = harness.database
  const columns: [table: string, column: string][] = [
    ['credentials', 'sealed'],
    ['link_sessions', 'sealed'],
    ['bulk_operation_items', 'sealed'],
    ['mobile_signing_keys', 'sealed'],
    ['order_insurance_images', 'sealed'],
    ['webhook_endpoints', 'secret'],
    ['webhook_endpoints', 'headers'],
    ['secret_key_checks', 'sealed'],
    ['audit_log_keys', 'sealed'],
  ]
  let count = 0
  for (const [table, column] of columns) {
    const { rows } = await pool.query(
      `select count(*)::int as n from ${table} where substring(${column} from 1 for 4) = $1`,
      [createSecretBox([key]).keyId],
    )
    count += rows[0].n
  }
  return count
}

test('a new key seals everything anew, and all of it opens with the new key alone', async () => {
  const { call, manage, teamId, secrets, database } = harness
  const userId = await harness.makeUser()
  await manage('POST', '/team_custom_credentials/sandbox/us', {
    ...{ team_id: teamId, provider: 'oura', client_id: 'a', client_secret: 'b' },
  })
  const webhook = `/team/${teamId}/sandbox/webhook`
  const { body: endpoint } = await manage('POST', webhook, { url: 'https://hooks.example.com/x' })
  assert.ok(endpoint.id)
  const { body: link } = await call('POST', '/v2/link/token', { user_id: userId })
  const start = await call('GET', '/v2/link/provider/oauth/oura', undefined, {
    'x-service-link-token': link.link_token,
  })
  assert.equal(start.status, 200, start.text)
  const connection = {
    ...{ user_id: userId, access_token: 'a', refresh_token: 'b', provider_id: 'c' },
    expires_at: 1_800_000_000,
  }
  await call('POST', '/v2/link/bulk_import', { provider: 'oura', connections: [connection] })
  await call('POST', `/v2/user/${userId}/sign_in_token`)
  const { walk_in_test: labTest } = await startingLabTests(harness)
  const front_image = { content: 'AAAA', content_type: 'image/png' }
  const ordered = orderBody(userId, labTest, { health_insurance: { front_image } })
  assert.equal((await call('POST', '/v3/order', ordered)).status, 200)
  // Its first row makes the key of the audit log.
  await harness.dependencies.audit.flush()
  const before = await countOfKey(former)
  assert.ok(before >= 7, `${before}`)
  const next = randomBytes(32)
  assert.ok(secrets.keyId.equals(createSecretBox([former]).keyId))
  const both = createSecretBox([next, former])
  assert.equal(await resealSecrets(database.db, both), before - 1)
  assert.deepEqual([await countOfKey(former), await countOfKey(next)], [0, before])
  assert.equal(await resealSecrets(database.db, both), 0)
  const { rows } = await database.pool.query(
    "select sealed, environment_id, name from credentials where name = 'app:oura'",
  )
  const [{ sealed, environment_id, name }] = rows
  const text = createSecretBox([next]).open(sealed, `credentials ${environment_id}  ${name}`)
  assert.deepEqual(JSON.parse(text), { clientId: 'a', clientSecret: 'b' })
})
