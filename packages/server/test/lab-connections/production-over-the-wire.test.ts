import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { storedEvents } from '../stored-events.ts'
import type { Order } from './laboratory.ts'
import { IN_NORTH_DAKOTA, productionOfOperator } from './production-laboratory.ts'
import { type SentTest, type SentValue, writeResult } from './result-messages.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** The life of one production order, every message of the laboratory read back as it was sent. */

let wired: WiredLaboratory
let orderId: string
let userId: string
let order: Order
let sent = 0

before(async () => {
  wired = await createWiredLaboratory(productionOfOperator)
  await wired.connect()
})
after(() => wired?.close())

const thyroid = (value: string, flag: string, status: string): SentTest => ({
  code: '100',
  name: 'TSH',
  filler: 'N-100',
  status,
  values: [
    { code: 'R1', name: 'TSH', value, unit: 'm[IU]/L', range: '0.450-4.500', flag },
    { code: 'R9', name: 'Comment on method', type: 'ST', value: 'Third generation assay' },
  ],
})
const GLUCOSE: SentTest = {
  code: '200',
  name: 'Glucose',
  filler: 'N-200',
  status: 'X',
  values: [
    {
      code: '2345-7',
      name: 'Glucose',
      system: 'LN',
      value: '',
      comment: 'Test not performed. Quantity not sufficient for analysis.',
    },
  ],
}
const REFLEX: SentTest = {
  code: '101',
  name: 'Free T4',
  filler: 'N-101',
  reflex: { result: 'R1&TSH&L^^9.1', parent: '^N-100' },
  values: [
    {
      code: '3024-7',
      name: 'Free T4',
      system: 'LN',
      value: '0.7',
      unit: 'ng/dL',
      range: '0.8-1.8',
      flag: 'L',
    },
  ],
}
const organism = (subId: string, value: string): SentValue => ({
  code: '630-4',
  name: 'Bacteria identified',
  system: 'LN',
  type: 'ST',
  subId,
  value,
  flag: 'A',
})
const susceptibility = (
  subId: string,
  name: string,
  drugs: [string, string, string][],
): SentTest => ({
  code: '395S',
  name: `Susceptibility ${subId}`,
  filler: `N-395-${subId}`,
  reflex: { result: `630-4&Bacteria identified&LN^${subId}^${name}`, parent: '^N-395' },
  values: drugs.map(([code, value, flag]) => ({
    code,
    name: code,
    value,
    unit: 'ug/mL',
    flag,
    type: 'ST',
    subId,
  })),
})
const CULTURE: SentTest = {
  code: '395',
  name: 'Urine culture',
  filler: 'N-395',
  values: [organism('1', 'Escherichia coli'), organism('2', 'Klebsiella oxytoca')],
}
const FIRST_ISOLATE = susceptibility('1', 'Escherichia coli', [
  ['Ampicillin', '>=32', 'R'],
  ['Ciprofloxacin', '<=0.25', 'S'],
])
const SECOND_ISOLATE = susceptibility('2', 'Klebsiella oxytoca', [
  ['Ampicillin', '8', 'I'],
  ['Ciprofloxacin', '1', 'R'],
])
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
)

/** Sends a result, and waits until another version of the results is there. */
async function report(tests: SentTest[]): Promise<void> {
  const before = (await versions()).length
  sent += 1
  const at = `2026030112${String(sent).padStart(2, '0')}00`
  const about = { controlId: `N${sent}`, processingId: 'P', at }
  const answer = await wired.laboratory.send(wired.resultsPort, writeResult(order, about, tests))
  assert.deepEqual(answer.MSA?.[0]?.slice(1, 3), ['AA', `N${sent}`])
  const until = performance.now() + 30_000
  while ((await versions()).length === before) {
    assert.ok(performance.now() < until, 'the report has no version')
    await pause(20)
  }
}

async function versions(): Promise<{ version: number; status: string; is_correction: boolean }[]> {
  const { body } = await wired.call('GET', `/v3/order/${orderId}/result/version`)
  return body.data ?? []
}
const read = async (path = '') =>
  (await wired.call('GET', `/v3/order/${orderId}/result${path}`)).body

const STATUS: Record<string, string> = { P: 'preliminary', F: 'final', C: 'corrected' }

/** Every value of the tests as the laboratory sent it, in the words of the API. */
const valuesOf = (tests: SentTest[]) =>
  tests.flatMap(({ name: panel, filler, status: ofTest = 'F', reflex, values }) =>
    values.map((each) => [
      [panel, filler, reflex === undefined ? 'ordered' : 'reflex'],
      each.code,
      each.name,
      each.subId ?? null,
      each.value,
      each.unit ?? null,
      each.range ?? null,
      each.flag ?? '',
      STATUS[each.status ?? ofTest],
    ]),
  )

// biome-ignore lint/suspicious/noExplicitAny: the body of the API
const shown = ({ results }: { results: any[] }) =>
  results.map((each) => [
    [each.panel.name, each.panel.filler_number, each.panel.origin],
    each.provider_id ?? each.loinc,
    each.name,
    each.sub_id,
    each.result,
    each.unit,
    each.reference_range,
    each.source_interpretation,
    each.status,
  ])

const byText = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()

