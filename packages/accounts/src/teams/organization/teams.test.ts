import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  makeOrganization,
  makeTeamAdmin,
  type TestOrganization,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'

const { app, clock, database, ours, theirs } = useTeamsApp()

async function makeTeam(organization: TestOrganization, extra: object = {}) {
  clock.advance(1)
  const { status, body } = await organization.call('POST', '/team', {
    name: 'Clinic',
    region: 'us',
    ...extra,
  })
  assert.equal(status, 200)
  return body
}

const UNKNOWN = '7d4a1c52-0000-4000-8000-000000000000'

describe('teams', () => {
  test('are made with both environments and the default settings', async () => {
    const team = await makeTeam(ours, { minor_ordering_enabled: true, region: 'eu' })
    assert.match(team.created_on, /^2026-03-01T12:\d\d:\d\d\+00:00$/)
    assert.deepEqual(team.environments, ['sandbox', 'production'])
    assert.equal(team.region, 'eu')
    assert.deepEqual(team.sandbox, {
      lab_tests_patient_sms_communication_enabled: true,
      lab_tests_patient_email_communication_enabled: true,
      critical_result_notification_email: null,
      critical_result_escalation_minutes: 60,
      task_escalation_minutes: null,
      portal_erasure_at_once: false,
      units: null,
      brand_information: null,
      logo_url: null,
      link_redirect_urls: null,
      link_origins: null,
      reject_duplicate_connection: false,
      sdk_per_device_activity_timeseries: false,
      partial_webhooks_enabled: false,
      minor_ordering_enabled: true,
      lab_report_review_enabled: false,
      lab_test_auto_approve: null,
      consents_required: false,
      redraws_enabled: false,
      appointment_scheduling_enabled: true,
      early_appointment_booking_enabled: false,
      match_review_enabled: false,
      push_historical_data: false,
      event_type_prefixes: null,
    })
    assert.deepEqual(team.production, team.sandbox)
    assert.deepEqual((await ours.call('GET', `/team/${team.id}`)).body, team)
  })

  test('take a given id once', async () => {
    const id = '0B6F5C7E-1111-4222-8333-444455556666'
    assert.equal((await makeTeam(ours, { id })).id, id.toLowerCase())
    const again = await theirs.call('POST', '/team', { id, name: 'Other', region: 'us' })
    assert.equal(again.status, 409)
    assert.equal(again.body.detail.error_type, 'team_id_taken')
  })

  test('refuse extra keys, wrong values and a brand without a logo', async () => {
    const valid = { name: 'Clinic', region: 'us' }
    const wrong = [
      { ...valid, colour: 'red' },
      { ...valid, region: 'mars' },
      { ...valid, logo_url: 'not a url' },
      { region: 'us' },
    ]
    for (const body of wrong) assert.equal((await ours.call('POST', '/team', body)).status, 422)
    const brand = { ...valid, brand_information: { company_name: 'Acme' } }
    const answer = await ours.call('POST', '/team', brand)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.detail[0].loc, ['body', 'logo_url'])
    const withLogo = { ...brand, logo_url: 'https://acme.example/logo.png' }
    const made = await ours.call('POST', '/team', withLogo)
    assert.equal(made.body.sandbox.brand_information.company_name, 'Acme')
  })

  test('fill only the environments that the query names', async () => {
    const { id } = await makeTeam(ours)
    const one = await ours.call('GET', `/team/${id}?include_environment=sandbox`)
    assert.equal(one.body.production, null)
    assert.notEqual(one.body.sandbox, null)
    const path = `/team/${id}?include_environment=sandbox&include_environment=production`
    assert.notEqual((await ours.call('GET', path)).body.production, null)
    assert.equal((await ours.call('GET', `/team/${id}?include_environment=x`)).status, 422)
  })

  test('keep what a PATCH does not name', async () => {
    const { id } = await makeTeam(ours, { partial_webhooks_enabled: true })
    const sandbox = { minor_ordering_enabled: true, patient_experience: true }
    const first = await ours.call('PATCH', `/team/${id}`, { sandbox })
    assert.equal(first.status, 200)
    assert.equal(first.body.sandbox.partial_webhooks_enabled, true)
    assert.equal(first.body.sandbox.minor_ordering_enabled, true)
    assert.equal(first.body.production.minor_ordering_enabled, false)
    const second = await ours.call('PATCH', `/team/${id}`, { name: 'Renamed' })
    assert.equal(second.body.name, 'Renamed')
    assert.deepEqual(second.body.sandbox, first.body.sandbox)
    assert.equal((await ours.call('PATCH', `/team/${id}`, {})).status, 200)
    assert.equal((await ours.call('PATCH', `/team/${id}`, { region: 'eu' })).status, 422)
  })

  test('look at the merged settings when a PATCH brings a brand', async () => {
    const { id } = await makeTeam(ours)
    const brand = { sandbox: { brand_information: { company_name: 'Acme' } } }
    const refused = await ours.call('PATCH', `/team/${id}`, { name: 'Not kept', ...brand })
    assert.deepEqual(refused.body.detail[0].loc, ['body', 'sandbox', 'logo_url'])
    assert.equal((await ours.call('GET', `/team/${id}`)).body.name, 'Clinic')
    const logo = { sandbox: { logo_url: 'https://acme.example/logo.png' } }
    assert.equal((await ours.call('PATCH', `/team/${id}`, logo)).status, 200)
    assert.equal((await ours.call('PATCH', `/team/${id}`, brand)).status, 200)
  })

  test('share no integration_team_id within an organization', async () => {
    const first = await makeTeam(ours, { integration_team_id: 'crm-1' })
    await makeTeam(theirs, { integration_team_id: 'crm-1' })
    const second = await makeTeam(ours, { integration_team_id: 'crm-2' })
    const body = { name: 'Clinic', region: 'us', integration_team_id: 'crm-1' }
    const made = await ours.call('POST', '/team', body)
    assert.equal(made.status, 409)
    assert.equal(made.body.detail.error_type, 'integration_team_id_taken')
    const taken = { integration_team_id: 'crm-1' }
    assert.equal((await ours.call('PATCH', `/team/${second.id}`, taken)).status, 409)
    const found = await ours.call('POST', '/resolve_team', taken)
    assert.equal(found.body.id, first.id)
    assert.notEqual((await theirs.call('POST', '/resolve_team', taken)).body.id, first.id)
    const unknown = { integration_team_id: 'crm-9' }
    assert.equal((await ours.call('POST', '/resolve_team', unknown)).status, 404)
    await ours.call('DELETE', `/team/${first.id}`)
    await makeTeam(ours, { integration_team_id: 'crm-1' })
  })

  test('of another organization, deleted ones and unknown ones are 404', async () => {
    const foreign = await makeTeam(theirs)
    const deleted = await makeTeam(ours)
    const removed = await ours.call('DELETE', `/team/${deleted.id}`)
    assert.deepEqual([removed.status, removed.body], [200, { success: true }])
    for (const id of [foreign.id, deleted.id, UNKNOWN]) {
      assert.equal((await ours.call('GET', `/team/${id}`)).status, 404)
      assert.equal((await ours.call('PATCH', `/team/${id}`, { name: 'x' })).status, 404)
      assert.equal((await ours.call('DELETE', `/team/${id}`)).status, 404)
    }
    assert.equal((await ours.call('GET', '/team/no-uuid')).status, 422)
  })
})

