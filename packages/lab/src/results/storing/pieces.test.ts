import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ReportedResult, ReportedTest, ResultMessage } from '@salus/contracts/lab-gateway'
import {
  allResults,
  importOrder,
  reported,
  reportOf,
} from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { applyUpdate, lockOrder } from '../../orders/index.ts'

/** Reports in parts, and what becomes of their orders. */

const fixture = useFixture(createResultsFixture)
let userId: string

before(async () => {
  userId = await fixture.makeUser()
  await fixture.set({ partial_webhooks_enabled: true })
})

type Order = Awaited<ReturnType<typeof importOrder>>

const at = (minute: number) => ({
  timestamp: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString(),
  timezone_offset: 0,
})

/** The two tests of the order, lipids and glucose. */
const TESTS = { lipids: ['70373', 'Lipid panel'], glucose: ['71372', 'Glucose'] } as const

const testOf = (
  name: keyof typeof TESTS,
  minute: number,
  more: Partial<ReportedTest> = {},
): ReportedTest => ({
  provider_id: TESTS[name][0],
  name: TESTS[name][1],
  loinc: null,
  placer_number: null,
  filler_number: `${name}-1`,
  status: 'final',
  origin: 'ordered',
  parent: null,
  specimen: null,
  reported_at: at(minute),
  ...more,
})

const under = (test: string, results: ReportedResult[]) =>
  results.map((each) => ({ ...each, test }))
const lipidsOf = (changes = {}) => under('lipids', allResults({ glucose: null, ...changes }))
const glucoseOf = (value: string, more = {}) => under('glucose', [reported('glucose', value, more)])

const partOf = (
  order: Order,
  tests: Record<string, ReportedTest>,
  results: ReportedResult[],
  more: Partial<ResultMessage> = {},
) => reportOf(order, { status: 'partial', scope: 'part', tests, results, ...more })

const lipids = (order: Order, minute: number, changes = {}, more: Partial<ReportedTest> = {}) =>
  partOf(order, { lipids: testOf('lipids', minute, more) }, lipidsOf(changes))
const glucose = (order: Order, minute: number, value: string, more: Partial<ReportedTest> = {}) =>
  partOf(order, { glucose: testOf('glucose', minute, more) }, glucoseOf(value))

const take = (message: ResultMessage) => fixture.take({ message, labSlug: 'quest' })
const get = async (path: string) => (await fixture.call('GET', path)).body
const resultsOf = (id: string) => get(`/v3/order/${id}/result`)
const versionsOf = async (id: string) => (await get(`/v3/order/${id}/result/version`)).data.length

async function statusesOf(id: string): Promise<string[]> {
  const { events } = await get(`/v3/order/${id}`)
  return events.slice(2).map(({ status }: { status: string }) => status.split('.').at(-1))
}

async function shownGlucose(id: string) {
  const { results } = await resultsOf(id)
  return results.find(({ loinc }: { loinc: string }) => loinc === '2345-7')?.result
}

