import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import {
  makeLab,
  makeLabAccount,
  makeMarker,
  question,
} from '../../../../server/test/catalog/catalog-fixture.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { getLabTestForInstructions } from './lab-test-instructions.ts'

const app = useFixture(createCatalogApp)
let lab: { quest: number; labcorp: number }
let marker: Record<'tsh' | 'lipid' | 'unpriced' | 'theirs' | 'reflex' | 'retired', number>
let account: { quest: string; onlyTsh: string; labcorp: string }

before(async () => {
  const { db } = app
  const kits = { collection_methods: ['testkit', 'walk_in_test'] as ['testkit', 'walk_in_test'] }
  lab = {
    quest: await makeLab(db, 'quest', { ...kits, sample_types: ['dried_blood_spot', 'serum'] }),
    labcorp: await makeLab(db, 'labcorp'),
  }
  const tsh = await makeMarker(db, lab.quest, {
    name: 'TSH',
    provider_id: 'T1',
    price_cents: 1999,
    common_tat_days: 2,
    worst_case_tat_days: 6,
    questions: [question({ id: 7 })],
  })
  marker = {
    tsh,
    lipid: await makeMarker(db, lab.quest, { name: 'Lipids', provider_id: 'L1', price_cents: 1 }),
    unpriced: await makeMarker(db, lab.quest, {
      name: 'Rare',
      provider_id: 'SAME',
      price_cents: null,
      common_tat_days: null,
    }),
    theirs: await makeMarker(db, lab.labcorp, { name: 'Rare', provider_id: 'SAME' }),
    reflex: await makeMarker(db, lab.quest, {
      name: 'Free T4',
      provider_id: 'T2',
      is_orderable: false,
      reflex_of: tsh,
    }),
    retired: await makeMarker(db, lab.quest, { name: 'Old', provider_id: 'O', is_active: false }),
  }
  account = {
    quest: await makeLabAccount(db, lab.quest),
    onlyTsh: await makeLabAccount(db, lab.quest, { offered_provider_ids: ['T1'] }),
    labcorp: await makeLabAccount(db, lab.labcorp),
  }
})

const WORDS = { name: 'My First Tést!', description: 'For trying.', method: 'walk_in_test' }
const create = (body: object) => app.team.call('POST', '/v3/lab_tests', { ...WORDS, ...body })
const at = (id: string, query = '') => `/v3/lab_tests/${id}${query}`

async function assertRefused(
  promise: Promise<{ status: number; body: { detail: unknown } }>,
  slug: string,
): Promise<void> {
  const { status, body } = await promise
  const isNotFound = slug.endsWith('_not_found')
  assert.equal(status, isNotFound ? 404 : 400, JSON.stringify(body))
  const { detail } = body
  assert.equal(isNotFound ? detail : (detail as { error_type: string }).error_type, slug)
}

