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
import { useFixture } from '../../../../server/test/use-fixture.ts'

const URL = '/v3/lab_tests/markers'

const app = useFixture(createCatalogApp)
let lab: { quest: number; labcorp: number; closed: number }
let marker: Record<'lipid' | 'tsh' | 'fixed' | 'theirs' | 'reflex' | 'closed', number>
let account: { quest: string; onlyTsh: string }

before(async () => {
  const { db } = app
  lab = {
    quest: await makeLab(db, 'quest'),
    labcorp: await makeLab(db, 'labcorp'),
    closed: await makeLab(db, 'crl', { is_enabled: false }),
  }
  const tsh = await makeMarker(db, lab.quest, { name: 'B TSH', provider_id: 'T/1' })
  marker = {
    tsh,
    lipid: await makeMarker(db, lab.quest, {
      name: 'A lipid panel',
      provider_id: 'L1',
      price_cents: 1250,
      unit: 'mg/dL',
      description: 'Fats.',
      loinc_codes: ['2093-3'],
      sometimes: ['18262-6'],
      questions: [question({ id: 3 })],
    }),
    fixed: await makeMarker(db, lab.quest, {
      name: 'C fixed',
      provider_id: 'F',
      a_la_carte_enabled: false,
      price_cents: null,
    }),
    theirs: await makeMarker(db, lab.labcorp, { name: 'D theirs', provider_id: 'L1' }),
    reflex: await makeMarker(db, lab.quest, {
      name: 'Reflex',
      provider_id: 'R',
      is_orderable: false,
      reflex_of: tsh,
    }),
    closed: await makeMarker(db, lab.closed, { name: 'E closed', provider_id: 'E' }),
  }
  await makeMarker(db, lab.quest, { name: 'Old', provider_id: 'OLD', is_active: false })
  account = {
    quest: await makeLabAccount(db, lab.quest),
    onlyTsh: await makeLabAccount(db, lab.quest, { offered_provider_ids: ['T/1'] }),
  }
})

