import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Loose, makeCatalog } from '../../../server/test/catalog/small-catalog.ts'
import { requestOf, toBase64 } from '../../../server/test/compendium/compendium-files.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { orderBody, PATIENT_ADDRESS } from '../../../server/test/orders/order-bodies.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** The compendium of a laboratory that a team has orders and lab tests of. */

const harness = useFixture(createHarness)
const QUESTION = 'TEST,CODE,TEXT,ANSWERS\n100,FSTING,Fasting today?,Y=Yes;N=No'

let labTestId: string
let order: Loose

const call = async (method: string, url: string, body?: unknown): Promise<Loose> => {
  const answer = await harness.call(method, url, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const put = (path: string, body: unknown, key = harness.managementKey) =>
  harness.call('PUT', path, body, { 'x-management-key': key })

/** The tests of North, with its question in other words. */
function requestOfNorth(tests: string): Loose {
  const fields = {
    ...{ test: 'TEST', code: 'CODE', text: 'TEXT', required: { value: 'yes' } },
    answers: { column: 'ANSWERS', split: ';', pair: '=' },
  }
  return requestOf(
    tests,
    {},
    {
      tables: { questions: [{ file: 'questions.csv', fields }] },
      files: { 'questions.csv': toBase64(QUESTION) },
    },
  )
}

const showOrder = async (): Promise<Loose> => call('GET', `/v3/order/${order.id}`)

before(async () => {
  const catalog = makeCatalog()
  catalog.lab_accounts[0].allowed_billing.client_bill.push('AZ')
  assert.equal((await put('/v1/catalog', catalog)).status, 200)
  const { markers } = await call('GET', '/v3/lab_tests/markers?lab_slug=north')
  const wanted = markers.find((it: Loose) => it.provider_id === '100')
  const about = { name: 'Thyroid', description: 'Thyroid', method: 'walk_in_test' }
  const made = await call('POST', '/v3/lab_tests', { ...about, marker_ids: [wanted.id] })
  labTestId = made.id
  const { user_id: userId } = await call('POST', '/v2/user', { client_user_id: 'ada' })
  const [question] = wanted.aoe.questions
  const answer = { marker_id: wanted.id, question_id: question.id, answer: 'Y' }
  const changes = { patient_address: PATIENT_ADDRESS, aoe_answers: [answer] }
  const placed = await call('POST', '/v3/order', orderBody(userId, labTestId, changes))
  order = placed.order
})

describe('PUT /v1/compendium', () => {
  it('is for the operator', async () => {
    const body = requestOf('CODE,NAME\n100,Thyrotropin')
    assert.equal((await put('/v1/compendium', body, 'mk_nothing')).status, 401)
    assert.equal((await harness.call('PUT', '/v1/compendium', body)).status, 401)
  })

  it('lists the problems of the mapping, and the first wrong bytes', async () => {
    const request = requestOf('CODE,TITLE\n100,Thyrotropin')
    const { status, body } = await put('/v1/compendium', request)
    assert.deepEqual([status, body.detail.error_type], [400, 'compendium_invalid'])
    assert.deepEqual(body.detail.problems, [
      { path: 'tests.csv, NAME', message: 'The file has no such column.' },
    ])
    assert.equal((await put('/v1/compendium', { ...request, files: {} })).status, 422)
  })

  it('loads nothing while a test is refused, unless that is skipped', async () => {
    const request = requestOf(
      'CODE,NAME\n100,Thyrotropin\n300,',
      {},
      { mapping: { scope: 'changes' } },
    )
    const { status, body } = await put('/v1/compendium', request)
    assert.deepEqual([status, body.detail.problems[0].path], [400, 'tests.csv, line 3, NAME'])
    const skipped = await put('/v1/compendium?skip_refused=true', request)
    assert.deepEqual([skipped.status, skipped.body.refused], [200, 1])
  })

  it('keeps the answers and the tests of a placed order when its question changes', async () => {
    const before = await showOrder()
    const { status, body } = await put('/v1/compendium?allow_retire=true', {
      ...requestOfNorth('CODE,NAME\n100,Thyrotropin'),
    })
    assert.equal(status, 200)
    const [change] = body.changes
    assert.deepEqual([change.code, change.lab_tests, change.open_orders], ['100', 1, 1])
    assert.ok(change.fields.some((it: Loose) => it.field === 'questions.FSTING.text'))
    assert.deepEqual(await showOrder(), before)
    const { pool } = harness.database
    const { rows } = await pool.query(
      `select o.aoe_answers -> 0 ->> 'question_id' as answered, m.questions -> 0 ->> 'id' as asked
       from orders o join markers m on m.id = o.marker_ids[1]`,
    )
    assert.equal(rows[0].answered, rows[0].asked)
  })

  it('names the lab tests and counts the open orders of a retired test', async () => {
    const before = await showOrder()
    const { body } = await put('/v1/compendium?allow_retire=true', requestOf('CODE,NAME\n500,New'))
    const retired = body.changes.find((it: Loose) => it.code === '100')
    assert.deepEqual([retired.change, retired.lab_tests, retired.open_orders], ['retired', 1, 1])
    assert.deepEqual(body.affected_lab_tests, [
      {
        team_id: harness.teamId,
        environment: 'sandbox',
        lab_test_id: labTestId,
        name: 'Thyroid',
        retired_codes: ['100'],
      },
    ])
    assert.deepEqual(await showOrder(), before)
  })
})
