import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import {
  allResults,
  importOrder,
  missing,
  reportOf,
} from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createResultsFixture)
let userId: string
before(async () => {
  userId = await fixture.makeUser()
})

const show = async (id: string) => (await fixture.call('GET', `/v3/order/${id}`)).body
const result = async (id: string) => (await fixture.call('GET', `/v3/order/${id}/result`)).body
const statuses = async (id: string): Promise<string[]> =>
  (await show(id)).events.map(({ status }: { status: string }) => status.split('.').at(-1))
const take = (message: ResultMessage) => fixture.take({ message, labSlug: 'quest' })
/** Returns the events of an order since the last call for it. */
const eventsOf = async (id: string) =>
  (await fixture.events()).filter(({ data }) => (data.order_id ?? data.id) === id)
const namesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
const CREATED = ['labtest.order.created', 'labtest.order.updated']
const PARTIAL = allResults({ glucose: null, ldl: null })

describe('a final result message', () => {
  test('completes the order and its columns, with one event', async () => {
    const order = await importOrder(fixture, { userId })
    assert.equal(order.interpretation, null)
    const outcome = await take(
      reportOf(order, { results: allResults({ glucose: '130' }), pdf: null }),
    )
    assert.deepEqual(outcome, { state: 'processed', orderId: order.id })
    const shown = await show(order.id)
    assert.equal(shown.last_event.status, 'completed.walk_in_test.completed')
    assert.deepEqual([shown.interpretation, shown.has_missing_results], ['abnormal', false])
    // Collected on 28 February in local time.
    assert.ok(shown.expected_result_by_date > '2026-02-28')
    assert.deepEqual(await namesOf(order.id), [...CREATED, 'labtest.order.updated'])
    const emitted = (await eventsOf(order.id)).at(-1)?.data
    assert.deepEqual(emitted, shown)
  })

  test('that is delivered twice is stored once', async () => {
    const order = await importOrder(fixture, { userId })
    const report = reportOf(order)
    await take(report)
    assert.deepEqual(await take(report), { state: 'processed', orderId: order.id })
    const versions = await fixture.database.pool.query(
      'select version from results where order_id = $1',
      [order.id],
    )
    assert.equal(versions.rows.length, 1)
    assert.deepEqual(await statuses(order.id), ['ordered', 'requisition_bypassed', 'completed'])
  })

  test('that is delivered again after a correction does not restore the old values', async () => {
    const order = await importOrder(fixture, { userId })
    const report = reportOf(order)
    await take(report)
    await take(reportOf(order, { status: 'corrected', results: allResults({ ldl: '160' }) }))
    await take(report)
    assert.equal((await show(order.id)).interpretation, 'abnormal')
  })

  test('lists missing results', async () => {
    const order = await importOrder(fixture, { userId })
    const report = reportOf(order, {
      results: allResults({ glucose: null, ldl: null }),
      missing_results: [missing('glucose', 'Specimen hemolyzed')],
    })
    await take(report)
    const shown = await show(order.id)
    // The team has not enabled redraws.
    assert.equal(shown.last_event.status, 'completed.walk_in_test.completed')
    assert.equal(shown.has_missing_results, true)
    const found = (await result(order.id)).missing_results
    assert.deepEqual(
      found.map((each: Record<string, unknown>) => [
        each.slug,
        each.inferred_failure_type,
        each.note,
      ]),
      [
        ['glucose', 'collection_process_failure', 'Specimen hemolyzed'],
        ['ldl-cholesterol-calculated', 'unknown_failure', null],
      ],
    )
  })
})

