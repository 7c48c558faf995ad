import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { type CatalogTeam, createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { makeLab, makeMarker } from '../../../../server/test/catalog/catalog-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const app = useFixture(createCatalogApp)
let markerId: number

before(async () => {
  markerId = await makeMarker(app.db, await makeLab(app.db, 'quest'), { name: 'TSH' })
})

const newTest = () => ({
  name: 'A test',
  description: '',
  method: 'walk_in_test',
  marker_ids: [markerId],
})

async function create(team: CatalogTeam, isProduction: boolean) {
  const call = isProduction ? team.callProduction : team.call
  const answer = await call('POST', '/v3/lab_tests', newTest())
  assert.equal(answer.status, 200)
  return answer.body
}

const approve = (team: CatalogTeam, id: string, environment = 'production', key?: string) =>
  app.manage('POST', `/team/${team.id}/${environment}/lab_test/${id}/approve`, undefined, key)

describe('approval of lab tests', () => {
  test('is needed in production and not in the sandbox', async () => {
    const waiting = await create(app.team, true)
    assert.deepEqual([waiting.status, waiting.is_active], ['pending_approval', false])
    assert.equal((await create(app.team, false)).status, 'active')
  })

  test('follows the setting of the environment', async () => {
    const off = await app.makeTeam({ lab_test_auto_approve: false })
    assert.equal((await create(off, false)).status, 'pending_approval')
    const on = await app.makeTeam({ lab_test_auto_approve: true })
    assert.equal((await create(on, true)).status, 'active')
  })

  test('by an operator activates the test, also the second time', async () => {
    const { id } = await create(app.team, true)
    const approved = await approve(app.team, id)
    assert.equal(approved.status, 200)
    assert.deepEqual([approved.body.id, approved.body.status], [id, 'active'])
    assert.equal((await approve(app.team, id)).status, 200)
  })

  test('cannot be bypassed by archiving and restoring', async () => {
    const { id } = await create(app.team, true)
    for (const active of [true, false]) {
      const answer = await app.team.callProduction('PATCH', `/v3/lab_tests/${id}`, { active })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.detail.error_type, 'not_approved')
    }
    const renamed = await app.team.callProduction('PATCH', `/v3/lab_tests/${id}`, { name: 'New' })
    assert.deepEqual([renamed.body.name, renamed.body.status], ['New', 'pending_approval'])
  })

  test('does not restore an archived test', async () => {
    const { id } = await create(app.team, true)
    await approve(app.team, id)
    await app.team.callProduction('PATCH', `/v3/lab_tests/${id}`, { active: false })
    const answer = await approve(app.team, id)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.detail.error_type, 'not_pending_approval')
  })

  test('finds the test in its own environment only, for a key with access to it', async () => {
    const { id } = await create(app.team, true)
    assert.equal((await approve(app.team, newId())).status, 404)
    assert.equal((await approve(app.team, id, 'sandbox')).status, 404)
    assert.equal((await approve(await app.makeTeam(), id)).status, 404)
    assert.equal((await approve(app.team, id, 'production', 'mg_unknown')).status, 401)
  })
})
