import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  allResults,
  importOrder,
  reported,
  reportOf,
} from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { LabResultsMetadata, LabResultsRaw } from '../results.schema.ts'
import { yearsOn } from './lab-results.presenter.ts'

const fixture = useFixture(createResultsFixture)
let userId: string
before(async () => {
  userId = await fixture.makeUser()
})

const get = (path: string, headers?: object) => fixture.call('GET', path, undefined, headers)
const result = async (id: string) => (await get(`/v3/order/${id}/result`)).body
const take = (message: ResultMessage) => fixture.take({ message, labSlug: 'quest' })

/** Creates an order with a result message. */
async function reportedOrder(more: Partial<ResultMessage> = {}) {
  const order = await importOrder(fixture, { userId })
  fixture.clock.advance(60)
  await take(reportOf(order, more))
  return order
}

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/,
    date: /^\d{4}-\d{2}-\d{2}$/,
  },
})
const isResults = ajv.compile(LabResultsRaw)
const isMetadata = ajv.compile(LabResultsMetadata)

describe('the results of an order', () => {
  test('have all fields of the contract, also those that the laboratory leaves out', async () => {
    const bare = {
      patient: {
        first_name: null,
        last_name: 'Moreau',
        dob: '1990-04-12',
        gender: null,
        patient_id: null,
      },
      ordering_physician: null,
      specimen_number: null,
      collected_at: null,
      received_at: null,
      reported_at: null,
      performing_laboratories: {},
    }
    for (const more of [{}, bare]) {
      const order = await reportedOrder(more)
      const body = await result(order.id)
      assert.ok(isResults(body), ajv.errorsText(isResults.errors))
      const metadata = await get(`/v3/order/${order.id}/result/metadata`)
      assert.ok(isMetadata(metadata.body), ajv.errorsText(isMetadata.errors))
      assert.deepEqual(metadata.body, body.metadata)
      for (const each of body.results) assert.equal(each.value, undefined)
    }
  })

  test('have the patient, the physician and the dates of the order when the message lacks them', async () => {
    const order = await reportedOrder({
      patient: {
        first_name: null,
        last_name: 'MOREAU',
        dob: '1990-04-12',
        gender: null,
        patient_id: null,
      },
      ordering_physician: null,
      specimen_number: null,
      account_id: null,
      reported_at: null,
      received_at: null,
    })
    const { metadata } = await result(order.id)
    assert.deepEqual(
      [metadata.age, metadata.dob, metadata.provider, metadata.specimen_number],
      ['35', '1990-04-12', 'Ines Park', ''],
    )
    assert.deepEqual(
      [metadata.laboratory, metadata['clia_#'], metadata.clia_number, metadata.account_id],
      ['Quest', '99D9000004', '99D9000004', '1234567890'],
    )
    assert.equal(metadata.date_received, null)
    assert.match(metadata.date_reported, /^2026-03-01T12:\d\d:00\+00:00$/)
  })

  test('have the sample, its times with their offsets, and the performing laboratory', async () => {
    const order = await reportedOrder()
    const { sample_information: samples, results } = await result(order.id)
    assert.deepEqual(Object.keys(samples), [order.sample_id])
    const sample = samples[order.sample_id]
    assert.deepEqual(sample.date_collected, {
      timestamp: '2026-02-28T15:00:00+00:00',
      timezone_offset: -25_200,
    })
    assert.equal(sample.performing_laboratories.EZ.address.zip, '85001')
    assert.equal(sample.clinical_information.fasting, true)
    for (const each of results) {
      assert.equal(each.source_sample_id, order.sample_id)
      assert.equal(each.performing_laboratory, 'EZ')
    }
  })

  test('have a type for each kind of result', async () => {
    const coded = reported('Signal', 'NOT_DETECTED', {
      type: 'coded_value',
      flag: 'N',
      unit: 'x',
      reference_range: '1-2',
      min_range_value: 1,
    })
    const order = await reportedOrder({
      results: [
        reported('ldl', '<10'),
        reported('hdl', 'See note', { notes: 'Lipemic', flag: 'A' }),
        reported('glucose', '99', { reference_range: '65-99', min_range_value: 70 }),
        reported('triglycerides', '150'),
        coded,
      ],
    })
    const { results } = await result(order.id)
    const shown = results.map((each: Record<string, unknown>) => [
      each.type,
      each.result_type,
      each.result,
      each.notes,
      each.min_range_value,
      each.max_range_value,
      each.is_below_min_range,
      each.is_above_max_range,
      each.interpretation,
      each.source_interpretation,
    ])
    assert.deepEqual(shown, [
      ['range', 'range', '<10', '<10', null, 100, null, false, 'normal', ''],
      [
        'comment',
        'comment',
        'See note',
        'See note\nLipemic',
        50,
        null,
        null,
        null,
        'abnormal',
        'A',
      ],
      ['numeric', 'numeric', '99', null, 70, 99, false, false, 'normal', ''],
      // The printed bound does not belong to the range.
      ['numeric', 'numeric', '150', null, null, 150, null, true, 'abnormal', ''],
      ['coded_value', 'coded_value', 'NOT_DETECTED', null, null, null, null, null, 'normal', 'N'],
    ])
    assert.equal(results[4].unit, null)
    assert.equal(results[4].source_markers, null)
  })

  test('do not exist before the first message, nor for an unknown order', async () => {
    const order = await importOrder(fixture, { userId })
    const paths = ['/result', '/result/metadata', '/result/pdf']
    for (const path of paths) {
      const early = await get(`/v3/order/${order.id}${path}`)
      assert.deepEqual([early.status, early.body.detail], [404, 'results_not_available'], path)
      const unknown = await get(`/v3/order/${randomUUID()}${path}`)
      assert.deepEqual([unknown.status, unknown.body.detail], [404, 'order_not_found'], path)
    }
    for (const path of ['/result', '/result/pdf']) {
      const early = await get(`/v3/order_transaction/${order.order_transaction.id}${path}`)
      assert.deepEqual([early.status, early.body.detail], [404, 'results_not_available'], path)
      const unknown = await get(`/v3/order_transaction/${randomUUID()}${path}`)
      assert.deepEqual(
        [unknown.status, unknown.body.detail],
        [404, 'order_transaction_not_found'],
        path,
      )
    }
  })

  test('are visible to no other team', async () => {
    const order = await reportedOrder()
    const other = await fixture.manage('POST', '/team', { name: 'Other', region: 'us' })
    const key = await fixture.manage('POST', '/team_api_keys/sandbox/us', {
      label: 'x',
      team_id: other.body.id,
    })
    for (const stranger of [fixture.productionKey, key.body.value]) {
      const headers = { 'x-service-api-key': stranger }
      for (const path of ['', '/metadata', '/pdf']) {
        const answer = await get(`/v3/order/${order.id}/result${path}`, headers)
        assert.deepEqual([answer.status, answer.body.detail], [404, 'order_not_found'])
      }
      for (const path of ['', '/pdf']) {
        const id = order.order_transaction.id
        const answer = await get(`/v3/order_transaction/${id}/result${path}`, headers)
        assert.deepEqual([answer.status, answer.body.detail], [404, 'order_transaction_not_found'])
      }
    }
  })
})

