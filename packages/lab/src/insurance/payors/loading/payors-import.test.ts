import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { createHarness } from '../../../../../server/test/harness.ts'
import { INSURANCE } from '../../../../../server/test/insurance/route-cases.ts'
import { refusalOf } from '../../../../../server/test/orders/orders-fixture.ts'
import { USER_INFO } from '../../../../../server/test/route-cases.ts'
import { useFixture } from '../../../../../server/test/use-fixture.ts'
import { loadStartingPayors } from './payors-loading.service.ts'

const harness = useFixture(createHarness)

const HEADER =
  'payor_code,name,aliases,first_line,second_line,city,state,zip,availity,stedi,federal_code,plan_states'
const NORTH = '100,North Health,NH|Northern,1 Main St,,Phoenix,AZ,85004,N1|n2,,,'
const SOUTH = '200,South Medicare,,2 Main St,Suite 4,Tucson,AZ,85701,,S1,MEDFED,AZ|NM'

const csv = (...lines: string[]) => [HEADER, ...lines].join('\n')
const put = (text: string, query = '') =>
  harness.call(
    'PUT',
    `/v1/payors${query}`,
    { csv: text },
    {
      'x-management-key': harness.managementKey,
    },
  )
const search = async (name: string, headers?: object) =>
  (
    await harness.call(
      'GET',
      `/v3/insurance/search/payor?insurance_name=${name}`,
      undefined,
      headers,
    )
  ).body.map(({ payor_code: code }: { payor_code: string }) => code)
const problemsOf = async (text: string) => {
  const { status, body } = await put(text)
  assert.deepEqual([status, body.detail.error_type], [400, 'payors_invalid'])
  assert.equal(body.detail.problem_count, body.detail.problems.length)
  return body.detail.problems.map(({ path }: { path: string }) => path)
}

beforeEach(async () => {
  const { pool } = harness.database
  await pool.query('delete from insurance_policies')
  await pool.query('delete from payors where environment_id is null and not is_sample')
})