describe('POST /v3/lab_tests', () => {
  test('saves a test that is active at once in the sandbox', async () => {
    const { status, body } = await create({ marker_ids: [marker.lipid, marker.tsh] })
    assert.equal(status, 200)
    const { lab: ofLab, markers, ...rest } = body
    assert.deepEqual(rest, {
      id: body.id,
      slug: `${app.team.id.slice(0, 8)}-my-first-test`,
      name: WORDS.name,
      sample_type: 'serum',
      method: 'walk_in_test',
      price: 20,
      is_active: true,
      status: 'active',
      fasting: false,
      is_delegated: false,
      auto_generated: false,
      has_collection_instructions: true,
      common_tat_days: 2,
      worst_case_tat_days: 6,
      description: 'For trying.',
    })
    assert.equal(ofLab.slug, 'quest')
    assert.deepEqual(
      markers.map(({ id, price }: { id: number; price: string }) => [id, price]),
      [
        [marker.lipid, '0.01'],
        [marker.tsh, '19.99'],
      ],
    )
    assert.equal(markers[0].aoe, null)
    assert.equal(markers[1].aoe.questions[0].id, 7)
    assert.equal('expected_results' in markers[0], false)
    assert.deepEqual((await app.team.call('GET', at(body.id))).body, body)
  })

  test("takes the laboratories' codes, and each marker once", async () => {
    const { body } = await create({ provider_ids: ['L1', 'T1', 'L1'], fasting: true })
    const ids = body.markers.map(({ id }: { id: number }) => id)
    assert.deepEqual(ids, [marker.lipid, marker.tsh])
    assert.equal(body.fasting, true)
  })

  test('has no price and no turnaround time when one of its markers has none', async () => {
    const { body } = await create({ marker_ids: [marker.tsh, marker.unpriced], fasting: null })
    const { price, common_tat_days, worst_case_tat_days } = body
    assert.deepEqual([price, common_tat_days, worst_case_tat_days], [0, null, 6])
  })

  test('chooses self-collected blood for a kit', async () => {
    const { body } = await create({ marker_ids: [marker.tsh], method: 'testkit' })
    assert.equal(body.sample_type, 'dried_blood_spot')
  })

  test('determines the lab of ambiguous codes from the slug or the account', async () => {
    const bySlug = await create({ provider_ids: ['SAME'], lab_slug: 'labcorp' })
    assert.equal(bySlug.body.lab.slug, 'labcorp')
    const byAccount = await create({ provider_ids: ['SAME'], lab_account_id: account.quest })
    assert.equal(byAccount.body.lab.slug, 'quest')
  })

  test('refuses what the contract lists', async () => {
    const one = { marker_ids: [marker.tsh] }
    const refusals: [object, string][] = [
      [{}, 'marker_selection_required'],
      [{ marker_ids: [], provider_ids: null }, 'marker_selection_required'],
      [{ ...one, provider_ids: ['L1'] }, 'marker_selection_conflict'],
      [{ marker_ids: [marker.tsh, marker.theirs] }, 'markers_from_multiple_labs'],
      [{ provider_ids: ['SAME'] }, 'markers_from_multiple_labs'],
      [{ marker_ids: [2_000_000_000] }, 'marker_not_found'],
      [{ marker_ids: [marker.tsh, marker.reflex] }, 'marker_not_found'],
      [{ marker_ids: [marker.retired] }, 'marker_not_found'],
      [{ provider_ids: ['nothing'] }, 'marker_not_found'],
      [{ provider_ids: ['T1'], lab_slug: 'labcorp' }, 'marker_not_found'],
      [{ provider_ids: ['T1'], lab_slug: 'mtl' }, 'marker_not_found'],
      [{ ...one, lab_account_id: account.labcorp }, 'marker_not_found'],
      [{ provider_ids: ['L1'], lab_account_id: account.onlyTsh }, 'marker_not_found'],
      [{ ...one, lab_account_id: newId() }, 'lab_account_invalid'],
      [{ ...one, lab_account_id: account.quest, lab_slug: 'labcorp' }, 'lab_account_invalid'],
      [{ ...one, method: 'at_home_phlebotomy' }, 'method_not_supported'],
    ]
    for (const [body, slug] of refusals) await assertRefused(create(body), slug)
  })

  test('refuses what does not match its schema', async () => {
    const one = { marker_ids: [marker.tsh] }
    const cases: [object, string][] = [
      [{ ...one, name: '' }, 'name'],
      [{ ...one, description: null }, 'description'],
      [{ ...one, method: 'by_mail' }, 'method'],
      [{ ...one, lab_slug: 'no_such_lab' }, 'lab_slug'],
    ]
    for (const [body, field] of cases) {
      const answer = await create(body)
      assert.equal(answer.status, 422, field)
      assert.deepEqual(answer.body.detail[0].loc, ['body', field])
    }
  })
})

