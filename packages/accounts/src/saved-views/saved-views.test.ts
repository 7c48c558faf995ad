import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let url: string

before(() => {
  url = `/v1/org/${harness.organizationId}/team/${harness.teamId}/sandbox/saved_view`
})

const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, path, body, { 'x-management-key': harness.managementKey })
const save = (name: string, filters: object = {}) => call('POST', url, { name, filters })

describe('saved views', () => {
  test('are listed by name, changed and deleted', async () => {
    const filters = { status: ['completed', 'corrected'], created_within_days: 7 }
    const { body: view } = await save('Done this week', filters)
    assert.deepEqual(view.filters, filters)
    await save('A first one')
    const { body: list } = await call('GET', url)
    assert.deepEqual(
      list.data.map(({ name }: { name: string }) => name),
      ['A first one', 'Done this week'],
    )
    const renamed = await call('PATCH', `${url}/${view.id}`, { name: 'done THIS week' })
    assert.equal(renamed.body.name, 'done THIS week')
    assert.deepEqual(renamed.body.filters, filters)
    const changed = await call('PATCH', `${url}/${view.id}`, { filters: {} })
    assert.deepEqual([changed.body.name, changed.body.filters], ['done THIS week', {}])
    assert.deepEqual((await call('DELETE', `${url}/${view.id}`)).body, { success: true })
    for (const method of ['PATCH', 'DELETE']) {
      const gone = await call(
        method,
        `${url}/${view.id}`,
        method === 'PATCH' ? { name: 'x' } : undefined,
      )
      assert.deepEqual([gone.status, gone.body.detail], [404, 'saved_view_not_found'])
    }
  })

  test('have unique names, regardless of case', async () => {
    await save('Critical')
    const { body: other } = await save('Other')
    const refused = [
      await save('CRITICAL'),
      await call('PATCH', `${url}/${other.id}`, { name: 'critical' }),
    ]
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.detail.error_type], [400, 'saved_view_name_taken'])
    }
  })

  test('contain no personal data', async () => {
    for (const filters of [
      { patient_name: 'Moreau' },
      { search_input: 'Ada' },
      { shipping_recipient_name: 'Ada' },
      { status: ['no such status'] },
      { start_date: '2026-03-01T10:00:00Z' },
      { created_within_days: 0 },
    ]) {
      assert.equal((await save('Wrong', filters)).status, 422, JSON.stringify(filters))
    }
    for (const name of ['', ' blank', 'x'.repeat(61)]) {
      assert.equal((await save(name)).status, 422, name)
    }
  })

  test('belong to one environment, at most a hundred', async () => {
    const production = url.replace('/sandbox/', '/production/')
    assert.deepEqual((await call('GET', production)).body, { data: [] })
    const count = async () => (await call('GET', url)).body.data.length
    const missing = 100 - (await count())
    // Concurrent requests, so that a limit that is only read would fail.
    const answers = await Promise.all(
      Array.from({ length: missing + 5 }, (_, number) => save(`View ${number}`)),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 5)
    assert.equal(refused[0]?.body.detail.error_type, 'too_many_saved_views')
    assert.equal(await count(), 100)
  })

  test('are of one list, with the filters of that list', async () => {
    const filters = { needs_attention: true, order_key: 'newest_data' }
    const { body: view } = await call('POST', url, { name: 'Trouble', list: 'people', filters })
    assert.deepEqual([view.list, view.is_private, view.filters], ['people', false, filters])
    const named = async (query: string) =>
      (await call('GET', `${url}${query}`)).body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(await named('?list=people'), ['Trouble'])
    assert.ok((await named('?list=all')).includes('Trouble'))
    assert.ok(!(await named('')).includes('Trouble'))
    for (const wrong of [
      { list: 'people', filters: { query: 'moreau' } },
      { list: 'people', filters: { user_ids: [] } },
      { list: 'tasks', filters: { owner: 'Dr. Park' } },
      { list: 'tasks', filters: { status: ['completed'] } },
      { list: 'orders', filters: { needs_attention: true } },
      { list: 'clocks', filters: {} },
    ]) {
      const answer = await call('POST', url, { name: 'Wrong', ...wrong })
      assert.equal(answer.status, 422, JSON.stringify(wrong))
    }
    const changed = await call('PATCH', `${url}/${view.id}`, { filters: { is_critical: true } })
    assert.equal(changed.status, 422)
    for (const [list, kept] of [
      ['tasks', { kind: 'critical_result', is_assigned: false }],
      ['events', { event_type: 'daily.data.*', status: 'failed' }],
    ] as const) {
      assert.deepEqual((await call('POST', url, { name: list, list, filters: kept })).status, 200)
    }
  })

  test('can be private to their key, and end with it; a role shares only what it may write', async () => {
    const make = async (role: string) =>
      (await harness.manage('POST', '/management_key', { label: role, role })).body
    const [viewer, admin] = [await make('viewer'), await make('team_admin')]
    const as = (key: string, method: string, path: string, body?: unknown) =>
      harness.call(method, path, body, { 'x-management-key': key })
    const own = { name: 'Mine', list: 'people', filters: {}, is_private: true }
    const { body: view } = await as(viewer.key, 'POST', url, own)
    assert.equal(view.is_private, true)
    const shared = await as(viewer.key, 'POST', url, { ...own, is_private: false })
    assert.deepEqual([shared.status, shared.body.detail.error_type], [403, 'insufficient_scope'])
    const seen = async (key: string) =>
      (await as(key, 'GET', `${url}?list=people`)).body.data.map(({ id }: { id: string }) => id)
    assert.ok((await seen(viewer.key)).includes(view.id))
    assert.ok(!(await seen(admin.key)).includes(view.id))
    assert.equal((await as(admin.key, 'DELETE', `${url}/${view.id}`)).status, 404)
    assert.equal((await as(admin.key, 'POST', url, own)).status, 200)
    await harness.manage('DELETE', `/management_key/${viewer.id}`)
    const { rows } = await harness.database.pool.query('select from saved_views where id = $1', [
      view.id,
    ])
    assert.equal(rows.length, 0)
  })

  test('of lists that a role may not read are not shown to it', async () => {
    const { body: key } = await harness.manage('POST', '/management_key', {
      label: 'Developer',
      role: 'developer',
    })
    const headers = { 'x-management-key': key.key }
    const all = await harness.call('GET', `${url}?list=all`, undefined, headers)
    const lists = new Set(all.body.data.map(({ list }: { list: string }) => list))
    assert.ok(lists.has('events') && !lists.has('orders'))
    assert.equal((await harness.call('GET', url, undefined, headers)).status, 403)
  })
})
