import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  makeLabAccount,
  makeMarker,
  question,
} from '../../../../server/test/catalog/catalog-fixture.ts'
import { readPdf } from '../../../../server/test/documents/read-pdf.ts'
import { PATIENT_DETAILS } from '../../../../server/test/orders/order-bodies.ts'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

const UNKNOWN = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
/** Late, because orders use the oldest account of an installation. */
const LATE = { created_at: new Date('2999-01-01T00:00:00Z') }
const COLLECTED = 'collection_date=2026-03-02T09:30:00-07:00'
const REQUISITION = 'requisition/pdf'
const LABELS = `labels/pdf?${COLLECTED}`
const INSTRUCTIONS = 'collection_instruction_pdf'

const get = (orderId: string, path: string, headers: object = {}) =>
  fixture.harness.call('GET', `/v3/order/${orderId}/${path}`, undefined, headers)

/** Returns the pages of a document of an order as text. */
async function textOf(url: string): Promise<{ text: string; pages: number; name: string }> {
  const { apiKey, app } = fixture.harness
  const headers = { 'x-service-api-key': apiKey }
  const answer = await app.inject({ method: 'GET', url, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.match(String(answer.headers['content-type']), /^application\/pdf/)
  const { pages } = await readPdf(answer.rawPayload, { scale: 0.2 })
  const name = String(answer.headers['content-disposition'])
  return { text: pages.map(({ text }) => text).join(' '), pages: pages.length, name }
}
const read = (orderId: string, path: string) => textOf(`/v3/order/${orderId}/${path}`)

async function accepted(order: Body, sampleId: string): Promise<Body> {
  await fixture.update(order.id, { kind: 'requisition_accepted', sampleId })
  return fixture.read(order.id)
}

const includesAll = (text: string, ...parts: string[]) => {
  for (const part of parts) assert.ok(text.includes(part), `${part} is not in: ${text}`)
}

describe('the requisition', () => {
  test('has the parties, the tests and the answers to all questions of the laboratory', async () => {
    const { db } = fixture.harness.database
    const { lab_id: labId } = await fixture.row((await fixture.place()).id)
    const answers = [
      { id: 1, code: 'L', value: 'Left arm' },
      { id: 2, code: 'R', value: 'Right arm' },
      { id: 3, code: 'B', value: 'Back of the hand' },
    ]
    const site = { id: 21, value: 'Where was it drawn?', type: 'multi_choice', answers } as const
    const weight = { id: 22, value: 'What is the weight?', type: 'numeric' } as const
    const questions = [question({ ...site, answers }), question(weight)]
    const marker = await makeMarker(db, labId, {
      name: 'Rarely asked',
      provider_id: 'RA-1',
      questions,
    })
    const own = { provider_account_id: '5550042', default_clinical_notes: 'Call the reviews' }
    const lab_account_id = await makeLabAccount(db, labId, { ...own, ...LATE })
    const answer = (question_id: number, text: string) => ({
      marker_id: marker,
      question_id,
      answer: text,
    })
    const order = await fixture.place('walk_in_test', {
      order_set: { lab_test_ids: [fixture.tests.walk_in_test], add_on: { marker_ids: [marker] } },
      collection_method: 'walk_in_test',
      lab_account_id,
      aoe_answers: [answer(21, 'L'), answer(21, 'B'), answer(22, '71.5')],
      icd_codes: ['E11.9', 'I10'],
      physician: { first_name: 'Ines', last_name: 'Park', npi: '1234567893' },
      clinical_notes: 'Fragile veins',
      priority: true,
    })
    await accepted(order, 'REQ-4711')
    const { text, name } = await read(order.id, REQUISITION)
    assert.match(name, /requisition-REQ-4711\.pdf/)
    includesAll(text, 'REQ-4711', '5550042', 'Moreau', 'Ada', '1 Main St', 'Phoenix', '85004')
    includesAll(text, 'Park', '1234567893', 'E11.9', 'I10', 'Fragile veins', 'Call the reviews')
    includesAll(text, 'Where was it drawn?', 'Left arm', 'Back of the hand', '71.5')
    assert.ok(!text.includes('Right arm'))
    assert.ok(text.indexOf('Fragile veins') < text.indexOf('Call the reviews'))
    const { marker_ids: ids } = await fixture.row(order.id)
    const ordered = await db
      .selectFrom('markers')
      .select(['name', 'provider_id'])
      .where('id', 'in', ids)
      .execute()
    assert.equal(ordered.length, 4)
    for (const { name: test, provider_id } of ordered) includesAll(text, test, provider_id ?? '')
  })

  test('for a laboratory that does not accept notes has none', async () => {
    const { db } = fixture.harness.database
    const { lab_id: labId } = await fixture.row((await fixture.orderKit()).id)
    const account = { default_clinical_notes: 'Call the reviews', ...LATE }
    const lab_account_id = await makeLabAccount(db, labId, account)
    const order = await fixture.place('testkit', {
      lab_account_id,
      clinical_notes: 'Fragile veins',
    })
    await accepted(order, 'REQ-4712')
    const { text } = await read(order.id, REQUISITION)
    includesAll(text, 'REQ-4712', 'Moreau')
    assert.ok(!text.includes('Fragile veins') && !text.includes('Call the reviews'))
  })

  test('exists after the acceptance, also for a cancelled order', async () => {
    const order = await fixture.place()
    for (const path of [REQUISITION, LABELS]) {
      assert.deepEqual(refusalOf(await get(order.id, path)), [404, 'document_not_available'])
    }
    await accepted(order, 'REQ-4713')
    await fixture.transition(order.id, 'cancelled')
    await read(order.id, REQUISITION)
  })

  test('does not exist for orders placed elsewhere, nor for kits without a patient', async () => {
    const imported = await fixture.import('IMP-4714')
    const kit = await fixture.sendKit('in_transit')
    for (const { id } of [imported, kit]) {
      for (const path of [REQUISITION, LABELS, 'abn_pdf']) {
        assert.deepEqual(refusalOf(await get(id, path)), [404, 'document_not_available'], path)
      }
    }
    await fixture.register(kit)
    assert.equal((await get(kit.id, REQUISITION)).status, 404)
    await accepted(kit, 'ignored')
    includesAll((await read(kit.id, REQUISITION)).text, kit.sample_id, 'Moreau')
  })
})

describe('tube labels', () => {
  let order: Body
  before(async () => {
    order = await accepted(await fixture.place(), 'REQ-4720')
  })

  test('are three by default, with account, patient and time of collection', async () => {
    const { text } = await read(order.id, LABELS)
    assert.equal(text.split('REQ-4720').length - 1, 3)
    // The account of the installation in a sandbox.
    includesAll(text, '1234567890')
    assert.match(text, /moreau/i)
    assert.match(text, /2026/)
    const { text: one } = await read(order.id, `${LABELS}&number_of_labels=1`)
    assert.equal(one.split('REQ-4720').length - 1, 1)
    const { text: many } = await read(order.id, `${LABELS}&number_of_labels=20`)
    assert.equal(many.split('REQ-4720').length - 1, 20)
  })

  test('need a time of collection, and are 1 to 20', async () => {
    const malformed = [
      'labels/pdf',
      'labels/pdf?collection_date=today',
      `${LABELS}&number_of_labels=0`,
      `${LABELS}&number_of_labels=21`,
      `${LABELS}&number_of_labels=two`,
    ]
    for (const path of malformed) assert.equal((await get(order.id, path)).status, 422, path)
  })
})

describe('the notice for patients who may have to pay', () => {
  test('exists for orders with has_abn', async () => {
    const order = await fixture.place('walk_in_test', { billing_type: 'patient_bill' })
    assert.equal(order.has_abn, true)
    const { text } = await read(order.id, 'abn_pdf')
    includesAll(text, 'Moreau')
    const paid = await fixture.place()
    assert.equal(paid.has_abn, false)
    assert.deepEqual(refusalOf(await get(paid.id, 'abn_pdf')), [404, 'document_not_available'])
  })
})

describe('collection instructions', () => {
  test('exist for orders of every method from the beginning', async () => {
    for (const method of Object.keys(fixture.tests) as (keyof typeof fixture.tests)[]) {
      const order = await fixture.place(method)
      const { text, pages } = await read(order.id, INSTRUCTIONS)
      assert.ok(pages >= 1)
      includesAll(text, 'Moreau')
    }
    await read((await fixture.orderKit()).id, INSTRUCTIONS)
    await read((await fixture.import('IMP-4730')).id, INSTRUCTIONS)
  })

  test('exist for lab tests, too', async () => {
    const url = (id: string) => `/v3/lab_test/${id}/${INSTRUCTIONS}`
    assert.ok((await textOf(url(fixture.tests.testkit))).pages >= 1)
    const missing = await fixture.harness.call('GET', url(UNKNOWN))
    assert.deepEqual(refusalOf(missing), [404, 'lab_test_not_found'])
  })
})

test('documents are visible to the team of the order only', async () => {
  const order = await accepted(await fixture.place(), 'REQ-4740')
  const { sandboxKey } = await fixture.harness.makeTeam()
  for (const path of [REQUISITION, LABELS, 'abn_pdf', INSTRUCTIONS]) {
    assert.deepEqual(refusalOf(await get(UNKNOWN, path)), [404, 'order_not_found'])
    const theirs = await get(order.id, path, { 'x-service-api-key': sandboxKey })
    assert.deepEqual(refusalOf(theirs), [404, 'order_not_found'])
    assert.equal((await get('not-an-id', path)).status, 422)
  }
})

test('the proxy of a minor is on the requisition, with the ZIP code from either field', async () => {
  await changeSettings(fixture.harness, { minor_ordering_enabled: true })
  const address = { first_line: '3 Elm St', city: 'Tucson', state: 'AZ', zip_code: '85701' }
  const proxy = { first_name: 'Mia', last_name: 'Moreau', phone_number: '+15550100197', address }
  const minor = (medical_proxy: object) => ({
    patient_details: { ...PATIENT_DETAILS, dob: '2015-06-01', medical_proxy },
  })
  const order = await fixture.place('walk_in_test', minor(proxy))
  const shown = order.patient_details.medical_proxy
  assert.deepEqual(shown, {
    ...proxy,
    email: null,
    household_income: null,
    household_size: null,
    address: {
      first_line: '3 Elm St',
      second_line: '',
      city: 'Tucson',
      state: 'AZ',
      zip: '85701',
      country: 'US',
      access_notes: null,
    },
  })
  assert.deepEqual((await fixture.messages(order.id)).at(-1)?.data, order)
  await accepted(order, 'REQ-4750')
  includesAll((await read(order.id, REQUISITION)).text, 'Mia', '3 Elm St', '85701')
  const { zip_code: _, ...nowhere } = address
  for (const wrong of [nowhere, { ...address, zip: '85702' }]) {
    const body = {
      user_id: fixture.userId,
      order_set: { lab_test_ids: [fixture.tests.walk_in_test] },
    }
    const people = {
      ...minor({ ...proxy, address: wrong }),
      patient_address: order.patient_address,
    }
    const { status } = await fixture.harness.call('POST', '/v3/order', { ...body, ...people })
    assert.equal(status, 422)
  }
})