describe('GET /v3/lab_tests/{lab_test_id}', () => {
  test('finds tests of its own environment only', async () => {
    const { id } = (await create({ marker_ids: [marker.tsh] })).body
    await assertRefused(app.team.call('GET', at(newId())), 'lab_test_not_found')
    await assertRefused(app.team.callProduction('GET', at(id)), 'lab_test_not_found')
    const stranger = await app.makeTeam()
    for (const [method, url, body] of [
      ['GET', at(id)],
      ['GET', at(id, '/markers')],
      ['PATCH', at(id), { name: 'Mine' }],
    ] as const) {
      await assertRefused(stranger.call(method, url, body), 'lab_test_not_found')
    }
    assert.equal((await app.team.call('GET', at(id.toUpperCase()))).body.name, WORDS.name)
  })

  test('with an account finds what the account offers', async () => {
    const { id } = (await create({ marker_ids: [marker.tsh, marker.lipid] })).body
    const read = (accountId: string) => app.team.call('GET', at(id, `?lab_account_id=${accountId}`))
    assert.equal((await read(account.quest)).status, 200)
    await assertRefused(read(account.onlyTsh), 'lab_test_not_found')
    await assertRefused(read(account.labcorp), 'lab_test_not_found')
    await assertRefused(read(newId()), 'lab_account_invalid')
  })
})

describe('PATCH /v3/lab_tests/{lab_test_id}', () => {
  const patch = (id: string, body: object) => app.team.call('PATCH', at(id), body)

  test('renames, archives and restores', async () => {
    const { id, slug } = (await create({ marker_ids: [marker.tsh] })).body
    const renamed = (await patch(id, { name: 'Other', active: null })).body
    assert.deepEqual([renamed.name, renamed.status, renamed.slug], ['Other', 'active', slug])
    const archived = (await patch(id, { active: false })).body
    assert.deepEqual([archived.status, archived.is_active], ['inactive', false])
    const restored = (await patch(id, { active: true, name: 'Third' })).body
    assert.deepEqual([restored.status, restored.name], ['active', 'Third'])
  })

  test('must change something', async () => {
    const { id } = (await create({ marker_ids: [marker.tsh] })).body
    for (const body of [{}, { name: null, active: null }, { name: '' }]) {
      assert.equal((await patch(id, body)).status, 422)
    }
    await assertRefused(patch(newId(), { name: 'x' }), 'lab_test_not_found')
  })
})

describe('GET /v3/lab_tests/{lab_test_id}/markers', () => {
  test('lists the markers, then their reflex markers', async () => {
    const { id } = (await create({ marker_ids: [marker.tsh, marker.lipid] })).body
    const { body } = await app.team.call('GET', at(id, '/markers'))
    const listed = body.markers.map((it: { id: number; is_orderable: boolean }) => [
      it.id,
      it.is_orderable,
    ])
    assert.deepEqual(listed, [
      [marker.tsh, true],
      [marker.lipid, true],
      [marker.reflex, false],
    ])
    const { total, page, size, pages, pricing } = body
    assert.deepEqual([total, page, size, pages, pricing], [3, 1, 50, 1, null])
    assert.deepEqual(body.markers[0].expected_results, [])
  })

  test('in pages, and by account', async () => {
    const { id } = (await create({ marker_ids: [marker.tsh, marker.lipid] })).body
    const { body } = await app.team.call('GET', at(id, '/markers?page=2&size=2'))
    assert.deepEqual(
      body.markers.map((it: { id: number }) => it.id),
      [marker.reflex],
    )
    assert.deepEqual([body.total, body.page, body.size, body.pages], [3, 2, 2, 2])
    const byAccount = at(id, `/markers?lab_account_id=${account.onlyTsh}`)
    await assertRefused(app.team.call('GET', byAccount), 'lab_test_not_found')
    assert.equal((await app.team.call('GET', at(id, '/markers?size=101'))).status, 422)
    assert.equal((await app.team.call('GET', at(id, '/markers?page=0'))).status, 422)
  })
})

describe('collection instructions', () => {
  test('have the data of the lab test', async () => {
    const body = { marker_ids: [marker.tsh, marker.lipid], method: 'testkit', fasting: true }
    const { id } = (await create(body)).body
    const found = await getLabTestForInstructions(rowScope(app.db, app.team.sandbox), id)
    assert.deepEqual(found.marker_names, ['TSH', 'Lipids'])
    assert.deepEqual(found.sample_types, ['dried_blood_spot'])
    assert.deepEqual([found.lab_name, found.method, found.fasting], ['QUEST', 'testkit', true])
    assert.equal(found.collection_hints.length, 4)
    const production = rowScope(app.db, app.team.production)
    await assert.rejects(getLabTestForInstructions(production, id), { status: 404 })
  })
})
