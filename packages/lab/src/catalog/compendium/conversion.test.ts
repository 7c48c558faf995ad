import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { makeLab, makeMarker } from '../../../../server/test/catalog/catalog-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const app = useFixture(createCatalogApp)
let lab: { quest: number; labcorp: number }
let labTestId: string

before(async () => {
  const { db } = app
  lab = { quest: await makeLab(db, 'quest'), labcorp: await makeLab(db, 'labcorp') }
  const quest = (name: string, code: string | null, loincCodes: string[]) =>
    makeMarker(db, lab.quest, { name, provider_id: code, loinc_codes: loincCodes })
  const labcorp = (name: string, code: string | null, loincCodes: string[], popularity = 0) =>
    makeMarker(db, lab.labcorp, { name, provider_id: code, loinc_codes: loincCodes, popularity })
  const tsh = await quest('TSH', 'Q-TSH', ['3016-3'])
  const lipid = await quest('Lipids', 'Q-LIP', ['1', '2', '3'])
  const rare = await quest('Rare', 'Q-RARE', ['9'])
  const uncoded = await quest('Uncoded', null, ['3016-3'])
  await quest('Shared', 'SAME', ['7'])
  await labcorp('TSH', 'L-TSH', ['3016-3'], 0.1)
  await labcorp('Thyrotropin', 'L-TSH2', ['3016-3'], 0.9)
  await labcorp('Thyroid without code', null, ['3016-3'], 1)
  await labcorp('Lipids and more', 'L-LIP', ['1', '2', '3', '4'])
  await labcorp('Everything', 'L-ALL', ['1', '2', '3', '3016-3', ...'abcdefghijkl'])
  await labcorp('Shared', 'SAME', ['8'])
  const body = {
    name: 'Check',
    description: '',
    method: 'walk_in_test',
    marker_ids: [lipid, tsh, rare, uncoded],
  }
  labTestId = (await app.team.call('POST', '/v3/lab_tests', body)).body.id
})

const convert = (body: object) => app.team.call('POST', '/v3/compendium/convert', body)
const toLabcorp = (body: object) => convert({ target_lab: 'labcorp', ...body })
const codesOf = (candidates: { provider_id: string }[]) =>
  candidates.map(({ provider_id: code }) => code)

describe('POST /v3/compendium/convert', () => {
  test('converts a saved test', async () => {
    const { status, body } = await toLabcorp({ lab_test_id: labTestId.toUpperCase() })
    assert.equal(status, 200)
    const { by_source_provider_id: bySource, ...rest } = body
    assert.deepEqual(rest, {
      source_lab_test_id: labTestId,
      source_lab_id: lab.quest,
      target_lab_id: lab.labcorp,
      target_lab_slug: 'labcorp',
      source_provider_ids: ['Q-LIP', 'Q-TSH', 'Q-RARE'],
      converted_provider_ids: ['L-LIP', 'L-TSH2'],
      unresolved_provider_ids: ['Q-RARE'],
    })
    assert.equal(bySource['Q-TSH'].source_provider_id, 'Q-TSH')
    assert.deepEqual(codesOf(bySource['Q-TSH'].candidates), ['L-TSH2', 'L-TSH'])
    // A panel with the code among many others is not a replacement.
    assert.deepEqual(codesOf(bySource['Q-LIP'].candidates), ['L-LIP'])
    assert.deepEqual(bySource['Q-RARE'].candidates, [])
  })

  test('converts codes, and determines their lab when only one has all of them', async () => {
    const known = (await toLabcorp({ provider_ids: ['Q-TSH', 'SAME', 'Q-TSH'] })).body
    assert.equal(known.source_lab_test_id, null)
    assert.equal(known.source_lab_id, lab.quest)
    assert.deepEqual(known.source_provider_ids, ['Q-TSH', 'SAME'])
    assert.deepEqual(known.converted_provider_ids, ['L-TSH2', 'SAME'])
    const unsure = (await toLabcorp({ provider_ids: ['SAME'] })).body
    assert.equal(unsure.source_lab_id, null)
    const unknown = (await toLabcorp({ provider_ids: ['Q-TSH', 'nothing'] })).body
    assert.deepEqual([unknown.source_lab_id, unknown.unresolved_provider_ids], [null, ['nothing']])
  })

  test('returns the requested number of candidates', async () => {
    const { body } = await toLabcorp({ provider_ids: ['Q-TSH'], limit: 1 })
    assert.deepEqual(codesOf(body.by_source_provider_id['Q-TSH'].candidates), ['L-TSH2'])
    for (const limit of [0, 21]) {
      assert.equal((await toLabcorp({ provider_ids: ['Q-TSH'], limit })).status, 422)
    }
  })

  test('requires exactly one source', async () => {
    const both = { lab_test_id: labTestId, provider_ids: ['Q-TSH'] }
    const none = { lab_test_id: null, provider_ids: [] }
    for (const body of [{}, none, both]) assert.equal((await toLabcorp(body)).status, 422)
    assert.equal((await convert({ provider_ids: ['x'], target_lab: 'crl' })).status, 422)
  })

  test('finds tests of its own environment, and labs of the installation', async () => {
    const unknown = await toLabcorp({ lab_test_id: newId() })
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'lab_test_not_found'])
    const body = { lab_test_id: labTestId, target_lab: 'labcorp' }
    const stranger = await app.makeTeam()
    assert.equal((await stranger.call('POST', '/v3/compendium/convert', body)).status, 404)
    const target = await convert({ provider_ids: ['Q-TSH'], target_lab: 'bioreference' })
    assert.deepEqual([target.status, target.body.detail], [404, 'lab_not_found'])
  })
})

describe('POST /v3/compendium/search_orderable_tests', () => {
  const search = (body: object) =>
    app.team.call('POST', '/v3/compendium/search_orderable_tests', {
      target_lab: 'labcorp',
      ...body,
    })

  test('finds the best of the lab for each code', async () => {
    const { status, body } = await search({ provider_ids: ['Q-TSH', 'Q-LIP', 'nothing'] })
    assert.equal(status, 200)
    const found = Object.entries<{ provider_id: string }[]>(body.candidates)
    assert.deepEqual(
      found.map(([code, candidates]) => [code, codesOf(candidates)]),
      [
        ['Q-TSH', ['L-TSH2']],
        ['Q-LIP', ['L-LIP']],
        ['nothing', []],
      ],
    )
    const more = await search({ provider_ids: ['Q-TSH'], per_provider_limit: 5 })
    assert.deepEqual(codesOf(more.body.candidates['Q-TSH']), ['L-TSH2', 'L-TSH'])
  })

  test('takes up to 100 codes', async () => {
    const codes = (count: number) => Array.from({ length: count }, (_, index) => `code ${index}`)
    assert.equal((await search({ provider_ids: codes(100) })).status, 200)
    assert.equal((await search({ provider_ids: codes(101) })).status, 422)
    assert.deepEqual((await search({ provider_ids: [] })).body, { candidates: {} })
    assert.equal((await search({})).status, 422)
  })
})
