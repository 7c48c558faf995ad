import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { INSURANCE } from '../../../../server/test/insurance/route-cases.ts'
import { refusalOf } from '../../../../server/test/orders/orders-fixture.ts'
import { USER_INFO } from '../../../../server/test/route-cases.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const ADDRESS = { first_line: '5 Oak St', city: 'Tempe', state: 'AZ', zip_code: '85281' }

const call = (method: string, url: string, body?: unknown, headers?: object) =>
  harness.call(method, url, body, headers)
const search = (query: Record<string, string>, headers?: object) =>
  call('GET', `/v3/insurance/search/payor?${new URLSearchParams(query)}`, undefined, headers)
const namesOf = async (query: Record<string, string>): Promise<string[]> =>
  (await search(query)).body.map(({ name }: { name: string }) => name)
const byName = (name: string) => namesOf({ insurance_name: name })
const create = (changes: object = {}, headers?: object) =>
  call('POST', '/v3/payor', { name: 'Desert Mutual', address: ADDRESS, ...changes }, headers)

/** For the first team, whose sandbox key the harness uses. */
const makeProductionKey = async (): Promise<string> => {
  const key = { label: 'test', team_id: harness.teamId }
  return (await harness.manage('POST', '/team_api_keys/production/us', key)).body.value
}

describe('the search of payors', () => {
  test('returns the documented fields', async () => {
    const { status, body } = await search({ insurance_name: 'humana' })
    assert.equal(status, 200)
    assert.deepEqual(body, [
      {
        payor_code: 'SAMPLE-10004',
        name: 'Humana',
        aliases: [],
        org_address: {
          first_line: '500 West Main St',
          second_line: '',
          city: 'Louisville',
          state: 'KY',
          zip: '40018',
          country: 'US',
          access_notes: null,
        },
        source: 'platform',
      },
    ])
  })

  test('finds names and aliases in any case, and parts of them', async () => {
    assert.deepEqual(await byName('AETNA'), ['Aetna'])
    assert.deepEqual(await byName('bcbs'), ['Blue Cross Blue Shield'])
    assert.deepEqual(await byName('shield blue'), ['Blue Cross Blue Shield'])
    assert.deepEqual(await byName('united health'), ['UnitedHealthcare'])
    assert.deepEqual(await byName('no such insurer'), [])
    assert.deepEqual(await byName('???'), [])
  })

  test('corrects misspelled words only when nothing matches as typed', async () => {
    assert.deepEqual(await byName('hunana'), ['Humana'])
    assert.deepEqual(await byName('Cinga Helth'), ['Cigna Health'])
    assert.deepEqual(await byName('blue corss'), ['Blue Cross Blue Shield'])
    assert.deepEqual(await byName('medcare'), ['Medicare', 'Dual Eligible'])
  })

  test('returns at most fifty, best match first, in a stable order', async () => {
    const names = ['Zeta Care Plan', 'Zeta', 'The Zeta', 'Zetamed', 'Azeta']
    for (const name of names) await create({ name })
    const expected = ['Zeta', 'Zetamed', 'Zeta Care Plan', 'The Zeta', 'Azeta']
    assert.deepEqual(await byName('zeta'), expected)
    for (let number = 0; number < 55; number++) await create({ name: `Ferro Plan ${number}` })
    const found = await byName('ferro')
    assert.equal(found.length, 50)
    assert.deepEqual(await byName('ferro'), found)
  })

  test('finds and filters by the id at a clearing house', async () => {
    assert.deepEqual(await namesOf({ provider: 'availity', provider_payor_id: '60054' }), ['Aetna'])
    assert.deepEqual(await namesOf({ provider: 'pverify', provider_payor_id: '60054' }), [])
    const both = { insurance_name: 'cigna', provider: 'availity' }
    assert.deepEqual(await namesOf({ ...both, provider_payor_id: '62308' }), ['Cigna Health'])
    assert.deepEqual(await namesOf({ ...both, provider_payor_id: '60054' }), [])
    assert.deepEqual(await namesOf(both), ['Cigna Health'])
    assert.deepEqual(await namesOf({ ...both, provider: 'waystar' }), [])
    const lone = { insurance_name: 'cigna', provider_payor_id: '62308' }
    assert.deepEqual(await namesOf(lone), ['Cigna Health'])
    assert.deepEqual(await namesOf({ ...lone, provider_payor_id: '1' }), [])
  })

  test('requires a filter', async () => {
    const queries = [
      {},
      { insurance_name: ' ' },
      { provider: 'availity' },
      { provider_payor_id: '60054' },
    ] as Record<string, string>[]
    for (const query of queries) {
      assert.deepEqual(refusalOf(await search(query)), [400, 'payor_filter_required'])
    }
    assert.equal((await search({ provider: 'unknown' })).status, 422)
  })

  test('accepts a body too, with its own field names', async () => {
    const post = (body: object) => call('POST', '/v3/insurance/search/payor', body)
    const [aetna] = (await search({ insurance_name: 'aetna' })).body
    const { payor_code: code, ...rest } = aetna
    assert.deepEqual((await post({ insurance_name: 'aetna' })).body, [{ code, ...rest }])
    const { body } = await post({ provider: 'stedi', provider_id: '60054', insurance_name: null })
    assert.deepEqual(body, [{ code, ...rest }])
    assert.deepEqual(refusalOf(await post({})), [400, 'payor_filter_required'])
    assert.deepEqual(refusalOf(await post({ provider: 'stedi' })), [400, 'payor_filter_required'])
  })

  test('finds samples in sandboxes only', async () => {
    const headers = { 'x-service-api-key': await makeProductionKey() }
    assert.deepEqual((await search({ insurance_name: 'aetna' }, headers)).body, [])
  })
})