describe('an order is final when each of its tests has an end', () => {
  test('in whichever order the tests come', async () => {
    for (const isReversed of [false, true]) {
      const order = await importOrder(fixture, { userId })
      const parts = [lipids(order, 1), glucose(order, 2, '88')]
      for (const each of isReversed ? parts.toReversed() : parts) await take(each)
      assert.deepEqual(await statusesOf(order.id), ['partial_results', 'completed'])
      const { metadata, results, missing_results: missing } = await resultsOf(order.id)
      assert.deepEqual([metadata.status, results.length, missing], ['final', 7, []])
    }
  })

  test('whatever one message calls itself', async () => {
    const order = await importOrder(fixture, { userId })
    await take({ ...lipids(order, 1), status: 'final' })
    assert.deepEqual(await statusesOf(order.id), ['partial_results'])
    assert.equal((await resultsOf(order.id)).metadata.status, 'partial')
  })

  test('a cancelled test has one, and its results are missing for the reason that it gives', async () => {
    const order = await importOrder(fixture, { userId })
    await take(lipids(order, 1))
    const rejected = { number: null, type: 'SER', condition: null, reject_reason: 'Hemolyzed' }
    const gone = testOf('glucose', 2, { status: 'cancelled', specimen: rejected })
    await take(partOf(order, { glucose: gone }, []))
    assert.deepEqual(await statusesOf(order.id), ['partial_results', 'completed'])
    const { missing_results: missing } = await resultsOf(order.id)
    assert.deepEqual(
      missing.map((each: Record<string, unknown>) => [each.loinc, each.inferred_failure_type]),
      [['2345-7', 'collection_process_failure']],
    )
  })

  test('a preliminary value is shown as such, and keeps it open until it is confirmed', async () => {
    const order = await importOrder(fixture, { userId })
    await take(lipids(order, 1))
    const open = testOf('glucose', 2, { status: 'preliminary' })
    await take(partOf(order, { glucose: open }, glucoseOf('88', { status: 'preliminary' })))
    assert.deepEqual(await statusesOf(order.id), ['partial_results', 'partial_results'])
    const statusOf = async () =>
      (await resultsOf(order.id)).results.map(({ status }: { status: string }) => status).at(-1)
    assert.equal(await statusOf(), 'preliminary')
    const confirmed = [{ test: 'glucose', name: 'GLUCOSE', provider_id: null, loinc: '2345-7' }]
    await take(partOf(order, { glucose: testOf('glucose', 3) }, [], { confirmed }))
    assert.equal((await statusesOf(order.id)).at(-1), 'completed')
    assert.equal(await statusOf(), 'final')
  })

  test('reflex and added tests do not keep it open, and name the result that led to them', async () => {
    const order = await importOrder(fixture, { userId })
    const reflex = testOf('lipids', 3, {
      provider_id: 'APOB',
      name: 'Apolipoprotein B',
      filler_number: 'reflex-1',
      origin: 'reflex',
      status: 'pending',
      parent: {
        filler_number: 'lipids-1',
        provider_id: null,
        loinc: '13457-7',
        sub_id: null,
        value: null,
      },
    })
    await take(lipids(order, 1))
    await take(partOf(order, { glucose: testOf('glucose', 2), reflex }, glucoseOf('88')))
    assert.equal((await statusesOf(order.id)).at(-1), 'completed')
    const value = reported('APO B', '70', { provider_id: 'APOB-R', loinc: null })
    const emitted = (await fixture.events(/order\.updated/)).length
    const done = { ...reflex, status: 'final' as const, reported_at: at(9) }
    await take(partOf(order, { reflex: done }, under('reflex', [value])))
    assert.equal((await statusesOf(order.id)).at(-1), 'completed')
    assert.equal((await fixture.events(/order\.updated/)).length, emitted + 1)
    const shown = (await resultsOf(order.id)).results.at(-1)
    assert.deepEqual(
      [shown.panel.origin, shown.parent.name, shown.parent.result, shown.source_markers.length],
      ['reflex', 'LDL-CHOLESTEROL', '95', 1],
    )
  })
})

describe("the laboratory's time orders reports", () => {
  test('so an older one that comes late is stored, and changes nothing', async () => {
    const order = await importOrder(fixture, { userId })
    const whole = (minute: number, value: string, status: ResultMessage['status'] = 'final') =>
      reportOf(order, { status, reported_at: at(minute), results: allResults({ glucose: value }) })
    await take(whole(5, '90', 'corrected'))
    await take(whole(1, '88'))
    assert.deepEqual(await statusesOf(order.id), ['completed'])
    assert.deepEqual([await shownGlucose(order.id), await versionsOf(order.id)], ['90', 2])
    await take(whole(7, '91', 'corrected'))
    assert.deepEqual(await statusesOf(order.id), ['completed', 'corrected'])
    assert.equal(await shownGlucose(order.id), '91')
  })

  test('and the same results under another time are no correction', async () => {
    const order = await importOrder(fixture, { userId })
    await take(reportOf(order, { reported_at: at(1) }))
    await take(reportOf(order, { reported_at: at(2) }))
    await take(
      reportOf(order, { reported_at: at(3), status: 'corrected', notes: 'Name corrected' }),
    )
    await take(
      reportOf(order, { reported_at: at(4), status: 'corrected', notes: 'Name corrected' }),
    )
    assert.deepEqual(await statusesOf(order.id), ['completed', 'corrected'])
    assert.equal(await versionsOf(order.id), 4)
  })
})

