import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/**
 * What limits a credential reaches on every route is in test/every-route; here is how one is made
 * and ends.
 */

const harness = useFixture(createHarness)

const keys = () => `/team_api_keys/sandbox/us`
const makeKey = (limits: object) =>
  harness.manage('POST', keys(), { label: 'Assistant', team_id: harness.teamId, ...limits })
const mint = (limits: object, env = 'sandbox') =>
  harness.manage('POST', `/team/${harness.teamId}/create_api_access_token`, { env, ...limits })
const reachOf = async (headers: object) =>
  harness.call('GET', '/v2/access', undefined, { 'x-service-api-key': '', ...headers })

test('a key shows its limits when it is created and listed; one without limits shows none', async () => {
  const userId = await harness.makeUser()
  const limited = await makeKey({ user_id: userId.toUpperCase(), access: 'read' })
  assert.deepEqual([limited.body.user_id, limited.body.access], [userId, 'read'])
  const whole = await makeKey({})
  assert.deepEqual([whole.body.user_id, whole.body.access], [null, 'write'])
  const listed = (await harness.manage('GET', keys())).body.api_keys
  const found = listed.find(({ id }: { id: string }) => id === limited.body.id)
  assert.deepEqual([found.user_id, found.access], [userId, 'read'])
})

test('a key that writes for one user does so, for no other', async () => {
  const userId = await harness.makeUser()
  const other = await harness.makeUser()
  const headers = { 'x-service-api-key': (await makeKey({ user_id: userId })).body.value }
  const change = (id: string) =>
    harness.call('PATCH', `/v2/user/${id}`, { fallback_time_zone: 'Europe/Vienna' }, headers)
  assert.equal((await change(userId)).status, 204)
  assert.equal((await change(other)).status, 404)
  const made = await harness.call('POST', '/v2/user', { client_user_id: 'x' }, headers)
  assert.deepEqual([made.status, made.body.detail.error_type], [403, 'one_user_only'])
})

test('is made for people of the environment only, who are not deleted', async () => {
  const userId = await harness.makeUser()
  const deleted = await harness.makeUser()
  await harness.call('DELETE', `/v2/user/${deleted}`)
  const stranger = await harness.makeTeam()
  const theirs = await harness.call(
    'POST',
    '/v2/user',
    { client_user_id: 'theirs' },
    {
      'x-service-api-key': stranger.sandboxKey,
    },
  )
  const refused = [
    await makeKey({ user_id: deleted }),
    await mint({ user_id: theirs.body.user_id }),
    await mint({ user_id: userId }, 'production'),
  ]
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.detail], [404, 'User not found.'])
  }
  assert.equal((await mint({ user_id: 'me' })).status, 422)
  assert.equal((await makeKey({ access: 'none' })).status, 422)
})

test('ends when the person is erased', async () => {
  const userId = await harness.makeUser()
  const key = (await makeKey({ user_id: userId })).body.value
  const token = (await mint({ user_id: userId })).body.access_token
  // What the erasure does last, a week after the deletion.
  await harness.database.pool.query('delete from users where id = $1', [userId])
  assert.equal((await reachOf({ 'x-service-api-key': key })).status, 401)
  assert.equal((await reachOf({ authorization: `Bearer ${token}` })).status, 401)
})