describe('an age', () => {
  test('is in completed years', () => {
    const on = (dob: string, at: string) => yearsOn(dob, new Date(`${at}T12:00:00Z`))
    assert.equal(on('1990-04-12', '2026-04-11'), '35')
    assert.equal(on('1990-04-12', '2026-04-12'), '36')
    assert.equal(on('2024-02-29', '2025-02-28'), '0')
    assert.equal(on('2026-03-02', '2026-03-01'), '')
    assert.equal(on('', '2026-03-01'), '')
  })
})

describe('the versions of a result', () => {
  async function correctedOrder() {
    const order = await reportedOrder()
    fixture.clock.advance(3600)
    const results = allResults({ cholesterol: '181' })
    const reported_at = { timestamp: '2026-03-09T09:00:00Z', timezone_offset: 0 }
    await take(reportOf(order, { status: 'corrected', results, reported_at }))
    return order
  }

  test('are listed, newest first, each with its own date', async () => {
    const { id } = await correctedOrder()
    const { status, body } = await get(`/v3/order/${id}/result/version`)
    assert.equal(status, 200)
    const [second, first] = body.data
    assert.deepEqual([second.version, second.is_correction], [2, true])
    assert.deepEqual([first.version, first.is_correction], [1, false])
    assert.equal(second.date_reported, '2026-03-09T09:00:00+00:00')
    assert.ok(second.date_reported > first.date_reported && second.created_at > first.created_at)
  })

  test('can all be read; the newest is the default', async () => {
    const { id } = await correctedOrder()
    const [newest, second, first] = await Promise.all(
      ['', '?version=2', '?version=1'].map((query) => get(`/v3/order/${id}/result${query}`)),
    )
    assert.deepEqual(second?.body, newest?.body)
    const [now, before] = [newest, first].map((answer) => answer?.body)
    assert.deepEqual([now.results[0].result, before.results[0].result], ['181', '180'])
    assert.ok(now.metadata.date_reported > before.metadata.date_reported)
    const metadata = await get(`/v3/order/${id}/result/metadata?version=1`)
    assert.deepEqual(metadata.body, before.metadata)
    const pdfs = await Promise.all(
      ['', '?version=1'].map((query) => get(`/v3/order/${id}/result/pdf${query}`)),
    )
    assert.deepEqual(
      pdfs.map(({ status }) => status),
      [200, 200],
    )
    assert.notDeepEqual(pdfs[0]?.bytes, pdfs[1]?.bytes)
  })

  test('that do not exist are distinguished from orders without results', async () => {
    const { id } = await correctedOrder()
    for (const path of ['result', 'result/metadata', 'result/pdf']) {
      const answer = await get(`/v3/order/${id}/${path}?version=3`)
      assert.deepEqual([answer.status, answer.body.detail], [404, 'result_version_not_found'])
    }
    assert.equal((await get(`/v3/order/${id}/result?version=0`)).status, 422)
    const open = await importOrder(fixture, { userId })
    const none = await get(`/v3/order/${open.id}/result/version`)
    assert.deepEqual([none.status, none.body.detail], [404, 'results_not_available'])
  })

  test('have no slug of another code than the reported one', async () => {
    const order = await importOrder(fixture, { userId })
    const other = reported('hdl', '60', { provider_id: '75006345', loinc: '50384-7' })
    await take(reportOf(order, { results: [other] }))
    const [first] = (await result(order.id)).results
    assert.deepEqual([first.loinc, first.loinc_slug], ['50384-7', null])
  })
})