const list = async (query = '') => {
  const answer = await app.team.call('GET', `${URL}${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const idsOf = (markers: { id: number }[]) => markers.map(({ id }) => id)

describe('GET /v3/lab_tests/markers', () => {
  test('lists by name what can be ordered, in all fields', async () => {
    const { markers, ...page } = await list()
    const { lipid, tsh, fixed, theirs } = marker
    assert.deepEqual(idsOf(markers), [lipid, tsh, fixed, theirs])
    assert.deepEqual(page, { total: 4, page: 1, size: 50, pages: 1, pricing: null })
    const [first] = markers
    const { expected_results: results, ...rest } = first
    assert.deepEqual(rest, {
      id: marker.lipid,
      name: 'A lipid panel',
      slug: 'a-lipid-panel',
      description: 'Fats.',
      lab_id: lab.quest,
      provider_id: 'L1',
      type: 'panel',
      unit: 'mg/dL',
      price: '12.50',
      aoe: { questions: [question({ id: 3 })] },
      a_la_carte_enabled: true,
      common_tat_days: 1,
      worst_case_tat_days: 3,
      is_orderable: true,
      specimens: null,
    })
    assert.deepEqual(results[0], {
      id: results[0].id,
      name: 'Result 2093-3',
      slug: 'result-2093-3',
      lab_id: lab.quest,
      provider_id: 'R2093-3',
      required: true,
      loinc: {
        id: results[0].loinc.id,
        name: 'Long name of 2093-3',
        slug: 'loinc-2093-3',
        code: '2093-3',
        unit: null,
      },
      unit: 'mg/dL',
    })
    assert.equal(results[1].required, false)
    assert.equal(markers[2].price, 'N/A')
  })

  test('filters', async () => {
    const { lipid, tsh, fixed, theirs } = marker
    const cases: [string, number[]][] = [
      [`?lab_id=${lab.labcorp}`, [theirs]],
      [`?lab_id=${lab.labcorp}&lab_id=${lab.quest}`, [lipid, tsh, fixed, theirs]],
      [`?lab_id=${lab.closed}`, []],
      ['?lab_slug=labcorp', [theirs]],
      [`?lab_slug=labcorp&lab_id=${lab.quest}`, [theirs]],
      ['?lab_slug=bioreference', []],
      ['?a_la_carte_enabled=false', [fixed]],
      ['?a_la_carte_enabled=true', [lipid, tsh, theirs]],
      [`?lab_account_id=${account.quest}`, [lipid, tsh, fixed]],
      [`?lab_account_id=${account.onlyTsh}`, [tsh]],
      [`?lab_account_id=${account.quest}&lab_slug=labcorp`, []],
      ['?name=lipid', [lipid]],
      ['?name=L1', [lipid, theirs]],
      ['?name=l1&lab_slug=labcorp', [theirs]],
      ['?name=lipid&a_la_carte_enabled=false', []],
      [`?name=lipid&lab_account_id=${account.onlyTsh}`, []],
      ['?name=reflex', []],
    ]
    for (const [query, expected] of cases) {
      const { markers, total } = await list(query)
      assert.deepEqual(idsOf(markers), expected, query)
      assert.equal(total, expected.length, query)
    }
    const unknown = await app.team.call('GET', `${URL}?lab_account_id=${newId()}`)
    assert.equal(unknown.body.detail.error_type, 'lab_account_invalid')
  })

  test('pages', async () => {
    const { markers, ...page } = await list('?size=3&page=2')
    assert.deepEqual(idsOf(markers), [marker.theirs])
    assert.deepEqual(page, { total: 4, page: 2, size: 3, pages: 2, pricing: null })
    const beyond = await list('?name=lipid&page=1000000000&size=100')
    assert.deepEqual([beyond.markers, beyond.total, beyond.pages], [[], 1, 1])
    for (const query of ['?size=0', '?size=101', '?page=0', '?lab_id=x', '?lab_id=2147483648']) {
      assert.equal((await app.team.call('GET', `${URL}${query}`)).status, 422, query)
    }
  })

  test('returns prices on request', async () => {
    const { pricing } = await list('?include_pricing=true&size=3')
    const known = (cents: number) => ({ base_amount_minor: cents, modifiers: null })
    assert.deepEqual(pricing, {
      currency: 'USD',
      data: {
        [marker.lipid]: known(1250),
        [marker.tsh]: known(1000),
        [marker.fixed]: { unspecified: 'price_unavailable' },
      },
    })
  })
})

describe('GET /v3/lab_tests/{lab_id}/markers/{provider_id}', () => {
  const read = (labId: number, code: string, query = '') =>
    app.team.call('GET', `/v3/lab_tests/${labId}/markers/${encodeURIComponent(code)}${query}`)

  test('reads one marker, without its results', async () => {
    const { status, body } = await read(lab.quest, 'L1')
    assert.equal(status, 200)
    assert.deepEqual([body.id, body.price], [marker.lipid, '12.50'])
    assert.equal('expected_results' in body, false)
    assert.equal((await read(lab.labcorp, 'L1')).body.id, marker.theirs)
    assert.equal((await read(lab.quest, 'T/1')).body.id, marker.tsh)
    assert.equal((await read(lab.quest, 'R')).body.is_orderable, false)
  })

  test('answers 404 for others', async () => {
    const unknown = [
      await read(lab.labcorp, 'T/1'),
      await read(lab.quest, 'nothing'),
      await read(lab.quest, 'OLD'),
      await read(lab.closed, 'E'),
      await read(2_000_000_000, 'L1'),
      await read(lab.quest, 'L1', `?lab_account_id=${account.onlyTsh}`),
      await read(lab.labcorp, 'L1', `?lab_account_id=${account.quest}`),
    ]
    for (const { status, body } of unknown) {
      assert.deepEqual([status, body], [404, { detail: 'marker_not_found' }])
    }
    const offered = await read(lab.quest, 'T/1', `?lab_account_id=${account.onlyTsh}`)
    assert.equal(offered.status, 200)
  })
})

describe('POST /v3/lab_tests/list_order_set_markers', () => {
  const post = (body: object, query = '') =>
    app.team.call('POST', `/v3/lab_tests/list_order_set_markers${query}`, body)

  test('lists what would be ordered, each marker once, in pages', async () => {
    const words = { name: 'A test', description: '', method: 'walk_in_test' }
    const ids = [marker.fixed, marker.lipid]
    const saved = await app.team.call('POST', '/v3/lab_tests', { ...words, marker_ids: ids })
    const set = {
      lab_test_ids: [saved.body.id],
      add_on: { marker_ids: [marker.lipid, marker.tsh] },
    }
    const { body } = await post(set)
    assert.deepEqual(idsOf(body.markers), [marker.fixed, marker.lipid, marker.tsh])
    assert.deepEqual([body.total, body.pages], [3, 1])
    assert.equal(body.markers[1].expected_results.length, 2)
    const second = (await post(set, '?page=2&size=2')).body
    assert.deepEqual(idsOf(second.markers), [marker.tsh])
    assert.deepEqual([second.total, second.page, second.size, second.pages], [3, 2, 2, 2])
  })

  test('refuses the same as an order', async () => {
    const refusals: [object, number, string][] = [
      [{}, 400, 'order_set_required'],
      [{ add_on: {} }, 400, 'add_on_empty'],
      [{ add_on: { marker_ids: [marker.fixed] } }, 400, 'marker_not_a_la_carte'],
      [{ add_on: { provider_ids: ['L1'] } }, 400, 'multiple_labs'],
      [{ lab_test_ids: [newId()] }, 404, 'lab_test_not_found'],
      [{ add_on: { provider_ids: ['E'] } }, 404, 'marker_not_found'],
    ]
    for (const [body, status, slug] of refusals) {
      const answer = await post(body)
      assert.equal(answer.status, status, slug)
      const { detail } = answer.body
      assert.equal(status === 404 ? detail : detail.error_type, slug)
    }
  })
})
