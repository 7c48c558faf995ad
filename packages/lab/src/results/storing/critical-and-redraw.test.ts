import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import {
  allResults,
  importOrder,
  missing,
  reported,
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
const statuses = async (id: string): Promise<string[]> =>
  (await show(id)).events.map(({ status }: { status: string }) => status.split('.').at(-1))
const take = (message: ResultMessage) => fixture.take({ message, labSlug: 'quest' })
/** Returns the events of an order since the last call for it. */
const eventsOf = async (id: string) =>
  (await fixture.events()).filter(({ data }) => (data.order_id ?? data.id) === id)
const namesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
const CREATED = ['labtest.order.created', 'labtest.order.updated']
const PARTIAL = allResults({ glucose: null, ldl: null })

describe('a critical value', () => {
  const critical = (name: string) => reported(name, '900', { flag: 'HH' })
  const withCritical = (...names: string[]) => [
    ...allResults(Object.fromEntries(names.map((name) => [name, null]))),
    ...names.map(critical),
  ]

  test('emits its own event, once for each version with a newly critical value', async () => {
    const order = await importOrder(fixture, { userId })
    const start = fixture.clock.now()
    await take(reportOf(order, { status: 'partial', results: PARTIAL }))
    assert.deepEqual(await namesOf(order.id), CREATED)
    fixture.clock.advance(60)
    const more = { status: 'partial' as const, results: withCritical('glucose') }
    await take(reportOf(order, more))
    fixture.clock.advance(60)
    // Still critical, not newly critical.
    await take(reportOf(order, { results: withCritical('glucose') }))
    await take(reportOf(order, { status: 'corrected', results: withCritical('glucose', 'ldl') }))
    const emitted = (await eventsOf(order.id))
      .slice(2)
      .filter(({ type }) => !type.includes('critical_result_task'))
    assert.deepEqual(
      emitted.map(({ type, data }) => [type, data.status ?? null]),
      [
        ['labtest.result.critical', 'partial'],
        ['labtest.order.updated', 'completed'],
        ['labtest.order.updated', 'completed'],
        ['labtest.result.critical', 'final'],
      ],
    )
    assert.deepEqual(emitted[0], {
      type: 'labtest.result.critical',
      userId,
      data: {
        order_id: order.id,
        sample_id: order.sample_id,
        status: 'partial',
        interpretation: 'critical',
        team_id: fixture.teamId,
        user_id: userId,
        created_at: `${start.toISOString().slice(0, 19)}+00:00`,
        updated_at: `${new Date(+start + 60_000).toISOString().slice(0, 19)}+00:00`,
      },
    })
    assert.equal((await show(order.id)).interpretation, 'critical')
  })
})

describe('a redraw', () => {
  before(() => fixture.set({ redraws_enabled: true }))
  after(() => fixture.set({ redraws_enabled: false }))

  const QNS = {
    results: allResults({ glucose: null }),
    missing_results: [missing('glucose', 'QNS')],
  }

  test('orders the results that the laboratory owes again, once', async () => {
    const order = await importOrder(fixture, { userId })
    fixture.clock.advance(60)
    await take(reportOf(order, QNS))
    const shown = await show(order.id)
    assert.equal(shown.last_event.status, 'collecting_sample.walk_in_test.redraw_available')
    const [, redraw] = shown.order_transaction.orders
    assert.deepEqual([redraw.origin, redraw.parent_id], ['redraw', order.id])
    assert.equal(shown.order_transaction.status, 'active')
    const { rows } = await fixture.database.pool.query(
      `select m.name from orders o join markers m on m.id = any(o.marker_ids)
      where o.id = $1`,
      [redraw.id],
    )
    assert.deepEqual(rows, [{ name: 'Glucose' }])
    assert.deepEqual(await namesOf(redraw.id), ['labtest.order.created'])
    const emitted = (await fixture.events()).slice(-2)
    const expected = [redraw.id, order.id].map((id) => [id, [order.id, redraw.id]])
    const idsOf = ({ data }: (typeof emitted)[number]) => [
      data.id,
      data.order_transaction.orders.map(({ id }: { id: string }) => id),
    ]
    assert.deepEqual(emitted.map(idsOf), expected)
    // The initial order gets no further updates.
    const late = await take(reportOf(order, { status: 'corrected' }))
    assert.equal(late.state, 'held')
  })

  test('is not made for results that the laboratory does not owe', async () => {
    const cases: [Partial<ResultMessage>, string][] = [
      [{ missing_results: [missing('glucose', 'Patient not fasting')] }, 'the patient'],
      [{ missing_results: [missing('glucose', 'Duplicate order')] }, 'harmless'],
      [{ status: 'partial', missing_results: [missing('glucose', 'QNS')] }, 'not final'],
    ]
    for (const [more, why] of cases) {
      const order = await importOrder(fixture, { userId })
      await take(reportOf(order, { results: QNS.results, ...more }))
      assert.equal((await show(order.id)).order_transaction.orders.length, 1, why)
    }
  })

  test('is made at the three laboratories that do so, for walk-in tests only', async () => {
    const order = await importOrder(fixture, { userId, method: 'on_site_collection' })
    await take(reportOf(order, QNS))
    assert.equal((await statuses(order.id)).at(-1), 'completed')
  })
})