describe('PUT /v1/payors', () => {
  test('does a dry run, loads, and changes nothing the second time', async () => {
    const text = csv(NORTH, SOUTH)
    const payors = { inserted: 2, updated: 0, unchanged: 0 }
    const tried = await put(text, '?dry_run=true')
    assert.deepEqual([tried.status, tried.body], [200, { dry_run: true, payors, deactivated: 0 }])
    assert.deepEqual(await search('north'), [])
    assert.deepEqual((await put(text)).body, { dry_run: false, payors, deactivated: 0 })
    assert.deepEqual((await put(text)).body.payors, { inserted: 0, updated: 0, unchanged: 2 })
  })

  test('uses every column', async () => {
    await put(csv(NORTH, SOUTH))
    const url = '/v3/insurance/search/payor?'
    const [north] = (await harness.call('GET', `${url}insurance_name=northern`)).body
    assert.deepEqual(north, {
      payor_code: '100',
      name: 'North Health',
      aliases: ['NH', 'Northern'],
      org_address: {
        first_line: '1 Main St',
        second_line: '',
        city: 'Phoenix',
        state: 'AZ',
        zip: '85004',
        country: 'US',
        access_notes: null,
      },
      source: 'platform',
    })
    for (const id of ['N1', 'N2']) {
      const { body } = await harness.call('GET', `${url}provider=availity&provider_payor_id=${id}`)
      assert.deepEqual(body, [north])
    }
    const userId = await harness.makeUser()
    await harness.call('PATCH', `/v2/user/${userId}/info`, USER_INFO)
    const policy = { ...INSURANCE, payor_code: 'MEDFED' }
    const { body } = await harness.call('POST', `/v2/user/${userId}/insurance`, policy)
    // The plan of the patient's state precedes the sample for the same federal code.
    assert.equal(body.payor_code, '200')
    assert.equal(body.company.address.second_line, 'Suite 4')
  })

  test('replaces the list: removed payors are no longer found, and stay with their policies', async () => {
    await put(csv(NORTH, SOUTH))
    const userId = await harness.makeUser()
    await harness.call('PATCH', `/v2/user/${userId}/info`, USER_INFO)
    const url = `/v2/user/${userId}/insurance`
    await harness.call('POST', url, { ...INSURANCE, payor_code: '100' })
    const renamed = SOUTH.replace('South Medicare', 'Southern Medicare')
    const { body } = await put(csv(renamed))
    assert.deepEqual([body.payors.updated, body.deactivated], [1, 1])
    assert.deepEqual(await search('north'), [])
    assert.deepEqual(await search('southern'), ['200'])
    const again = await harness.call('POST', url, { ...INSURANCE, payor_code: '100' })
    assert.deepEqual(refusalOf(again), [404, 'payor_not_found'])
    const latest = await harness.call('GET', `${url}/latest`)
    assert.equal(latest.body.company.name, 'North Health')
    await put(csv(NORTH))
    assert.deepEqual(await search('north'), ['100'])
  })

  test('is visible in production, where the samples are not, and keeps payors of teams', async () => {
    const key = { label: 'test', team_id: harness.teamId }
    const made = await harness.manage('POST', '/team_api_keys/production/us', key)
    const headers = { 'x-service-api-key': made.body.value }
    const address = { first_line: '5 Oak St', city: 'Tempe', state: 'AZ', zip_code: '85281' }
    const own = await harness.call('POST', '/v3/payor', { name: 'North Own', address }, headers)
    await put(csv(NORTH))
    await loadStartingPayors(harness.database.db, new Date())
    assert.deepEqual(await search('north', headers), [own.body.payor_code, '100'])
    assert.deepEqual(await search('north'), ['100'])
    assert.deepEqual(await search('aetna', headers), [])
    assert.deepEqual(await search('aetna'), ['SAMPLE-10007'])
  })

  test('returns every problem with its line, and loads nothing', async () => {
    const paths = await problemsOf(
      csv(
        NORTH,
        '100,Again,,1 Main St,,Phoenix,AZ,85004,,,,',
        'MEDFED,,,1 Main St,,Phoenix,XX,850,,,,',
        '300,Plan,,1 Main St,,Phoenix,AZ,85004,,,MEDFED,',
        '400,Plan,,1 Main St,,Phoenix,AZ,85004,,,OTHER,AZ',
        '500,Plan,,1 Main St,,Phoenix,AZ,85004,,,MEDFED,AZ|ZZ',
        '600,Plan,,1 Main St,,Phoenix,AZ,85004,,,MEDFED,AZ',
        'T123456789,Plan,,1 Main St,,Phoenix,AZ,85004,,,,CA',
      ),
    )
    assert.deepEqual(paths.sort(), [
      'line 3, payor_code',
      'line 4, name',
      'line 4, payor_code',
      'line 4, state',
      'line 4, zip',
      'line 5, plan_states',
      'line 6, federal_code',
      'line 7, plan_states[1]',
      'line 8, plan_states',
      'line 9, federal_code',
      'line 9, payor_code',
    ])
    assert.deepEqual(await search('north'), [])
    assert.deepEqual(await problemsOf('payor_code,nmae\n1,2'), [
      ...['line 1', 'line 1', 'line 1', 'line 1', 'line 1', 'line 1'],
    ])
    assert.deepEqual(await problemsOf(HEADER), ['line 2'])
    assert.deepEqual(await problemsOf(''), Array(6).fill('line 1'))
    assert.deepEqual(await problemsOf(csv('"100,open')), ['line 2'])
    assert.equal((await put(5 as unknown as string)).status, 422)
  })

  test('is for the operator', async () => {
    const admin = { label: 'Admin', role: 'team_admin' }
    const { key } = (await harness.manage('POST', '/management_key', admin)).body
    const headers = { 'x-management-key': key }
    const answer = await harness.call('PUT', '/v1/payors', { csv: csv(NORTH) }, headers)
    assert.deepEqual(refusalOf(answer), [403, 'role_too_low'])
  })
})