async function assertShown(tests: SentTest[], path = ''): Promise<void> {
  assert.deepEqual(byText(shown(await read(path))), byText(valuesOf(tests)))
}

describe('a production order over the wire', () => {
  test('reaches the laboratory with its tests, as a message of production', async () => {
    const placed = await wired.place(IN_NORTH_DAKOTA)
    orderId = placed.id
    userId = placed.user_id
    await wired.waitForStatus(orderId, 'received.walk_in_test.requisition_created')
    assert.equal(wired.laboratory.received.length, 1)
    order = wired.laboratory.received[0] as Order
    const msh = order.segments.find(([name]) => name === 'MSH')
    assert.deepEqual([order.control, msh?.[10]], ['NW', 'P'])
    assert.deepEqual(order.tests.toSorted(), ['100', '200', '395'])
  })

  test('has a preliminary value, and its final one in the next version', async () => {
    await report([thyroid('8.8', 'H', 'P')])
    await assertShown([thyroid('8.8', 'H', 'P')])
    await report([thyroid('9.1', 'H', 'F')])
    await assertShown([thyroid('9.1', 'H', 'F')])
    await assertShown([thyroid('8.8', 'H', 'P')], '?version=1')
  })

  test('says of a cancelled test why it has no value', async () => {
    await report([GLUCOSE])
    const { missing_results: missing } = await read()
    const glucose = missing.find(({ loinc }: { loinc: string }) => loinc === '2345-7')
    assert.deepEqual(
      [glucose.inferred_failure_type, glucose.note],
      ['quantity_not_sufficient_failure', GLUCOSE.values[0]?.comment],
    )
    await assertShown([thyroid('9.1', 'H', 'F')])
  })

  test('shows a reflex test below the result that led to it', async () => {
    await report([REFLEX])
    await assertShown([thyroid('9.1', 'H', 'F'), REFLEX])
    const { results } = await read()
    const reflex = results.find(({ loinc }: { loinc: string }) => loinc === '3024-7')
    assert.deepEqual([reflex.parent.name, reflex.interpretation], ['TSH', 'abnormal'])
  })

  test('is completed by a culture with the susceptibilities of two isolates', async () => {
    const culture = [CULTURE, FIRST_ISOLATE, SECOND_ISOLATE]
    await report(culture)
    await assertShown([thyroid('9.1', 'H', 'F'), REFLEX, ...culture])
    const { results, metadata } = await read()
    const parents = results
      .filter(({ name }: { name: string }) => name === 'Ampicillin')
      // biome-ignore lint/suspicious/noExplicitAny: the body of the API
      .map(({ sub_id: subId, parent }: any) => [subId, parent.sub_id, parent.result])
    assert.deepEqual(parents.toSorted(), [
      ['1', '1', 'Escherichia coli'],
      ['2', '2', 'Klebsiella oxytoca'],
    ])
    assert.equal(metadata.status, 'final')
    await wired.waitForStatus(orderId, 'completed.walk_in_test.completed')
  })

  test('has a corrected value, and the earlier one in its version', async () => {
    await report([thyroid('5.0', 'H', 'C')])
    const rest = [REFLEX, CULTURE, FIRST_ISOLATE, SECOND_ISOLATE]
    await assertShown([thyroid('5.0', 'H', 'C'), ...rest])
    await assertShown([thyroid('9.1', 'H', 'F'), ...rest], '?version=5')
    await wired.waitForStatus(orderId, 'completed.walk_in_test.corrected')
    const all = (await versions()).toSorted((a, b) => a.version - b.version)
    assert.deepEqual(
      all.map(({ status, is_correction }) => [status, is_correction]),
      [...Array.from({ length: 4 }, () => ['partial', false]), ['final', false], ['final', true]],
    )
  })

  test('has an event of each status, in the order in which the messages came', async () => {
    // Preliminary, final, cancelled, reflex.
    const partial = Array.from({ length: 4 }, () => 'partial_results')
    const events = await storedEvents(wired.harness, userId, /^labtest\.order\./)
    assert.deepEqual(
      events.map(({ payload }) => payload.data.last_event.status.split('.').at(-1)),
      ['ordered', 'requisition_created', ...partial, 'completed', 'corrected'],
    )
    const received = await wired.harness.database.pool.query(
      'select state, count(*)::int as count from lab_messages group by state',
    )
    assert.deepEqual(received.rows, [{ state: 'processed', count: sent }])
  })
})

test('a document that comes with all results is shown byte for byte', async () => {
  const placed = await wired.place(IN_NORTH_DAKOTA)
  orderId = placed.id
  await wired.waitForStatus(orderId, 'received.walk_in_test.requisition_created')
  order = wired.laboratory.received.at(-1) as Order
  const value = `^application^pdf^Base64^${PDF.toString('base64')}`
  const document: SentValue = { code: 'PDF', name: 'Report', type: 'ED', value }
  const whole = thyroid('2.1', 'N', 'F')
  await report([{ ...whole, values: [...whole.values, document] }, GLUCOSE, CULTURE])
  await assertShown([whole, CULTURE])
  const { status, bytes } = await wired.call('GET', `/v3/order/${orderId}/result/pdf`)
  assert.equal(status, 200)
  assert.ok(bytes.equals(PDF), 'the document is another one')
})
