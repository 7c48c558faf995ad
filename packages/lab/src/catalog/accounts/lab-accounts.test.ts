import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { makeLab, makeLabAccount } from '../../../../server/test/catalog/catalog-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const URL = '/v3/lab_test/lab_account'

const app = useFixture(createCatalogApp)
let active: string
let pending: string

before(async () => {
  const { db, team } = app
  const labId = await makeLab(db, 'quest')
  const owner = { organization_id: team.sandbox.organizationId, team_id_allowlist: [team.id] }
  active = await makeLabAccount(db, labId, {
    ...owner,
    account_name: 'Clinic West',
    default_clinical_notes: 'Call first.',
    business_units: ['west'],
    created_at: new Date('2026-01-01T00:00:00Z'),
  })
  const later = { created_at: new Date('2026-01-02T00:00:00Z') }
  pending = await makeLabAccount(db, labId, { ...owner, ...later, status: 'pending' })
  await makeLabAccount(db, labId)
  await makeLabAccount(db, labId, { ...owner, team_id_allowlist: [newId()] })
})

const idsOf = async (query = '') => {
  const answer = await app.team.call('GET', `${URL}${query}`)
  assert.equal(answer.status, 200)
  return answer.body.data.map(({ id }: { id: string }) => id)
}

describe('GET /v3/lab_test/lab_account', () => {
  test('lists the accounts that name the team, in all their fields', async () => {
    const answer = await app.team.call('GET', URL)
    assert.deepEqual(answer.body.data[0], {
      id: active,
      lab: 'quest',
      org_id: app.team.sandbox.organizationId,
      status: 'active',
      delegated_flow: 'not_delegated',
      provider_account_id: active.slice(0, 8),
      account_name: 'Clinic West',
      default_clinical_notes: 'Call first.',
      business_units: ['west'],
      allowed_billing: { client_bill: ['AZ'] },
      team_id_allowlist: [app.team.id],
    })
    assert.deepEqual(await idsOf(), [active, pending])
  })

  test('filters by id and by status in either case', async () => {
    assert.deepEqual(await idsOf(`?lab_account_id=${pending}`), [pending])
    assert.deepEqual(await idsOf(`?lab_account_id=${newId()}`), [])
    assert.deepEqual(await idsOf('?status=PENDING'), [pending])
    assert.deepEqual(await idsOf('?status=active'), [active])
    assert.deepEqual(await idsOf(`?status=active&lab_account_id=${pending}`), [])
  })

  test('refuses a status that does not exist', async () => {
    const answer = await app.team.call('GET', `${URL}?status=retired`)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.detail[0].loc, ['query', 'status'])
  })

  test('shows other teams nothing', async () => {
    const stranger = await app.makeTeam()
    assert.deepEqual((await stranger.call('GET', URL)).body, { data: [] })
  })
})

describe('GET /v3/lab_tests/labs', () => {
  test('lists the labs in use by id', async () => {
    const { db, team } = app
    const labId = await makeLab(db, 'crl', { logo_url: 'https://example.com/crl.png' })
    await makeLab(db, 'mtl', { is_enabled: false })
    const answer = await team.call('GET', '/v3/lab_tests/labs')
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.body.map(({ slug }: { slug: string }) => slug),
      ['quest', 'crl'],
    )
    assert.deepEqual(answer.body[1], {
      id: labId,
      slug: 'crl',
      name: 'CRL',
      first_line_address: '1 Laboratory Way',
      city: 'Phoenix',
      zipcode: '85001',
      collection_methods: ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'],
      sample_types: ['serum', 'urine'],
      logo_url: 'https://example.com/crl.png',
    })
  })
})
