import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { isLoincCode, isNpi } from '@salus/kernel/check-digits'
import { LABS } from '../lab-catalog.schema.ts'
import { normalizeSearchText } from '../markers/search-text.ts'
import { bundleCatalog, readCatalogFiles } from './catalog-files.ts'
import type { Catalog } from './catalog-format.schema.ts'
import { STARTING_CATALOG } from './catalog-loading.service.ts'
import { joinLoincs } from './catalog-lookup.ts'
import { readCatalog } from './read-catalog.ts'
import { type MarkerDraft, resolveMarkers } from './resolve-catalog.ts'

let catalog: Catalog
let markers: MarkerDraft[]

before(async () => {
  const read = readCatalog(bundleCatalog(await readCatalogFiles(STARTING_CATALOG)))
  assert.deepEqual(read.problems.list, [])
  assert.ok(read.catalog)
  catalog = read.catalog
  markers = resolveMarkers(catalog, joinLoincs(catalog, []))
})

const named = (labSlug: string, name: string): MarkerDraft => {
  const found = markers.find((marker) => marker.labSlug === labSlug && marker.name === name)
  assert.ok(found, `${labSlug} has no ${name}`)
  return found
}

/** Finds markers whose text contains every word. */
const search = (labSlug: string, words: string): MarkerDraft[] =>
  markers.filter(
    (marker) =>
      marker.labSlug === labSlug &&
      normalizeSearchText(words)
        .split(' ')
        .every((word) => marker.search_text.includes(word)),
  )

