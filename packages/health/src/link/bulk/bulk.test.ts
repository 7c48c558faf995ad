import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { buildApp } from '../../../../server/src/app.ts'
import { assertRefusal } from '../../../../server/test/assert-refusal.ts'
import { createLinkFixture } from '../../../../server/test/link/link-fixture.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { until } from '../../../../server/test/webhooks/until.ts'

const fixture = useFixture(createLinkFixture)

before(() => fixture.harness.startJobs())

const send = (path: string, body: object) =>
  fixture.harness.call('POST', `/v2/link/${path}`, { provider: 'oura', ...body })

const recipeOf = (user_id: string, more: object = {}) => ({
  user_id,
  access_token: `access ${user_id}`,
  refresh_token: `refresh ${user_id}`,
  provider_id: `ring ${user_id}`,
  expires_at: 1_800_000_000,
  oauth_scopes: ['daily', 'heartrate'],
  ...more,
})
const makeUsers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => fixture.harness.makeUser()))
/** Number of a user's due collections. */
async function duePulls(userId: string): Promise<number> {
  const { rows } = await fixture.harness.database.pool.query(
    'select count(*)::int as count from pull_tasks where user_id = $1 and due_at is not null',
    [userId],
  )
  return rows[0].count
}

const listOperations = async () => (await fixture.harness.call('GET', '/v2/link/bulk_op')).body.data

describe('a bulk import', () => {
  test('makes connections, says of whom it could not, and comes out again as it went in', async () => {
    const [one = '', two = ''] = (await makeUsers(2)).sort()
    const unknown = newId()
    const connections = [
      recipeOf(one),
      recipeOf(two.toUpperCase(), { expires_at: 2_147_483_647, oauth_scopes: null }),
      recipeOf(unknown),
    ]
    const answer = await send('bulk_import', { connections, wait_for_completion: true })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.user_ids_imported, [one, two])
    assert.deepEqual(answer.body.user_ids_failed, [unknown])
    const [connection] = await fixture.connectionsOf(one)
    assert.deepEqual(
      [connection?.status, connection?.external_user_id],
      ['connected', `ring ${one}`],
    )
    await until('pulls are planned', async () => (await duePulls(one)) === 1)

    const exported = await send('bulk_export', { user_ids: [one, two, unknown] })
    assert.deepEqual(exported.body, {
      data: [
        recipeOf(one),
        {
          ...recipeOf(two.toUpperCase()),
          user_id: two,
          expires_at: 2_147_483_647,
          oauth_scopes: null,
        },
      ],
      next_token: null,
    })
    const { rows } = await fixture.harness.database.pool.query(
      'select count(*)::int as n from bulk_operation_items where sealed is not null',
    )
    assert.equal(rows[0].n, 0)
  })

  test('that is not waited for is answered at once, in the same form', async () => {
    const [userId = ''] = await makeUsers(1)
    const answer = await send('bulk_import', { connections: [recipeOf(userId)] })
    assert.equal(answer.status, 202)
    assert.deepEqual(answer.body, { user_ids_imported: [], user_ids_failed: [] })
    assert.equal((await send('bulk_import', { connections: [] })).status, 422)
    const many = Array.from({ length: 1001 }, () => recipeOf(newId()))
    assert.equal((await send('bulk_import', { connections: many })).status, 422)
    const closed = { provider: 'google_fit', connections: [recipeOf(userId)] }
    assertRefusal(await send('bulk_import', closed), 400, 'provider_not_available')
  })

  test('keeps to the rules of a sign-in, and the operation says that some failed', async () => {
    await changeSettings(fixture.harness, { reject_duplicate_connection: true })
    const [one = '', two = ''] = (await makeUsers(2)).sort()
    fixture.harness.clock.advance(60)
    const same = { provider_id: 'ring of both' }
    const connections = [recipeOf(one, same), recipeOf(two, same)]
    const { body } = await send('bulk_import', { connections, wait_for_completion: true })
    assert.deepEqual(body, { user_ids_imported: [one], user_ids_failed: [two] })
    await changeSettings(fixture.harness, { reject_duplicate_connection: false })
    const [newest] = await listOperations()
    assert.deepEqual(newest, {
      type: 'link_bulk_import',
      status: 'failure',
      provider: 'oura',
      pending: 0,
      processed: 2,
      failed: 1,
      started_at: newest.started_at,
      ended_at: newest.started_at,
    })
  })

  test('of another team affects no user of ours', async () => {
    const [userId = ''] = await makeUsers(1)
    const { sandboxKey } = await fixture.harness.makeTeam()
    const body = { provider: 'oura', connections: [recipeOf(userId)], wait_for_completion: true }
    const headers = { 'x-service-api-key': sandboxKey }
    const answer = await fixture.harness.call('POST', '/v2/link/bulk_import', body, headers)
    assert.deepEqual(answer.body, { user_ids_imported: [], user_ids_failed: [userId] })
    assert.deepEqual(await fixture.connectionsOf(userId), [])
    const all = { provider: 'oura' }
    const theirs = await fixture.harness.call('POST', '/v2/link/bulk_export', all, headers)
    assert.deepEqual(theirs.body.data, [])
  })
})