describe('a partial result message', () => {
  test('is shown and appends an event of the order, without emitting it', async () => {
    const order = await importOrder(fixture, { userId })
    await take(reportOf(order, { status: 'partial', results: PARTIAL }))
    const shown = await show(order.id)
    assert.equal(shown.last_event.status, 'sample_with_lab.walk_in_test.partial_results')
    assert.deepEqual([shown.interpretation, shown.has_missing_results], ['normal', false])
    const { metadata, results, missing_results } = await result(order.id)
    assert.deepEqual([metadata.status, results.length, missing_results], ['partial', 5, []])
    assert.deepEqual(await namesOf(order.id), CREATED)
    await take(reportOf(order))
    assert.equal((await result(order.id)).metadata.status, 'final')
    assert.deepEqual(await namesOf(order.id), [...CREATED, 'labtest.order.updated'])
  })

  test('emits an event each when the team enabled it', async () => {
    const order = await importOrder(fixture, { userId })
    await fixture.set({ partial_webhooks_enabled: true })
    await take(reportOf(order, { status: 'partial', results: PARTIAL }))
    await take(reportOf(order, { status: 'partial', results: allResults({ ldl: null }) }))
    await fixture.set({ partial_webhooks_enabled: false })
    const emitted = (await eventsOf(order.id)).slice(2)
    assert.deepEqual(
      emitted.map(({ data }) => data.last_event.status),
      Array(2).fill('sample_with_lab.walk_in_test.partial_results'),
    )
  })

  test('after the final one changes nothing', async () => {
    const order = await importOrder(fixture, { userId })
    await take(reportOf(order))
    const before = await result(order.id)
    const late = reportOf(order, { status: 'partial', results: PARTIAL })
    assert.deepEqual(await take(late), { state: 'processed', orderId: order.id })
    assert.deepEqual(await result(order.id), before)
  })

  test('of a kit changes only the data of the order', async () => {
    const kit = await importOrder(fixture, { userId, lab: 'ussl', method: 'testkit' })
    const takeKit = (message: ResultMessage) => fixture.take({ message, labSlug: 'ussl' })
    const partial = allResults({ glucose: null, ldl: null, hdl: '20' })
    await takeKit(reportOf(kit, { status: 'partial', results: partial }))
    const shown = await show(kit.id)
    // The measurement implies that the laboratory has the kit.
    assert.equal(shown.last_event.status, 'sample_with_lab.testkit.delivered_to_lab')
    assert.equal(shown.interpretation, 'abnormal')
    await takeKit(reportOf(kit, { status: 'partial', results: allResults({ ldl: null }) }))
    assert.equal((await show(kit.id)).interpretation, 'normal')
    await takeKit(reportOf(kit))
    assert.deepEqual(await statuses(kit.id), [
      'ordered',
      'requisition_bypassed',
      'delivered_to_lab',
      'completed',
    ])
    assert.equal((await namesOf(kit.id)).length, 4)
  })
})

describe('concurrent result messages', () => {
  test('are stored in sequence', async () => {
    const order = await importOrder(fixture, { userId })
    const reports = ['101', '102', '103', '104'].map((ldl) =>
      reportOf(order, { results: allResults({ ldl }) }),
    )
    const outcomes = await Promise.all([...reports, ...reports].map(take))
    assert.ok(outcomes.every(({ state }) => state === 'processed'))
    assert.deepEqual((await statuses(order.id)).slice(2), [
      'completed',
      ...Array(3).fill('corrected'),
    ])
    const { rows } = await fixture.database.pool.query(
      'select version, pdf_file from results where order_id = $1 order by version',
      [order.id],
    )
    assert.deepEqual(
      rows.map(({ version }) => version),
      [1, 2, 3, 4],
    )
    assert.equal(new Set(rows.map(({ pdf_file: file }) => file)).size, 4)
  })
})

describe('a correction', () => {
  test('replaces final results, whether or not the laboratory marks it as one', async () => {
    const order = await importOrder(fixture, { userId })
    await take(reportOf(order))
    await take(reportOf(order, { status: 'corrected', results: allResults({ ldl: '140' }) }))
    const later = { timestamp: '2026-03-02T11:00:00Z', timezone_offset: 0 }
    await take(reportOf(order, { reported_at: later, results: allResults({ ldl: '150' }) }))
    assert.deepEqual((await statuses(order.id)).slice(-3), ['completed', 'corrected', 'corrected'])
    const { metadata, results } = await result(order.id)
    assert.equal(metadata.status, 'final')
    const ldl = results.find(({ loinc }: { loinc: string }) => loinc === '13457-7')
    assert.deepEqual([ldl.result, ldl.is_above_max_range], ['150', true])
  })

  test('is not assumed for another specimen', async () => {
    const order = await importOrder(fixture, { userId })
    await take(reportOf(order))
    const outcome = await take(reportOf(order, { specimen_number: 'ANOTHER' }))
    assert.deepEqual(outcome, { state: 'held', orderId: null })
    assert.equal((await statuses(order.id)).at(-1), 'completed')
  })
})

describe('an order that cannot receive a result message', () => {
  test('leaves it to review: without an appointment no blood was drawn at home', async () => {
    const order = await importOrder(fixture, { userId, method: 'at_home_phlebotomy' })
    const events = await statuses(order.id)
    assert.equal((await take(reportOf(order))).state, 'held')
    assert.deepEqual(await statuses(order.id), events)
    const { rows } = await fixture.database.pool.query(
      "select decision_code, status from unmatched_results where report ->> 'sample_id' = $1",
      [order.sample_id],
    )
    assert.deepEqual(rows, [{ decision_code: 'wrong_collection', status: 'pending_ops_review' }])
    const line = fixture.log.at(-1)
    assert.deepEqual(Object.keys(line?.data ?? {}), ['unmatchedResultId', 'decisionCode'])
  })
})