describe('the starting catalog', () => {
  it('has every laboratory of the contract, tests at each of them, and an account', () => {
    assert.deepEqual(catalog.labs.map(({ slug }) => slug).sort(), [...LABS].sort())
    for (const slug of LABS) {
      assert.ok(markers.filter(({ labSlug }) => labSlug === slug).length >= 9, slug)
      const accounts = (catalog.lab_accounts ?? []).filter(({ lab }) => lab === slug)
      assert.equal(accounts.length, 1, slug)
      assert.deepEqual(accounts[0]?.allowed_billing.client_bill, ['all'])
    }
    assert.ok(markers.length >= 400, String(markers.length))
  })

  it('offers every collection method at several laboratories', () => {
    for (const method of COLLECTION_METHODS) {
      const offering = catalog.labs.filter((lab) => lab.collection_methods.includes(method))
      assert.ok(offering.length >= 4, method)
    }
  })

  it('has valid LOINC codes with the names of its LOINC file', () => {
    const loincs = catalog.loincs ?? []
    for (const { code, name } of loincs) {
      assert.ok(isLoincCode(code), code)
      assert.ok(name.length > 0, code)
    }
    const byCode = new Map(loincs.map((loinc) => [loinc.code, loinc.name]))
    assert.equal(byCode.get('2345-7'), 'Glucose [Mass/volume] in Serum or Plasma')
    assert.equal(byCode.get('4548-4'), 'Hemoglobin A1c/Hemoglobin.total in Blood')
    assert.equal(byCode.get('3016-3'), 'Thyrotropin [Units/volume] in Serum or Plasma')
    const used = new Set(markers.flatMap(({ loinc_codes: codes }) => codes))
    assert.deepEqual(
      [...used].filter((code) => !byCode.has(code)),
      [],
    )
    assert.deepEqual(
      [...byCode.keys()].filter((code) => !used.has(code)),
      [],
      'never reported',
    )
  })

  it('gives every result a LOINC code, save those of Galleri', () => {
    const without = markers.filter(({ results }) =>
      results.some(({ loincCode }) => loincCode === null),
    )
    assert.deepEqual(
      without.map(({ name }) => name),
      ['Galleri multi-cancer early detection'],
    )
    assert.deepEqual(without[0]?.loinc_codes, [])
  })

  it('has the Galleri codes of the contract at Quest', () => {
    const { provider_id: id, results } = named('quest', 'Galleri multi-cancer early detection')
    assert.equal(id, '86038987')
    assert.deepEqual(
      results.map((result) => [result.provider_id, result.slug, result.required]),
      [
        ['86038987', 'galleri-cancer-signal', true],
        ['86038987_1', 'galleri-cancer-origin', false],
        ['86038987_2', 'galleri-cancer-subcategory', false],
        ['86038987_3', 'galleri-comment-1', false],
        ['86038987_4', 'galleri-comment-2', false],
      ],
    )
  })

  it('has no code twice in a laboratory, and none of the large laboratories shares one', () => {
    const large = ['quest', 'labcorp', 'bioreference', 'sonora_quest']
    const ids = markers.flatMap(({ labSlug, provider_id: id }) =>
      id === null ? [] : [large.includes(labSlug) ? id : `${labSlug} ${id}`],
    )
    assert.equal(new Set(ids).size, ids.length)
  })

  it('measures the same at the four laboratories that the compendium converts between', () => {
    const { loinc_set_hash: hash } = named('quest', 'Comprehensive metabolic panel')
    const same = markers.filter((marker) => marker.loinc_set_hash === hash)
    for (const lab of ['quest', 'labcorp', 'bioreference', 'sonora_quest']) {
      assert.ok(
        same.some(({ labSlug }) => labSlug === lab),
        lab,
      )
    }
    const hashesOf = (lab: string) =>
      new Set(markers.filter((it) => it.labSlug === lab).map((it) => it.loinc_set_hash))
    const [quest, labcorp] = [hashesOf('quest'), hashesOf('labcorp')]
    assert.ok([...quest].filter((it) => labcorp.has(it)).length > 250)
  })

  it('finds tests by what people type', () => {
    const searches: [string, string][] = [
      ['a1c', 'Hemoglobin A1c'],
      ['hba1c', 'Hemoglobin A1c'],
      ['sugar', 'Glucose'],
      ['vit d', 'Vitamin D, 25-hydroxy, total'],
      ['cholesterol', 'Lipid panel'],
      ['cmp', 'Comprehensive metabolic panel'],
      ['thyroid', 'Thyroid stimulating hormone'],
      ['lp(a)', 'Lipoprotein (a)'],
      ['std', 'Chlamydia and gonorrhea, NAA'],
      ['4548-4', 'Hemoglobin A1c'],
    ]
    for (const [words, name] of searches) {
      assert.ok(
        search('quest', words).some((marker) => marker.name === name),
        words,
      )
    }
  })

  it('asks about fasting, cycle, source, volume and symptoms', () => {
    const codesOf = (name: string) => named('quest', name).questions?.map(({ code }) => code)
    assert.deepEqual(codesOf('Lipid panel'), ['FSTING'])
    assert.deepEqual(codesOf('Estradiol'), ['LMP'])
    assert.deepEqual(codesOf('Chlamydia, NAA'), ['SOURCE'])
    assert.deepEqual(codesOf('Protein, 24 hour urine'), ['TOTVOL'])
    const types = new Set(markers.flatMap(({ questions }) => questions?.map((it) => it.type) ?? []))
    assert.deepEqual([...types].sort(), ['choice', 'multi_choice', 'numeric', 'text'])
  })

  it('gives every question and every answer a unique id, independent of how many tests use it', () => {
    const holders = new Map<number, string>()
    for (const { questions } of markers) {
      for (const { id, code, answers } of questions ?? []) {
        for (const [number, text] of [
          [id, code],
          ...answers.map((it) => [it.id, `${code} ${it.code}`]),
        ]) {
          assert.ok(Number.isInteger(number) && Number(number) > 0 && Number(number) < 2 ** 31)
          assert.equal(holders.get(Number(number)) ?? text, text)
          holders.set(Number(number), String(text))
        }
      }
    }
    assert.ok(holders.size > 30)
  })

  it('does not offer reflex tests for ordering', () => {
    const reflexes = markers.filter(({ reflexOf }) => reflexOf !== null)
    assert.ok(reflexes.length >= 20)
    for (const { labSlug, is_orderable: isOrderable, reflexOf, loinc_codes: codes } of reflexes) {
      assert.equal(isOrderable, false)
      const parent = markers.find((it) => it.labSlug === labSlug && it.provider_id === reflexOf)
      const optional = parent?.results.filter(({ required }) => !required) ?? []
      const reported = new Set(parent?.results.map(({ loincCode }) => loincCode))
      assert.ok(optional.length > 0)
      assert.ok(
        codes.every((code) => reported.has(code)),
        `${labSlug} ${reflexOf}`,
      )
    }
  })

  it('has a price and a turnaround time for each orderable with a code', () => {
    for (const marker of markers.filter((it) => it.is_orderable && it.labSlug !== 'manual')) {
      assert.ok((marker.price_cents ?? 0) >= 400, marker.name)
      const { common_tat_days: common, worst_case_tat_days: worst } = marker
      assert.ok(common !== null && worst !== null && common <= worst, marker.name)
      assert.ok(marker.popularity > 0 && marker.popularity <= 1, marker.name)
    }
  })

  it('ships no CPT codes, and the notices that LOINC asks for', () => {
    assert.ok(markers.every(({ cpt_codes: codes }) => codes.length === 0))
    const notice = readFileSync(join(STARTING_CATALOG, 'LOINC_short_license.txt'), 'utf8')
    assert.match(notice, /LOINC is copyright/)
    assert.ok(existsSync(join(STARTING_CATALOG, 'LOINC_license.txt')))
    const readme = readFileSync(join(STARTING_CATALOG, 'README.md'), 'utf8')
    assert.match(readme, /sample data/)
    assert.match(readme, /not affiliated/)
  })

  it('has physicians whose numbers are well formed and not issued', () => {
    const npis = (catalog.network_physicians ?? []).map(({ npi }) => npi)
    assert.ok(npis.length >= 2)
    for (const npi of npis) assert.ok(isNpi(npi) && npi.startsWith('2'), npi)
  })
})