test('connections are paused, and a sign-in brings one back', async () => {
  const [userId = '', other = ''] = await makeUsers(2)
  const connections = [recipeOf(userId), recipeOf(other)]
  await send('bulk_import', { connections, wait_for_completion: true })
  await until(
    'pulls are planned',
    async () => (await duePulls(userId)) + (await duePulls(other)) === 2,
  )
  assert.deepEqual((await send('bulk_pause', { user_ids: [userId, newId()] })).body, {})
  const statusOf = async (id: string) => (await fixture.connectionsOf(id))[0]?.status
  assert.deepEqual([await statusOf(userId), await statusOf(other)], ['paused', 'connected'])
  assert.deepEqual([await duePulls(userId), await duePulls(other)], [0, 1])
  const { token } = await fixture.issue({ user_id: userId })
  await fixture.connect('ring again', token)
  assert.equal(await statusOf(userId), 'connected')
})

test('history is pulled again for live users', async () => {
  const [userId = ''] = await makeUsers(1)
  const answer = await send('bulk_trigger_historical_pull', {
    user_ids: [userId, newId()],
    wait_for_completion: true,
  })
  assert.deepEqual([answer.status, answer.body], [200, {}])
  assert.equal((await send('bulk_trigger_historical_pull', { user_ids: [userId] })).status, 202)
})

test('an export goes on where its page ended, and operations are listed in pages', async () => {
  const users = (await makeUsers(101)).sort()
  const connections = users.map((id) => recipeOf(id))
  await send('bulk_import', { connections, wait_for_completion: true })
  const first = (await send('bulk_export', { user_ids: users })).body
  assert.equal(first.data.length, 100)
  const next_token = first.next_token
  const second = (await send('bulk_export', { user_ids: users, next_token })).body
  assert.deepEqual([second.data.length, second.next_token], [1, null])
  assertRefusal(await send('bulk_export', { next_token }), 400, 'invalid_cursor')
  const pages: object[] = []
  let cursor = ''
  do {
    const url = `/v2/link/bulk_op?page_size=2${cursor && `&next_cursor=${cursor}`}`
    const { body } = await fixture.harness.call('GET', url)
    pages.push(...body.data)
    cursor = body.next_cursor ?? ''
  } while (cursor)
  const all = (await fixture.harness.call('GET', '/v2/link/bulk_op?page_size=50')).body.data
  assert.deepEqual(pages, all)
  assert.ok(all.length > 4)
})

test('a setting switches all of it off', async () => {
  const { dependencies, apiKey } = fixture.harness
  const config = { ...dependencies.config, bulkOperationsEnabled: false }
  const app = await buildApp({ ...dependencies, config })
  const headers = { 'x-service-api-key': apiKey }
  const answer = await app.inject({ method: 'GET', url: '/v2/link/bulk_op', headers })
  assert.equal(answer.statusCode, 403)
  assert.equal(answer.json().detail.error_type, 'feature_not_enabled')
  await app.close()
})