describe('the list of teams', () => {
  let listed: TestOrganization
  before(async () => {
    listed = await makeOrganization(app, database.db, clock)
    for (let number = 1; number <= 60; number += 1) {
      // Every fourth second holds several teams, so that the id has to order them too.
      if (number % 4 !== 0) clock.advance(-1)
      const extra = number === 7 ? { integration_team_id: 'Crm 100%' } : {}
      const region = number % 2 ? 'us' : 'eu'
      await makeTeam(listed, { name: `Practice ${number}`, region, ...extra })
    }
  })

  test('gives every team once, over two pages, oldest first', async () => {
    const first = await listed.call('GET', '/team')
    assert.equal(first.body.teams.length, 50)
    const cursor = encodeURIComponent(first.body.next_cursor)
    const second = await listed.call('GET', `/team?next_cursor=${cursor}`)
    assert.equal(second.body.next_cursor, null)
    const all = [...first.body.teams, ...second.body.teams]
    assert.equal(new Set(all.map((team) => team.id)).size, 60)
    const times = all.map((team) => team.created_on)
    assert.deepEqual(times, [...times].sort())
    assert.deepEqual(Object.keys(all[0]), [
      'id',
      'name',
      'created_on',
      'region',
      'integration_team_id',
    ])
  })

  test('filters by region, id, part of the name and integration id', async () => {
    const namesOf = async (query: string) => {
      const { body } = await listed.call('GET', `/team?${query}`)
      return body.teams.map((team: { name: string }) => team.name)
    }
    assert.equal((await namesOf('region=eu')).length, 30)
    assert.equal((await namesOf('region=eu&region=us')).length, 50)
    assert.deepEqual(await namesOf('search_query=practice%2017'), ['Practice 17'])
    assert.deepEqual(await namesOf('search_query=Crm%20100%25'), ['Practice 7'])
    assert.deepEqual(await namesOf('search_query=%25'), [])
    const { body } = await listed.call('GET', '/team')
    const { id, name } = body.teams[3]
    assert.deepEqual(await namesOf(`team_id=${id}`), [name])
    assert.deepEqual(await namesOf(`search_query=${id.toUpperCase()}`), [name])
  })

  test('refuses a cursor that is malformed or belongs to other filters', async () => {
    const { body } = await listed.call('GET', '/team')
    const cursor = body.next_cursor
    assert.match(cursor, /^[\w-]+$/)
    const refused = [
      listed.call('GET', '/team?next_cursor=nonsense'),
      listed.call('GET', `/team?region=eu&next_cursor=${cursor}`),
      ours.call('GET', `/team?next_cursor=${cursor}`),
      listed.call('GET', `/management_key?next_cursor=${cursor}`),
    ]
    for (const answer of await Promise.all(refused)) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.detail.error_type, 'invalid_cursor')
    }
  })
})

