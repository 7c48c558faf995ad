import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { makeLab, makeMarker } from '../../../../server/test/catalog/catalog-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const app = useFixture(createCatalogApp)
let lab: Record<'quest' | 'labcorp' | 'bioreference' | 'sonora_quest', number>
let lipid: { quest: number; labcorp: number; wide: number; named: number }
let hash: string

const LIPID = ['13457-7', '2085-9', '2093-3', '2571-8']

before(async () => {
  const { db } = app
  lab = {
    quest: await makeLab(db, 'quest'),
    labcorp: await makeLab(db, 'labcorp'),
    bioreference: await makeLab(db, 'bioreference'),
    sonora_quest: await makeLab(db, 'sonora_quest'),
  }
  lipid = {
    quest: await makeMarker(db, lab.quest, {
      name: 'Lipid panel',
      aliases: ['Lipids', 'Cholesterol panel'],
      provider_id: '7600',
      cpt_codes: ['80061'],
      loinc_codes: LIPID,
      popularity: 0.9,
    }),
    labcorp: await makeMarker(db, lab.labcorp, {
      name: 'Lipid Panel',
      provider_id: '303756',
      cpt_codes: ['80061', '83721'],
      loinc_codes: LIPID,
      popularity: 0.8,
    }),
    wide: await makeMarker(db, lab.labcorp, {
      name: 'Lipid panel with apolipoprotein B',
      provider_id: '303757',
      cpt_codes: ['82172'],
      loinc_codes: [...LIPID, '1884-6'],
      popularity: 0.3,
    }),
    named: await makeMarker(db, lab.sonora_quest, {
      name: 'Lipids',
      provider_id: '500',
      popularity: 0.2,
    }),
  }
  await makeMarker(db, lab.bioreference, {
    name: 'Cholesterol',
    provider_id: 'B1',
    loinc_codes: ['2093-3'],
    popularity: 0.6,
  })
  await makeMarker(db, lab.quest, { name: 'TSH', provider_id: '899', loinc_codes: ['3016-3'] })
  const hidden = { name: 'Lipid panel', loinc_codes: LIPID }
  await makeMarker(db, lab.quest, { ...hidden, provider_id: 'old', is_active: false })
  await makeMarker(db, lab.quest, { ...hidden, provider_id: 'reflex', is_orderable: false })
  const closed = await makeLab(db, 'crl', { is_enabled: false })
  await makeMarker(db, closed, { ...hidden, provider_id: 'closed' })
  const row = await db
    .selectFrom('markers')
    .select('loinc_set_hash')
    .where('id', '=', lipid.quest)
    .executeTakeFirstOrThrow()
  hash = row.loinc_set_hash
})

