import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { inspect } from 'node:util'
import { createTestDatabase } from '../../../server/test/database.ts'
import { TestClock } from '../../../server/test/teams-app.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import {
  type CredentialKey,
  type CredentialStore,
  createCredentialStore,
  SEALED_CREDENTIALS,
  Secret,
} from './credential-store.ts'
import { resealColumn } from './reseal.ts'
import { createSecretBox } from './secret-box.ts'

const database = useFixture(createTestDatabase)
let store: CredentialStore
const clock = new TestClock()
const key = randomBytes(32)
const secrets = createSecretBox([key])
const environments: string[] = []

before(async () => {
  store = createCredentialStore(database.db, { secrets, clock })
  const [organization, team] = [randomUUID(), randomUUID()]
  const { pool } = database
  await pool.query(`insert into organizations values ($1, 'One', now())`, [organization])
  await pool.query(
    `insert into teams (id, organization_id, name, region, created_at) values ($1, $2, 'One', 'us', now())`,
    [team, organization],
  )
  for (const environment of ['sandbox', 'production']) {
    const id = randomUUID()
    environments.push(id)
    await pool.query(`insert into team_environments values ($1, $2, $3, '{}')`, [
      id,
      team,
      environment,
    ])
  }
})

async function makeOwner(name = 'oura'): Promise<CredentialKey> {
  const [environmentId = ''] = environments
  const userId = randomUUID()
  await database.pool.query(
    'insert into users (environment_id, id, client_user_id, created_at) values ($1, $2::uuid, $2::text, now())',
    [environmentId, userId],
  )
  return { environmentId, userId, name }
}

const reveal = async (owner: CredentialKey) => (await store.find(owner))?.secret.reveal()

test('a credential comes back as it was put, and shows itself only when asked to', async () => {
  const owner = await makeOwner()
  const expiresAt = new Date('2026-04-01T00:00:00Z')
  await store.put(owner, new Secret('first-ä'), null)
  await store.put(owner, new Secret('second-ä'), expiresAt)
  const found = await store.find(owner)
  assert.ok(found)
  assert.deepEqual([found.secret.reveal(), found.expiresAt], ['second-ä', expiresAt])
  const shown = [
    inspect(found, { depth: 9, showHidden: true }),
    JSON.stringify(found),
    `${found.secret}`,
  ]
  assert.ok(
    shown.every((text) => !text.includes('second')),
    shown.join(),
  )
  const { rows } = await database.pool.query('select sealed from credentials')
  assert.ok(rows.every(({ sealed }) => !sealed.includes(Buffer.from('second'))))
})

test('credentials of another name, person or environment are others', async () => {
  const owner = await makeOwner()
  const [, production = ''] = environments
  const ofEnvironment = { ...owner, userId: null }
  const others = [
    { ...owner, name: 'strava' },
    ofEnvironment,
    { ...ofEnvironment, environmentId: production },
  ]
  await store.put(owner, new Secret('mine'), null)
  for (const other of others) assert.equal(await store.find(other), undefined)
  for (const [index, other] of others.entries())
    await store.put(other, new Secret(`${index}`), null)
  assert.deepEqual(await Promise.all(others.map(reveal)), ['0', '1', '2'])
  await store.remove(ofEnvironment)
  assert.deepEqual(await Promise.all(others.map(reveal)), ['0', undefined, '2'])
  assert.equal(await reveal(owner), 'mine')
})

test('of refreshes at once one is kept, and none brings a removed credential back', async () => {
  const owner = await makeOwner()
  await store.put(owner, new Secret('old'), null)
  const found = await store.find(owner)
  assert.ok(found)
  const attempts = Array.from({ length: 8 }, (_, index) =>
    store.refresh(owner, found, new Secret(`new ${index}`), null),
  )
  const kept = (await Promise.all(attempts)).flatMap((isKept, index) => (isKept ? [index] : []))
  assert.equal(kept.length, 1)
  assert.equal(await reveal(owner), `new ${kept[0]}`)
  const again = await store.find(owner)
  assert.ok(again)
  await store.remove(owner)
  assert.equal(await store.refresh(owner, again, new Secret('late'), null), false)
  assert.equal(await store.find(owner), undefined)
})

test('a sealed credential put into the row of another person does not open', async () => {
  const [one, other] = [await makeOwner(), await makeOwner()]
  await store.put(one, new Secret('one'), null)
  await store.put(other, new Secret('other'), null)
  await database.pool.query(
    `update credentials set sealed = (select sealed from credentials where user_id = $1)
      where user_id = $2`,
    [one.userId, other.userId],
  )
  await assert.rejects(store.find(other))
  await store.remove(other)
})

test('they go with the person they belong to', async () => {
  const owner = await makeOwner()
  await store.put(owner, new Secret('mine'), null)
  await database.pool.query('delete from users where id = $1', [owner.userId])
  assert.equal(await store.find(owner), undefined)
})

test('a new key seals them anew, so that the former one can be given up', async () => {
  const owners = [await makeOwner(), await makeOwner('strava')]
  for (const owner of owners) await store.put(owner, new Secret(owner.name), null)
  const next = randomBytes(32)
  assert.ok(
    (await resealColumn(database.db, createSecretBox([next, key]), SEALED_CREDENTIALS)) >= 2,
  )
  assert.equal(await resealColumn(database.db, createSecretBox([next, key]), SEALED_CREDENTIALS), 0)
  const later = createCredentialStore(database.db, { secrets: createSecretBox([next]), clock })
  for (const owner of owners) {
    assert.equal((await later.find(owner))?.secret.reveal(), owner.name)
    await assert.rejects(store.find(owner))
  }
})

test('several credentials are found by one statement, each opened by itself', async () => {
  const [first, second, missing] = [await makeOwner(), await makeOwner(), await makeOwner()]
  await store.put(first, new Secret('one'), null)
  await store.put(second, new Secret('two'), null)
  const opened = await store.findAll([second, missing, first])
  assert.deepEqual(
    opened.map((open) => open()?.secret.reveal()),
    ['two', undefined, 'one'],
  )
  const others = { secrets: createSecretBox([randomBytes(32)]), clock }
  const [sealed] = await createCredentialStore(database.db, others).findAll([first])
  assert.throws(() => sealed?.(), /a key that is not given/)
})