describe('a team_admin', () => {
  test('sees and changes only the teams it is bound to', async () => {
    const own = await makeTeam(ours, { integration_team_id: 'own' })
    const other = await makeTeam(ours, { integration_team_id: 'other' })
    const key = await makeTeamAdmin(ours, [own.id.toUpperCase()])
    const list = await ours.call('GET', '/team', undefined, key)
    assert.deepEqual(
      list.body.teams.map((team: { id: string }) => team.id),
      [own.id],
    )
    assert.equal((await ours.call('GET', `/team/${own.id}`, undefined, key)).status, 200)
    assert.equal((await ours.call('PATCH', `/team/${own.id}`, { name: 'New' }, key)).status, 200)
    assert.equal((await ours.call('GET', `/team/${other.id}`, undefined, key)).status, 404)
    const patch = await ours.call('PATCH', `/team/${other.id}`, { name: 'New' }, key)
    assert.equal(patch.status, 404)
    const resolve = { integration_team_id: 'other' }
    assert.equal((await ours.call('POST', '/resolve_team', resolve, key)).status, 404)
  })

  test('may not make or delete teams or change the organization', async () => {
    const { id } = await makeTeam(ours)
    const key = await makeTeamAdmin(ours, null)
    assert.equal((await ours.call('GET', `/team/${id}`, undefined, key)).status, 200)
    const refused = [
      ours.call('POST', '/team', { name: 'Clinic', region: 'us' }, key),
      ours.call('DELETE', `/team/${id}`, undefined, key),
      ours.call('PATCH', '', { name: 'Mine now' }, key),
    ]
    for (const answer of await Promise.all(refused)) {
      assert.equal(answer.status, 403)
      assert.equal(answer.body.detail.error_type, 'role_too_low')
    }
  })
})