const post = (body: object) => app.team.call('POST', '/v3/compendium/search', body)
const search = async (body: object) => {
  const answer = await post(body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const canonical = async (query: string, more = {}) =>
  (await search({ mode: 'canonical', query, ...more })).canonical_candidates
const namesOf = (candidates: { display_name: string }[]) =>
  candidates.map(({ display_name: name }) => name)

describe('compendium search for canonical tests', () => {
  test('joins the markers of all labs that measure the same', async () => {
    const answer = await search({ mode: 'canonical', query: 'lipid panel' })
    assert.deepEqual(answer.selected_canonical, {
      loinc_set_hash: hash,
      display_name: 'Lipid panel',
      aliases: ['Cholesterol panel', 'Lipid Panel', 'Lipids'],
      loinc_codes: LIPID,
      provider_ids: ['303756', '7600'],
      loinc_components: ['C13457-7', 'C2085-9', 'C2093-3', 'C2571-8'],
      loinc_groups: [],
      cpt_codes: ['80061', '83721'],
      popularity_score: 0.9,
      confidence: 1,
    })
    assert.deepEqual(answer.canonical_candidates[0], answer.selected_canonical)
    assert.deepEqual([answer.mode, answer.per_lab, answer.related], ['canonical', {}, []])
  })

  test('ranks codes, names, aliases, and the rest', async () => {
    assert.deepEqual(namesOf(await canonical('lipid panel')), [
      'Lipid panel',
      'Lipid panel with apolipoprotein B',
    ])
    assert.deepEqual(namesOf(await canonical('lipids')), ['Lipids', 'Lipid panel'])
    assert.deepEqual(namesOf(await canonical('899')), ['TSH'])
    assert.deepEqual(namesOf(await canonical('2093-3')), [
      'Lipid panel',
      'Cholesterol',
      'Lipid panel with apolipoprotein B',
    ])
    const confidences = (await canonical('lipid')).map(
      ({ confidence }: { confidence: number }) => confidence,
    )
    assert.deepEqual(confidences, [0.85, 0.85, 0.85])
  })

  test('finds mistyped names, with less confidence', async () => {
    const [found] = await canonical('cholestrol panel')
    assert.equal(found.display_name, 'Lipid panel')
    assert.ok(found.confidence < (await canonical('cholesterol panel'))[0].confidence)
  })

  test('narrows by CPT codes and by limit', async () => {
    assert.deepEqual(namesOf(await canonical('lipid', { cpt_codes: ['82172'] })), [
      'Lipid panel with apolipoprotein B',
    ])
    // One CPT code among the joined markers suffices.
    assert.deepEqual(namesOf(await canonical('7600', { cpt_codes: ['83721'] })), ['Lipid panel'])
    assert.deepEqual(await canonical('lipid', { cpt_codes: ['1'] }), [])
    assert.equal((await canonical('lipid', { limit: 1 })).length, 1)
    assert.equal((await canonical('lipid', { limit: 10 })).length, 3)
  })

  test('returns null when nothing is found', async () => {
    const answer = await search({ mode: 'canonical', query: 'zzzzzz' })
    assert.deepEqual([answer.selected_canonical, answer.canonical_candidates], [null, []])
  })
})

interface Found {
  marker_id: number
  relation: string
  confidence: number
  reason_codes: string[]
}
const brief = (candidates: Found[]) =>
  candidates.map((it) => [it.marker_id, it.relation, it.reason_codes.join(' ')])

describe('compendium search across labs', () => {
  test('shows what each lab offers for the test', async () => {
    const { per_lab, selected_canonical } = await search({ mode: 'crosswalk', query: '7600' })
    assert.equal(selected_canonical.loinc_set_hash, hash)
    assert.deepEqual(Object.keys(per_lab).sort(), Object.keys(lab).sort())
    assert.deepEqual(brief(per_lab.quest), [[lipid.quest, 'exact', 'EXACT_LOINC_SET NAME_MATCH']])
    assert.deepEqual(brief(per_lab.labcorp), [
      [lipid.labcorp, 'exact', 'EXACT_LOINC_SET NAME_MATCH'],
      [lipid.wide, 'superset', 'SUPERSET'],
    ])
    assert.equal(per_lab.bioreference[0].relation, 'subset')
    assert.deepEqual(brief(per_lab.sonora_quest), [[lipid.named, 'suggested', 'SYNONYM_MATCH']])
    assert.deepEqual(per_lab.labcorp[1], {
      marker_id: lipid.wide,
      lab_id: lab.labcorp,
      lab_slug: 'labcorp',
      name: 'Lipid panel with apolipoprotein B',
      result_names: [...LIPID, '1884-6'].map((code) => `Result ${code}`),
      provider_id: '303757',
      loinc_set_hash: per_lab.labcorp[1].loinc_set_hash,
      loinc_codes: [...LIPID, '1884-6'].sort(),
      loinc_components: ['C13457-7', 'C1884-6', 'C2085-9', 'C2093-3', 'C2571-8'],
      loinc_groups: [],
      cpt_codes: ['82172'],
      relation: 'superset',
      confidence: 0.76,
      reason_codes: ['SUPERSET'],
      marker_popularity_score: 0.3,
    })
  })

  test('takes a set of codes in place of a query', async () => {
    const byHash = await search({ mode: 'crosswalk', loinc_set_hash: hash })
    const byQuery = await search({ mode: 'crosswalk', query: 'lipid panel' })
    assert.deepEqual(byHash.per_lab, byQuery.per_lab)
    assert.deepEqual(byHash.related, byQuery.related)
    assert.equal(byHash.canonical_candidates.length, 1)
    const cpt = { cpt_codes: ['82172'] }
    const narrowed = await search({ mode: 'crosswalk', loinc_set_hash: hash, ...cpt })
    assert.equal(narrowed.selected_canonical, null)
  })

  test('narrows by labs and by limit', async () => {
    const body = { mode: 'crosswalk', query: '7600', labs: ['labcorp'], limit: 1 }
    const { per_lab, related } = await search(body)
    assert.deepEqual(brief(per_lab.labcorp), [
      [lipid.labcorp, 'exact', 'EXACT_LOINC_SET NAME_MATCH'],
    ])
    assert.deepEqual([Object.keys(per_lab), related.length], [['labcorp'], 1])
  })

  test('returns related tests unless they are excluded', async () => {
    const { related } = await search({ mode: 'crosswalk', query: '7600' })
    const shown = related.map((it: Found & { canonical: { display_name: string } }) => [
      it.canonical.display_name,
      it.relation,
      it.confidence,
    ])
    assert.deepEqual(shown, [
      ['Lipid panel with apolipoprotein B', 'superset', 0.76],
      ['Cholesterol', 'subset', 0.225],
    ])
    const without = { mode: 'crosswalk', query: '7600', include_related: false }
    assert.deepEqual((await search(without)).related, [])
  })

  test('returns empty lists when nothing is found', async () => {
    const unknown = { mode: 'crosswalk', loinc_set_hash: 'unknown', labs: ['quest'] }
    const { selected_canonical, canonical_candidates, per_lab, related } = await search(unknown)
    assert.deepEqual(
      { selected_canonical, canonical_candidates, per_lab, related },
      { selected_canonical: null, canonical_candidates: [], per_lab: { quest: [] }, related: [] },
    )
  })

  test('returns the same every time', async () => {
    const body = { mode: 'crosswalk', query: 'lipid', limit: 20 }
    assert.deepEqual(await search(body), await search(body))
  })
})

describe('the rules of compendium search', () => {
  test('are enforced with 422', async () => {
    const both = { query: 'lipid', loinc_set_hash: 'x' }
    const cases: [object, string][] = [
      [{ query: 'lipid' }, 'mode'],
      [{ mode: 'canonical' }, 'query'],
      [{ mode: 'canonical', query: '  ' }, 'query'],
      [{ mode: 'canonical', ...both }, 'loinc_set_hash'],
      [{ mode: 'canonical', query: 'lipid', limit: 11 }, 'limit'],
      [{ mode: 'canonical', query: 'lipid', limit: 0 }, 'limit'],
      [{ mode: 'crosswalk' }, 'query'],
      [{ mode: 'crosswalk', ...both }, 'query'],
      [{ mode: 'crosswalk', query: 'lipid', limit: 21 }, 'limit'],
      [{ mode: 'crosswalk', query: 'lipid', labs: ['crl'] }, 'labs'],
    ]
    for (const [body, field] of cases) {
      const answer = await post(body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.equal(answer.body.detail[0].loc[1], field)
    }
    assert.equal((await post({ mode: 'crosswalk', query: 'lipid', limit: 20 })).status, 200)
  })
})
