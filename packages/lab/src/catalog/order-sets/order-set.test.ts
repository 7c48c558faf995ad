import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import { newId } from '@salus/kernel/ids'
import { createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import {
  makeLab,
  makeLabAccount,
  makeMarker,
} from '../../../../server/test/catalog/catalog-fixture.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { OrderSetRequest } from '../lab-catalog.schema.ts'
import { showLabTests } from '../lab-tests/filled-lab-tests.ts'
import { listOrderedMarkers, type OrderedMarker } from '../markers/markers.global.repository.ts'
import {
  chooseCollectionMethod,
  type OrderSelection,
  type OrderSet,
  resolveOrderSet,
} from './order-set.ts'
import { findOrCreateOrderedTest } from './ordered-test.ts'

const app = useFixture(createCatalogApp)
/** Two labs that have the code A; B is of the first, C of the second. */
let lab: { one: number; two: number }
let marker: Record<'a1' | 'a2' | 'b1' | 'c2' | 'fixed' | 'reflex' | 'retired', number>
/** Saved tests: A of lab one, A and B of lab one, A of lab two. */
let saved: Record<'a' | 'ab' | 'atHome' | 'fasting' | 'other' | 'archived', string>
let account: Record<'one' | 'two' | 'onlyB', string>

const AT = new Date('2026-03-01T12:00:00Z')

before(async () => {
  const { db, team } = app
  lab = { one: await makeLab(db, 'lab-one'), two: await makeLab(db, 'lab-two') }
  const make = (labId: number, code: string, more = {}) =>
    makeMarker(db, labId, { name: `Marker ${code}`, provider_id: code, ...more })
  const a1 = await make(lab.one, 'A', { loinc_codes: ['1-1', '2-2'], common_tat_days: 2 })
  marker = {
    a1,
    a2: await make(lab.two, 'A'),
    b1: await make(lab.one, 'B', { price_cents: 250, worst_case_tat_days: null }),
    c2: await make(lab.two, 'C'),
    fixed: await make(lab.one, 'F', { a_la_carte_enabled: false }),
    reflex: await make(lab.one, 'R', { is_orderable: false, reflex_of: a1 }),
    retired: await make(lab.one, 'X', { is_active: false }),
  }
  const save = async (markerIds: number[], more = {}): Promise<string> => {
    const words = { name: 'A test', description: '', method: 'walk_in_test' }
    const made = await team.call('POST', '/v3/lab_tests', {
      ...words,
      marker_ids: markerIds,
      ...more,
    })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    return made.body.id
  }
  saved = {
    a: await save([marker.a1]),
    ab: await save([marker.b1, marker.a1]),
    atHome: await save([marker.b1], { method: 'at_home_phlebotomy' }),
    fasting: await save([marker.fixed], { fasting: true }),
    other: await save([marker.a2]),
    archived: await save([marker.a1]),
  }
  await team.call('PATCH', `/v3/lab_tests/${saved.archived}`, { active: false })
  account = {
    one: await makeLabAccount(db, lab.one),
    two: await makeLabAccount(db, lab.two),
    onlyB: await makeLabAccount(db, lab.one, { offered_provider_ids: ['B'] }),
  }
})

const resolve = (wish: OrderSelection, labAccountId: string | null = null): Promise<OrderSet> =>
  resolveOrderSet(rowScope(app.db, app.team.sandbox), wish, { labAccountId })
const resolveSet = (set: OrderSetRequest, labAccountId: string | null = null) =>
  resolve({ order_set: set }, labAccountId)
const idsOf = ({ markers }: OrderSet) => markers.map(({ id }) => id)

async function assertRefused(promise: Promise<unknown>, errorType: string): Promise<void> {
  const status = errorType.endsWith('_not_found') ? 404 : 400
  await assert.rejects(promise, { status, errorType })
}

describe('an order set', () => {
  test('of one test has its markers in its order', async () => {
    const set = await resolve({ lab_test_id: saved.ab })
    assert.deepEqual(idsOf(set), [marker.b1, marker.a1])
    assert.equal(set.lab.id, lab.one)
    assert.equal(set.sharedMethod, 'walk_in_test')
    assert.equal(set.fasting, false)
    assert.deepEqual(set.addOnMarkerIds, [])
    const [b, a] = await listOrderedMarkers(app.db, idsOf(set))
    const {
      expected_results: [result],
      ...plain
    } = a as OrderedMarker
    assert.deepEqual(set.markers[1], plain)
    assert.deepEqual([b?.id, result?.loinc?.code, result?.unit], [marker.b1, '1-1', 'mg/dL'])
  })

  test('has each marker once, those of tests before add-ons', async () => {
    const set = await resolveSet({
      lab_test_ids: [saved.a, saved.ab, saved.a.toUpperCase()],
      add_on: { marker_ids: [marker.b1, marker.a1] },
    })
    assert.deepEqual(idsOf(set), [marker.a1, marker.b1])
    assert.deepEqual(set.addOnMarkerIds, [marker.b1, marker.a1])
    assert.equal(set.labTests.length, 2)
  })

  test('needs fasting when one of its tests does', async () => {
    const set = await resolveSet({ lab_test_ids: [saved.a, saved.fasting] })
    assert.equal(set.fasting, true)
  })

  test('must not be empty, and has one form only', async () => {
    await assertRefused(resolve({}), 'order_set_required')
    await assertRefused(resolve({ order_set: null, lab_test_id: null }), 'order_set_required')
    await assertRefused(resolveSet({}), 'order_set_required')
    await assertRefused(resolveSet({ lab_test_ids: [], add_on: null }), 'order_set_required')
    const both = { lab_test_id: saved.a, order_set: { lab_test_ids: [saved.a] } }
    await assertRefused(resolve(both), 'order_set_conflict')
  })

  test('accepts active tests of its own environment only', async () => {
    await assertRefused(resolve({ lab_test_id: newId() }), 'lab_test_not_found')
    await assertRefused(resolve({ lab_test_id: saved.archived }), 'lab_test_not_active')
    const stranger = await app.makeTeam()
    const wish = { lab_test_id: saved.a }
    await assertRefused(
      resolveOrderSet(rowScope(app.db, stranger.sandbox), wish),
      'lab_test_not_found',
    )
    const { production } = app.team
    await assertRefused(resolveOrderSet(rowScope(app.db, production), wish), 'lab_test_not_found')
  })

  test('needs a lab that is in use', async () => {
    const use = (is_enabled: boolean) =>
      app.db.updateTable('labs').set({ is_enabled }).where('id', '=', lab.two).execute()
    await use(false)
    await assertRefused(resolve({ lab_test_id: saved.other }), 'lab_test_not_active')
    await use(true)
  })

  test('takes one kind of add-on ids', async () => {
    const addOn = (add_on: OrderSetRequest['add_on']) => resolveSet({ add_on })
    await assertRefused(addOn({}), 'add_on_empty')
    await assertRefused(addOn({ marker_ids: [], provider_ids: null }), 'add_on_empty')
    const both = { marker_ids: [marker.b1], provider_ids: ['B'] }
    await assertRefused(addOn(both), 'add_on_conflict')
    assert.deepEqual(idsOf(await addOn({ marker_ids: [marker.b1], provider_ids: [] })), [marker.b1])
  })

  test('takes add-ons that can be ordered one by one', async () => {
    const addOn = (markerId: number) => resolveSet({ add_on: { marker_ids: [markerId] } })
    await assertRefused(addOn(marker.fixed), 'marker_not_a_la_carte')
    await assertRefused(addOn(marker.reflex), 'marker_not_found')
    await assertRefused(addOn(marker.retired), 'marker_not_found')
    await assertRefused(addOn(2_000_000_000), 'marker_not_found')
  })

  test('belongs to one laboratory', async () => {
    await assertRefused(resolveSet({ lab_test_ids: [saved.a, saved.other] }), 'multiple_labs')
    const ofBoth = { add_on: { marker_ids: [marker.b1, marker.c2] } }
    await assertRefused(resolveSet(ofBoth), 'multiple_labs')
    const besides = { lab_test_ids: [saved.a], add_on: { marker_ids: [marker.c2] } }
    await assertRefused(resolveSet(besides), 'multiple_labs')
  })

  test('may name an account, once or twice the same', async () => {
    const request = { add_on: { marker_ids: [marker.b1] }, lab_account_id: account.one }
    assert.equal((await resolveSet(request)).labAccountId, account.one)
    const upper = account.one.toUpperCase()
    assert.equal((await resolveSet(request, upper)).labAccountId, account.one)
    await assertRefused(resolveSet(request, account.two), 'lab_account_invalid')
    await assertRefused(resolve({ lab_test_id: saved.a }, newId()), 'lab_account_invalid')
  })

  test('must be offered by the account that it names', async () => {
    const onlyB = { lab_account_id: account.onlyB }
    const offered = await resolveSet({ ...onlyB, lab_test_ids: [saved.atHome] })
    assert.deepEqual(idsOf(offered), [marker.b1])
    await assertRefused(resolveSet({ ...onlyB, lab_test_ids: [saved.ab] }), 'lab_account_invalid')
    const addOn = { add_on: { marker_ids: [marker.a1] } }
    await assertRefused(resolveSet({ ...onlyB, ...addOn }), 'lab_account_invalid')
  })
})

describe("laboratories' codes in an add-on", () => {
  const byCode = (codes: string[], more: OrderSetRequest = {}) =>
    resolveSet({ add_on: { provider_ids: codes }, ...more })

  test('that several labs have are refused', async () => {
    await assertRefused(byCode(['A']), 'multiple_labs')
  })

  test('that only one lab has together belong to that lab', async () => {
    assert.deepEqual(idsOf(await byCode(['A', 'B'])), [marker.a1, marker.b1])
    assert.deepEqual(idsOf(await byCode(['C', 'A', 'C'])), [marker.c2, marker.a2])
  })

  test('that no lab has together are refused, unknown ones are not found', async () => {
    await assertRefused(byCode(['B', 'C']), 'multiple_labs')
    await assertRefused(byCode(['A', 'nothing']), 'marker_not_found')
  })

  test('belong to the lab of the tests', async () => {
    const set = await byCode(['A'], { lab_test_ids: [saved.other] })
    assert.deepEqual(idsOf(set), [marker.a2])
    await assertRefused(byCode(['B'], { lab_test_ids: [saved.other] }), 'multiple_labs')
  })

  test('belong to the lab of a named account', async () => {
    const set = await byCode(['A'], { lab_account_id: account.two })
    assert.deepEqual(idsOf(set), [marker.a2])
    await assertRefused(byCode(['B'], { lab_account_id: account.two }), 'lab_account_invalid')
  })
})

describe('the method of an order', () => {
  const decide = async (request: OrderSetRequest, given: CollectionMethod | null) =>
    chooseCollectionMethod(await resolveSet(request), given)

  test('is the one that the tests share', async () => {
    assert.equal(await decide({ lab_test_ids: [saved.a, saved.ab] }, null), 'walk_in_test')
  })

  test('is the requested one, independent of the tests', async () => {
    const mixed = { lab_test_ids: [saved.a, saved.atHome] }
    assert.equal(await decide(mixed, 'on_site_collection'), 'on_site_collection')
    await assert.rejects(decide(mixed, null), { errorType: 'multiple_methods' })
  })

  test('is required for an add-on', async () => {
    const addOn = { lab_test_ids: [saved.a], add_on: { marker_ids: [marker.b1] } }
    await assert.rejects(decide(addOn, null), { errorType: 'collection_method_required' })
    assert.equal(await decide(addOn, 'walk_in_test'), 'walk_in_test')
  })

  test('must be offered by the lab', async () => {
    const refusal = { status: 400, errorType: 'method_not_supported' }
    await assert.rejects(decide({ lab_test_ids: [saved.a] }, 'testkit'), refusal)
  })
})

describe('the test of an order', () => {
  const order = async (request: OrderSetRequest, method: CollectionMethod = 'walk_in_test') => {
    const set = await resolveSet(request)
    return findOrCreateOrderedTest(rowScope(app.db, app.team.sandbox), set, method, AT)
  }
  const both = () => ({ lab_test_ids: [saved.ab], add_on: { marker_ids: [marker.a1] } })

  test('is the saved one when nothing else is ordered', async () => {
    assert.equal((await order({ lab_test_ids: [saved.a] })).id, saved.a)
  })

  test('is a generated one for an add-on, several tests, or another method', async () => {
    const addOn = await order(both())
    assert.equal(addOn.auto_generated, true)
    assert.equal(addOn.status, 'active')
    assert.equal(addOn.price_cents, 1250)
    assert.equal(addOn.name, 'Marker B + Marker A')
    const joined = await order({ lab_test_ids: [saved.a, saved.fasting] })
    assert.equal(joined.fasting, true)
    const moved = await order({ lab_test_ids: [saved.a] }, 'on_site_collection')
    assert.equal(moved.method, 'on_site_collection')
    assert.equal(new Set([addOn.id, joined.id, moved.id, saved.a]).size, 4)
  })

  test('is the same one for the same markers, independent of the request', async () => {
    const first = await order(both())
    const ids = [marker.a1, marker.b1]
    const again = await order({ add_on: { marker_ids: ids } })
    assert.equal(again.id, first.id)
    const elsewhere = await order({ add_on: { marker_ids: ids } }, 'at_home_phlebotomy')
    assert.notEqual(elsewhere.id, first.id)
  })

  test('is created once by concurrent orders', async () => {
    const request = { add_on: { provider_ids: ['C', 'A'] } }
    const made = await Promise.all(Array.from({ length: 20 }, () => order(request)))
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
    const held = await app.db
      .selectFrom('lab_test_markers')
      .select('marker_id')
      .where('lab_test_id', '=', made[0]?.id ?? '')
      .orderBy('position')
      .execute()
    assert.deepEqual(
      held.map((row) => row.marker_id),
      [marker.c2, marker.a2],
    )
  })

  test('is shown without lab and markers, with the longest times of its markers', async () => {
    const { id: environmentId } = app.team.sandbox
    const shown = await showLabTests(rowScope(app.db, { id: environmentId }), [
      saved.a,
      saved.ab,
      saved.a,
    ])
    assert.equal(shown.size, 2)
    const {
      lab: none,
      markers,
      price,
      common_tat_days,
      worst_case_tat_days,
    } = shown.get(saved.ab) ?? assert.fail()
    assert.deepEqual([none, markers, price], [null, null, 12.5])
    // One marker of the test has no worst case.
    assert.deepEqual([common_tat_days, worst_case_tat_days], [2, null])
    const stranger = await app.makeTeam()
    const theirs = await showLabTests(rowScope(app.db, stranger.sandbox), [saved.a])
    assert.equal(theirs.size, 0)
  })
})