describe('a result that the laboratory takes back', () => {
  const named = { test: 'glucose', name: 'GLUCOSE', provider_id: null, loinc: '2345-7' }

  test('is gone in a new version, and the completed order is corrected', async () => {
    const order = await importOrder(fixture, { userId })
    await take(lipids(order, 1))
    await take(glucose(order, 2, '88'))
    const withdrawn = [{ ...named, reason: 'deleted' as const }]
    await take(partOf(order, { glucose: testOf('glucose', 3) }, [], { withdrawn }))
    assert.equal(await shownGlucose(order.id), undefined)
    assert.equal((await statusesOf(order.id)).at(-1), 'corrected')
    const older = await get(`/v3/order/${order.id}/result?version=2`)
    assert.equal(older.results.length, 7)
    assert.deepEqual(await fixture.events(/withdrawn/), [])
  })

  test('because it was of another person opens an event without data of it', async () => {
    const order = await importOrder(fixture, { userId })
    await take(lipids(order, 1))
    await take(glucose(order, 2, '88'))
    const withdrawn = [{ ...named, reason: 'wrong_patient' as const }]
    await take(partOf(order, { glucose: testOf('glucose', 3) }, [], { withdrawn }))
    const [event] = await fixture.events(/withdrawn/)
    assert.deepEqual(Object.keys(event?.data), ['order_id', 'reason', 'count', 'withdrawn_at'])
    assert.deepEqual([event?.data.order_id, event?.data.count], [order.id, 1])
    const line = fixture.log.find(({ data }) => 'code' in data)
    assert.deepEqual(line?.data, { orderId: order.id, code: 'result_of_wrong_patient', count: 1 })
    assert.equal((await statusesOf(order.id)).at(-1), 'corrected')
  })
})

test('two isolates keep their susceptibilities, and neither says anything about normality', async () => {
  const order = await importOrder(fixture, { userId })
  const susceptibility = (isolate: string, flag: string, minute: number) =>
    partOf(
      order,
      {
        s: testOf('lipids', minute, {
          provider_id: 'SUSC',
          name: 'Susceptibility',
          filler_number: 'culture-1',
          origin: 'reflex',
          parent: {
            filler_number: null,
            provider_id: 'ORG',
            loinc: null,
            sub_id: isolate,
            value: 'Escherichia coli',
          },
        }),
      },
      under('s', [
        reported('AMPICILLIN', '<2', { provider_id: 'AMP', loinc: '28-1', flag, flags: [flag] }),
      ]),
    )
  await take(susceptibility('1', 'S', 1))
  await take(susceptibility('2', 'R', 2))
  const { results } = await resultsOf(order.id)
  assert.deepEqual(
    results.map((each: Record<string, Record<string, unknown>>) => [
      each.parent?.sub_id,
      each.source_interpretation,
      each.interpretation,
    ]),
    [
      ['1', 'S', 'unknown'],
      ['2', 'R', 'unknown'],
    ],
  )
})

test('results stay when the laboratory cancels the rest, and a later correction is held', async () => {
  const order = await importOrder(fixture, { userId })
  await take(lipids(order, 1))
  const scope = await fixture.context()
  await scope.transaction(async (tx) => {
    const row = await lockOrder(tx, order.id)
    assert.ok(row)
    const named = { orderId: order.id, labSlug: 'quest' }
    await applyUpdate(tx, row, { kind: 'cancelled_by_lab', order: named }, fixture.clock.now())
  })
  assert.deepEqual(await statusesOf(order.id), ['partial_results', 'cancelled'])
  const outcome = await take(lipids(order, 5, { ldl: '140' }))
  assert.deepEqual(outcome, { state: 'held', orderId: null })
  assert.equal((await resultsOf(order.id)).results.length, 6)
  const { rows } = await fixture.database.pool.query(
    "select decision_code from unmatched_results where report ->> 'sample_id' = $1",
    [order.sample_id],
  )
  assert.deepEqual(rows, [{ decision_code: 'match_cancelled' }])
})
