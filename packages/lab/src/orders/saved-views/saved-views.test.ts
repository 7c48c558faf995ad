import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

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
})