describe("a team's own payor", () => {
  test('is returned with a code, and found by name and by its id', async () => {
    const { status, body } = await create({ provider: 'claim_md', provider_payor_id: 'dm77' })
    assert.equal(status, 200)
    const { zip_code: zip, ...address } = ADDRESS
    assert.match(body.payor_code, /^T[0-9A-HJKMNP-TV-Z]{9}$/)
    assert.deepEqual(body, {
      payor_code: body.payor_code,
      name: 'Desert Mutual',
      aliases: [],
      org_address: { ...address, zip, second_line: '', country: 'US', access_notes: null },
      source: 'team',
    })
    assert.deepEqual((await search({ insurance_name: 'desert' })).body, [body])
    const byId = await search({ provider: 'claim_md', provider_payor_id: 'DM77' })
    assert.deepEqual(byId.body, [body])
  })

  test('is the same for the same name, zip and id, also for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Rush' })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const codes = new Set(answers.map(({ body }) => body.payor_code))
    assert.equal(codes.size, 1)
    const again = await create({ name: ' rush ' })
    assert.ok(codes.has(again.body.payor_code))
    const others = [
      { name: 'Rush B' },
      { name: 'Rush', address: { ...ADDRESS, zip_code: '85282' } },
      { name: 'Rush', provider: 'stedi', provider_payor_id: '1' },
      { name: 'Rush', provider: 'apero', provider_payor_id: '1' },
      { name: 'Rush', provider: 'stedi', provider_payor_id: '2' },
    ]
    for (const changes of others) codes.add((await create(changes)).body.payor_code)
    assert.equal(codes.size, 6)
  })

  test('belongs to one environment: others neither find nor use it', async () => {
    const { payor_code: code } = (await create({ name: 'Hidden Mutual' })).body
    const user = async (headers?: object) => {
      const named = { client_user_id: `insured ${Math.random()}` }
      const { user_id: id } = (await call('POST', '/v2/user', named, headers)).body
      await call('PATCH', `/v2/user/${id}/info`, USER_INFO, headers)
      const url = `/v2/user/${id}/insurance`
      return call('POST', url, { ...INSURANCE, payor_code: code }, headers)
    }
    const own = await user()
    assert.deepEqual([own.status, own.body.company.name], [200, 'Hidden Mutual'])
    const team = await harness.makeTeam()
    for (const key of [team.sandboxKey, await makeProductionKey()]) {
      const headers = { 'x-service-api-key': key }
      assert.deepEqual((await search({ insurance_name: 'hidden' }, headers)).body, [])
      assert.deepEqual(refusalOf(await user(headers)), [404, 'payor_not_found'])
      const theirs = (await create({ name: 'Hidden Mutual' }, headers)).body
      assert.notEqual(theirs.payor_code, code)
    }
  })

  test('needs a name, an address, and a provider with its id', async () => {
    const wrong: [object, string, string][] = [
      [{ name: ' ' }, 'name', 'string_pattern_mismatch'],
      [{ name: undefined }, 'name', 'missing'],
      [{ address: undefined }, 'address', 'missing'],
      [{ address: { ...ADDRESS, state: 'Arizona' } }, 'address.state', 'enum'],
      [{ address: { ...ADDRESS, zip: '1' } }, 'address.zip', 'string_pattern_mismatch'],
      [{ provider: 'stedi' }, 'provider_payor_id', 'missing'],
      [{ provider_payor_id: '7' }, 'provider', 'missing'],
      [{ provider: 'mail', provider_payor_id: '7' }, 'provider', 'enum'],
    ]
    for (const [changes, place, type] of wrong) {
      const { status, body } = await create(changes)
      assert.equal(status, 422, place)
      const [problem] = body.detail
      assert.deepEqual([problem.loc.slice(1).join('.'), problem.type], [place, type])
    }
  })
})
