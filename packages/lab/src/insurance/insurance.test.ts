import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { INSURANCE } from '../../../server/test/insurance/route-cases.ts'
import { refusalOf } from '../../../server/test/orders/orders-fixture.ts'
import { USER_INFO } from '../../../server/test/route-cases.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let userId: string

const GUARANTOR = {
  first_name: 'Max',
  last_name: 'Moreau',
  phone_number: '+15550100198',
  address: { first_line: '2 Main St', city: 'Phoenix', state: 'AZ', zip: '85004-1234' },
}

const call = (method: string, url: string, body?: unknown, headers?: object) =>
  harness.call(method, url, body, headers)
const add = (changes: object = {}, of = userId) =>
  call('POST', `/v2/user/${of}/insurance`, { ...INSURANCE, ...changes })
const latest = (query = '', of = userId) => call('GET', `/v2/user/${of}/insurance/latest${query}`)
const insured = (changes: object) => ({ insured: { ...INSURANCE.insured, ...changes } })

before(async () => {
  userId = await harness.makeUser()
  await call('PATCH', `/v2/user/${userId}/info`, USER_INFO)
})

describe('insurance of a user', () => {
  test('is returned with the payor and every documented field', async () => {
    const { status, body } = await add()
    assert.equal(status, 200)
    const address = { second_line: '', country: 'US', access_notes: null }
    assert.deepEqual(body, {
      member_id: 'W123456789',
      payor_code: 'SAMPLE-10007',
      relationship: 'Self',
      insured: {
        ...INSURANCE.insured,
        gender: 'female',
        phone_number: '+15550100199',
        address: {
          ...address,
          first_line: '1 Main St',
          city: 'Phoenix',
          state: 'AZ',
          zip: '85004',
        },
      },
      company: {
        name: 'Aetna',
        address: {
          ...address,
          first_line: '151 Farmington Ave',
          city: 'Hartford',
          state: 'CT',
          zip: '06156',
        },
      },
      group_id: 'G-77',
      guarantor: null,
      is_primary: true,
    })
    assert.deepEqual((await latest()).body, body)
  })

  test('is listed newest first, in pages, with which of it is billed', async () => {
    const someone = await harness.makeUser()
    await call('PATCH', `/v2/user/${someone}/info`, USER_INFO)
    const list = async (query = '') =>
      (await call('GET', `/v2/user/${someone}/insurance${query}`)).body
    assert.deepEqual(await list(), { data: [], next_cursor: null })
    for (const [member_id, is_primary] of [
      ['A', true],
      ['B', true],
      ['C', false],
    ] as const) {
      await add({ member_id, is_primary }, someone)
    }
    const first = await list('?limit=2')
    const second = await list(`?limit=2&next_cursor=${first.next_cursor}`)
    const all = [...first.data, ...second.data]
    assert.deepEqual(
      all.map(({ member_id, is_billed }) => [member_id, is_billed]),
      [
        ['C', false],
        ['B', true],
        ['A', false],
      ],
    )
    assert.equal(second.next_cursor, null)
    const { id: _id, is_billed: _billed, created_at: _at, ...billed } = all[1]
    assert.deepEqual(billed, (await latest('', someone)).body)
    const elsewhere = await call(
      'GET',
      `/v2/user/${userId}/insurance?next_cursor=${first.next_cursor}`,
    )
    assert.deepEqual(refusalOf(elsewhere), [400, 'invalid_cursor'])
    assert.equal((await call('GET', '/v2/user/unknown/insurance')).body.detail, 'user_not_found')
  })

  test('is the newest with the requested flag, and earlier insurance stays', async () => {
    const id = await harness.makeUser()
    await call('PATCH', `/v2/user/${id}/info`, USER_INFO)
    assert.deepEqual(refusalOf(await latest('', id)), [404, 'insurance_not_found'])
    await add({ member_id: 'FIRST' }, id)
    await add({ member_id: 'SECOND' }, id)
    await add({ member_id: 'OTHER', is_primary: false }, id)
    assert.equal((await latest('', id)).body.member_id, 'SECOND')
    assert.equal((await latest('?is_primary=true', id)).body.member_id, 'SECOND')
    const secondary = (await latest('?is_primary=false', id)).body
    assert.deepEqual([secondary.member_id, secondary.is_primary], ['OTHER', false])
    const { rows } = await harness.database.pool.query(
      'select count(*)::int as stored from insurance_policies where user_id = $1',
      [id],
    )
    assert.equal(rows[0].stored, 3)
  })

  test('needs a guarantor unless the patient holds the policy', async () => {
    for (const relationship of ['Spouse', 'Other']) {
      assert.deepEqual(refusalOf(await add({ relationship })), [400, 'guarantor_required'])
      const { body } = await add({ relationship, guarantor: GUARANTOR })
      assert.equal(body.relationship, relationship)
      assert.deepEqual(body.guarantor, {
        ...GUARANTOR,
        email: null,
        household_income: null,
        household_size: null,
        address: { ...GUARANTOR.address, second_line: '', country: 'US', access_notes: null },
      })
    }
    const household = { email: 'max@example.com', household_income: 50_000, household_size: 3 }
    const { body } = await add({ guarantor: { ...GUARANTOR, ...household } })
    assert.deepEqual(
      [body.guarantor.email, body.guarantor.household_income, body.guarantor.household_size],
      Object.values(household),
    )
  })

  test('needs demographics, a known payor and a user of the team', async () => {
    const id = await harness.makeUser()
    assert.deepEqual(refusalOf(await add({}, id)), [400, 'demographics_required'])
    const unknown = await add({ payor_code: 'UNKNOWN' })
    assert.deepEqual(refusalOf(unknown), [404, 'payor_not_found'])
    for (const userId of ['7a1e3f0e-0000-4000-8000-000000000000', 'unknown']) {
      assert.deepEqual(refusalOf(await add({}, userId)), [404, 'user_not_found'])
      assert.deepEqual(refusalOf(await latest('', userId)), [404, 'user_not_found'])
    }
  })

  test('is refused with the path of every problem', async () => {
    // Of the schema and of each function that reads a person; policies/policy-requests.test.ts has
    // the rest.
    const wrong: [object, string, string][] = [
      [insured({ first_name: 'Zoë' }), 'insured.first_name', 'string_pattern_mismatch'],
      [insured({ dob: '2999-01-01' }), 'insured.dob', 'date_past'],
      [
        { guarantor: { ...GUARANTOR, phone_number: 'at home' } },
        'guarantor.phone_number',
        'phone_number',
      ],
    ]
    for (const [changes, place, type] of wrong) {
      const { status, body } = await add(changes)
      assert.equal(status, 422, place)
      const [problem] = body.detail
      assert.deepEqual([problem.loc.slice(1).join('.'), problem.type], [place, type])
    }
    assert.equal((await latest('?is_primary=maybe')).status, 422)
  })

  test('accepts zip_code, zip, and both when they agree', async () => {
    const { zip_code: code, ...address } = INSURANCE.insured.address
    for (const given of [{ zip: code }, { zip_code: code }, { zip: code, zip_code: code }]) {
      const { body } = await add(insured({ address: { ...address, ...given } }))
      assert.equal(body.insured.address.zip, code)
      assert.ok(!('zip_code' in body.insured.address))
    }
  })

  test("has the plan of the patient's state for the codes of federal programs", async () => {
    const medicare = await add({ payor_code: 'MEDFED' })
    assert.equal(medicare.body.payor_code, 'SAMPLE-10001')
    assert.equal(medicare.body.company.name, 'Medicare')
    const medicaid = await add({ payor_code: 'MAIDFED' })
    assert.equal(medicaid.body.company.name, 'Medicaid')
    await harness.database.pool.query(
      "update payors set plan_states = '{CA}' where payor_code = 'SAMPLE-10002'",
    )
    const elsewhere = await add({ payor_code: 'MAIDFED' })
    assert.deepEqual(refusalOf(elsewhere), [404, 'payor_not_found'])
    await harness.database.pool.query(
      "update payors set plan_states = '{AZ}' where payor_code = 'SAMPLE-10002'",
    )
  })

  test('is hidden with its person, restored with them, and finally erased', async () => {
    const id = await harness.makeUser()
    await call('PATCH', `/v2/user/${id}/info`, USER_INFO)
    await add({ member_id: 'MINE' }, id)
    await call('DELETE', `/v2/user/${id}`)
    assert.deepEqual(refusalOf(await latest('', id)), [404, 'user_not_found'])
    assert.deepEqual(refusalOf(await add({}, id)), [404, 'user_not_found'])
    await call('POST', `/v2/user/undo_delete?user_id=${id}`)
    assert.equal((await latest('', id)).body.member_id, 'MINE')
    await call('DELETE', `/v2/user/${id}`)
    await harness.database.pool.query('delete from users where id = $1', [id])
    const { rows } = await harness.database.pool.query(
      'select count(*)::int as stored from insurance_policies where user_id = $1',
      [id],
    )
    assert.equal(rows[0].stored, 0)
  })
})
