import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { COLLECTION_METHODS, type LabTest } from '../lab-catalog.schema.ts'
import { loadStartingCatalog } from '../loading/catalog-loading.service.ts'
import { checkAoeAnswers } from '../order-entry-questions/aoe-answers.ts'
import { resolveOrderSet } from '../order-sets/order-set.ts'
import { type CatalogApp, type CatalogTeam, createCatalogApp } from '../testing/catalog-app.ts'
import { makeStartingLabTests } from './starting-lab-tests.ts'

let app: CatalogApp
before(async () => {
  app = await createCatalogApp()
})
after(() => app?.close())

const list = async (team: CatalogTeam): Promise<LabTest[]> =>
  (await team.call('GET', '/v3/lab_test')).body.data

describe('the tests that a sandbox starts with', () => {
  test('wait for a catalog', async () => {
    assert.deepEqual(await list(app.team), [])
    await loadStartingCatalog(app.db, app.clock.now())
    assert.equal((await list(app.team)).length, 4)
  })

  test('are one active test for each collection method', async () => {
    const tests = await list(app.team)
    assert.deepEqual(new Set(tests.map(({ method }) => method)), new Set(COLLECTION_METHODS))
    for (const { status, auto_generated, lab, method, price, sample_type } of tests) {
      assert.deepEqual([status, auto_generated], ['active', false])
      assert.ok(lab?.collection_methods.includes(method))
      assert.ok(lab?.sample_types.includes(sample_type))
      assert.ok(price > 0)
    }
  })

  test('can be ordered without answering any question', async () => {
    for (const { id } of await list(app.team)) {
      const set = await resolveOrderSet(app.db, app.team.sandbox, { lab_test_id: id })
      assert.equal(set.markers.length, 3)
      checkAoeAnswers(set.markers, [], set.fasting)
    }
  })

  test('are made once, also by calls at the same time, and not again when archived', async () => {
    const team = await app.makeTeam()
    const make = () => makeStartingLabTests(app.db, team.sandbox, app.clock.now())
    await Promise.all([make(), make(), make(), list(team)])
    const [first, ...others] = await list(team)
    assert.equal(others.length, 3)
    const change = { active: false, name: 'Ours' }
    await team.call('PATCH', `/v3/lab_tests/${first?.id}`, change)
    const after = await list(team)
    assert.deepEqual(
      after.map(({ id }) => id),
      [first?.id, ...others.map(({ id }) => id)],
    )
  })

  test('also appear in the deprecated list, and not in production', async () => {
    const team = await app.makeTeam()
    assert.equal((await team.call('GET', '/v3/lab_tests')).body.length, 4)
    assert.deepEqual((await team.callProduction('GET', '/v3/lab_test')).body.data, [])
  })
})
