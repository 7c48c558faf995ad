import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { type CatalogTeam, createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { LabTest } from '../lab-catalog.schema.ts'
import { loadStartingCatalog } from '../loading/catalog-loading.service.ts'
import { checkAoeAnswers } from '../order-entry-questions/aoe-answers.ts'
import { resolveOrderSet } from '../order-sets/order-set.ts'
import { FAMILIAR_PANELS } from './familiar-panels.registry.ts'
import { createStartingLabTests } from './starting-lab-tests.ts'

const app = useFixture(createCatalogApp)

const PLAIN = COLLECTION_METHODS.length
const ALL = PLAIN + FAMILIAR_PANELS.length

const list = async (team: CatalogTeam): Promise<LabTest[]> =>
  (await team.call('GET', '/v3/lab_test')).body.data

describe('the tests that a sandbox starts with', () => {
  test('wait for a catalog', async () => {
    assert.deepEqual(await list(app.team), [])
    await loadStartingCatalog(app.db, app.clock.now())
    assert.equal((await list(app.team)).length, ALL)
  })

  test('are one simple test for each collection method, then the well-known panels', async () => {
    const tests = await list(app.team)
    const plain = tests.slice(0, PLAIN)
    assert.deepEqual(new Set(plain.map(({ method }) => method)), new Set(COLLECTION_METHODS))
    assert.deepEqual(
      tests.slice(PLAIN).map(({ name, method }) => [name, method]),
      FAMILIAR_PANELS.map(({ name, method }) => [name, method]),
    )
    assert.ok(FAMILIAR_PANELS.length >= 12)
    for (const method of COLLECTION_METHODS) {
      assert.ok(FAMILIAR_PANELS.filter((panel) => panel.method === method).length >= 3, method)
    }
    for (const { status, auto_generated, lab, method, price, sample_type } of tests) {
      assert.deepEqual([status, auto_generated], ['active', false])
      assert.ok(lab?.collection_methods.includes(method))
      assert.ok(lab?.sample_types.includes(sample_type))
      assert.ok(price > 0)
    }
  })

  test('can be ordered without answering any question', async () => {
    for (const { id } of await list(app.team)) {
      const set = await resolveOrderSet(rowScope(app.db, app.team.sandbox), { lab_test_id: id })
      assert.ok(set.markers.length > 0)
      checkAoeAnswers(set.markers, [], set.fasting)
    }
  })

  test('are created once, also by concurrent calls, and not again when archived', async () => {
    const team = await app.makeTeam()
    const make = () => createStartingLabTests(rowScope(app.db, team.sandbox), app.clock.now())
    await Promise.all([make(), make(), make(), list(team)])
    const [first, ...others] = await list(team)
    assert.equal(others.length, ALL - 1)
    const change = { active: false, name: 'Ours' }
    await team.call('PATCH', `/v3/lab_tests/${first?.id}`, change)
    const after = await list(team)
    assert.deepEqual(
      after.map(({ id }) => id),
      [first?.id, ...others.map(({ id }) => id)],
    )
  })

  test('are added to a sandbox that is older than the panels', async () => {
    const team = await app.makeTeam()
    await list(team)
    const { id: environmentId } = team.sandbox
    const known = app.db.deleteFrom('lab_test_markers').where('environment_id', '=', environmentId)
    await known.execute()
    await app.db
      .deleteFrom('lab_tests')
      .where('environment_id', '=', environmentId)
      .where('combination', 'like', 'starting:panel:%')
      .execute()
    assert.equal((await list(team)).length, ALL)
  })

  test('leave out panels of which the catalog lacks a marker', async () => {
    const offers = app.db.updateTable('markers').where('slug', '=', 'lipid-panel')
    await offers.set({ is_active: false }).execute()
    const team = await app.makeTeam()
    const names = (await list(team)).map(({ name }) => name)
    assert.equal(names.length, ALL - 1)
    assert.ok(!names.includes('Lipid Panel'))
    await offers.set({ is_active: true }).execute()
    assert.equal((await list(team)).length, ALL)
  })

  test('also appear in the deprecated list, and not in production', async () => {
    const team = await app.makeTeam()
    assert.equal((await team.call('GET', '/v3/lab_tests')).body.length, ALL)
    assert.deepEqual((await team.callProduction('GET', '/v3/lab_test')).body.data, [])
  })
})
