import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGoodLayout, assertSays } from '../../../server/test/documents/check-layout.ts'
import { readCode128 } from '../../../server/test/documents/code128.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import {
  instructions,
  longRequisition,
  tests,
} from '../../../server/test/documents/sample-documents.ts'
import {
  type CollectionInstructionsInput,
  type DocumentCollectionMethod,
  renderCollectionInstructions,
} from './index.ts'

const render = async (changes: Partial<CollectionInstructionsInput> = {}) =>
  readPdf(await renderCollectionInstructions({ ...instructions, ...changes }), { scale: 2 })

const METHODS: [DocumentCollectionMethod, string][] = [
  ['testkit', 'Taking your sample at home'],
  ['walk_in_test', 'Your visit to a service center'],
  ['at_home_phlebotomy', 'Your collection at home'],
  ['on_site_collection', 'Your collection on site'],
]

describe('collection instructions', () => {
  for (const [method, title] of METHODS) {
    test(`for ${method} are one or two pages with the tests and whom to ask`, async () => {
      const pdf = await render({ method, ...(method === 'testkit' ? {} : { tests }) })
      assertGoodLayout(pdf)
      assert.equal(pdf.title, title)
      assert.ok(pdf.pages.length <= 2, `${pdf.pages.length} pages`)
      assertSays(pdf, [
        title,
        'For Eleanor Vance',
        'Northwind Clinical Laboratories at (602) 555-0123',
        ...(method === 'testkit' ? instructions.tests : tests).map(({ name }) => name),
      ])
      assert.deepEqual(readCode128(pdf.pages[0]?.image ?? assert.fail()), [instructions.sampleId])
    })
  }

  test('of a kit explain the samples that are in it, and no others', async () => {
    const titles: Record<string, string> = {
      dried_blood_spot: 'Dried blood spots',
      arm_collector: 'Blood from the upper arm',
      serum: 'Blood in a tube',
      saliva: 'Do not eat, drink, smoke',
      urine: 'middle of the stream',
      stool: 'collection sheet over the toilet',
    }
    for (const sample_type of Object.keys(titles)) {
      const pdf = await render({ tests: [{ code: null, name: 'A test', sample_type }] })
      assertGoodLayout(pdf)
      const text = pdf.pages
        .map((page) => page.text)
        .join(' ')
        .toLowerCase()
      for (const [type, title] of Object.entries(titles)) {
        assert.equal(text.includes(title.toLowerCase()), type === sample_type, `${type}: ${title}`)
      }
    }
    const unknown = [{ code: null, name: 'A test', sample_type: 'hair' }]
    assertSays(await render({ tests: unknown }), ['Follow the leaflet', 'Hair'])
  })

  test('say whether to fast', async () => {
    assertSays(await render({ fasting: true }), ['Please fast', 'drink only plain water'])
    const pdf = await render({ fasting: false })
    assertSays(pdf, ['No need to fast'])
    assert.doesNotMatch(pdf.pages.map(({ text }) => text).join(), /Please fast/)
  })

  test('announce at a visit the samples that people give themselves', async () => {
    assertSays(await render({ method: 'walk_in_test', tests }), ['You will give a urine sample'])
    const blood = tests.filter(({ sample_type }) => sample_type === 'serum')
    const pdf = await render({ method: 'walk_in_test', tests: blood })
    assert.doesNotMatch(pdf.pages.map(({ text }) => text).join(), /urine/i)
  })

  test('need no patient and no number, and hold long names and many tests', async () => {
    const bare = await render({ patient: null, sampleId: null, tests: [] })
    assertGoodLayout(bare)
    assert.doesNotMatch(bare.pages.map(({ text }) => text).join(), /null|For /)
    const { patient, tests: many } = longRequisition
    const long = await render({ patient, tests: many })
    assertGoodLayout(long)
    assertSays(long, [patient.last_name, ...many.map(({ name }) => name)])
  })

  test('are the same bytes for the same input', async () => {
    const first = await renderCollectionInstructions(instructions)
    assert.ok(first.equals(await renderCollectionInstructions(instructions)))
  })
})
