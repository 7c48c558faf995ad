import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  makeTeam,
  makeTeamAdmin,
  makeTeamKey,
  send,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'

const { app, clock, ours, theirs } = useTeamsApp()
let teamId: string

before(async () => {
  teamId = await makeTeam(ours)
})

function whoami(headers: Record<string, string>) {
  return send(app, { url: '/whoami', headers })
}

test('prefixes of event types that would leave everything out are refused', async () => {
  const event_type_prefixes = ['daily.', 'dayly.']
  const pipelines = '/team_etl_pipelines/sandbox/us'
  const refused = [
    await ours.call('PATCH', `/team/${teamId}`, { sandbox: { event_type_prefixes } }),
    await ours.call('POST', '/team', { name: 'A', region: 'us', event_type_prefixes }),
    await ours.call('POST', pipelines, { team_ids: [teamId], event_type_prefixes }),
  ]
  for (const { status, body } of refused) {
    assert.equal(status, 422)
    assert.deepEqual(body.detail[0].loc.slice(-2), ['event_type_prefixes', 1])
    assert.equal(body.detail[0].type, 'unknown_event_type')
  }
})

describe('a team access token', () => {
  const mint = (name = 'create_api_access_token', env = 'sandbox', key?: string) =>
    ours.call('POST', `/team/${teamId}/${name}`, { env }, key)
  const withToken = (token: string) => whoami({ authorization: `Bearer ${token}` })

  test('ends when its management key loses the team, and with no other change of the key', async () => {
    const other = await makeTeam(ours)
    const bindings = [{ team_id: teamId }, { team_id: other }]
    const key = { label: 'Bound', role: 'team_admin', team_role_bindings: bindings }
    const made = (await ours.call('POST', '/management_key', key)).body
    const change = (body: object) => ours.call('PATCH', `/management_key/${made.id}`, body)
    const token: string = (await mint(undefined, 'sandbox', made.key)).body.access_token
    assert.equal((await withToken(token)).status, 200)
    await change({ label: 'Renamed', team_role_bindings: [{ team_id: teamId.toUpperCase() }] })
    assert.equal((await withToken(token)).status, 200)
    await change({ team_role_bindings: [{ team_id: other }] })
    assert.equal((await withToken(token)).status, 401)
    await change({ team_role_bindings: null })
    assert.equal((await withToken(token)).status, 200)
    await change({ team_role_bindings: [] })
    assert.equal((await withToken(token)).status, 401)
  })

  test('works like a team key for ten minutes, from either path', async () => {
    for (const name of ['create_api_access_token', 'create_access_token']) {
      const { status, body } = await mint(name, 'production')
      assert.equal(status, 200)
      assert.match(body.access_token, /^at_[0-9A-Za-z]{43}$/)
      assert.equal(body.expires_in, 600)
      clock.advance(599)
      const answer = await withToken(body.access_token)
      assert.equal(answer.body.kind, 'production')
      clock.advance(1)
      const late = await withToken(body.access_token)
      assert.equal(late.status, 401)
      assert.equal(late.body.detail.error_type, 'invalid_token')
      assert.equal(late.headers['www-authenticate'], 'Bearer')
    }
  })

  test('is refused when unknown, and keys are no tokens', async () => {
    const { value } = await makeTeamKey(ours, teamId)
    for (const token of ['at_unknown', value, ours.key]) {
      assert.equal((await withToken(token)).body.detail.error_type, 'invalid_token')
    }
    const token = (await mint()).body.access_token
    assert.equal((await whoami({ 'x-service-api-key': token })).status, 401)
  })

  test('ends with the management key that made it', async () => {
    const admin = await makeTeamAdmin(ours, [teamId])
    const { body } = await mint('create_access_token', 'sandbox', admin)
    assert.equal((await withToken(body.access_token)).status, 200)
    const list = await ours.call('GET', `/management_key?team_id=${teamId}`)
    for (const { id } of list.body.data) await ours.call('DELETE', `/management_key/${id}`)
    assert.equal((await withToken(body.access_token)).status, 401)
  })

  test('is made sixty times a minute for a management key, even side by side', async () => {
    clock.advance(60)
    const answers = await Promise.all(Array.from({ length: 63 }, () => mint()))
    const statuses = answers.map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 200).length, 60)
    const refused = answers.find((answer) => answer.status === 429)
    assert.equal(refused?.body.detail.error_type, 'rate_limited')
    assert.ok(Number(refused?.headers['retry-after']) > 0)
    assert.equal((await mint('create_access_token')).status, 429)
    const admin = await makeTeamAdmin(ours, [teamId])
    assert.equal((await mint('create_access_token', 'sandbox', admin)).status, 200)
    clock.advance(60)
    assert.equal((await mint()).status, 200)
  })

  test('is only for teams that the management key may use', async () => {
    const path = `/team/${teamId}/create_access_token`
    assert.equal((await theirs.call('POST', path, { env: 'sandbox' })).status, 404)
    const admin = await makeTeamAdmin(ours, [await makeTeam(ours)])
    assert.equal((await ours.call('POST', path, { env: 'sandbox' }, admin)).status, 404)
    assert.equal((await ours.call('POST', path, { env: 'staging' })).status, 422)
  })
})

describe('GET /v2/team/{team_id}', () => {
  test("answers the caller's own team with its settings", async () => {
    const team = await makeTeam(ours)
    await ours.call('PATCH', `/team/${team}`, {
      production: {
        lab_tests_patient_sms_communication_enabled: false,
        logo_url: 'https://acme.example/logo.png',
      },
    })
    const { value } = await makeTeamKey(ours, team, 'production')
    const headers = { 'x-service-api-key': value }
    const { status, body } = await send(app, { url: `/v2/team/${team.toUpperCase()}`, headers })
    assert.equal(status, 200)
    assert.equal(body.id, team)
    assert.equal(body.org_id, ours.id)
    assert.equal(body.logo_url, 'https://acme.example/logo.png')
    assert.equal(body.lab_tests_patient_sms_communication_enabled, false)
    assert.equal(body.lab_tests_patient_communication_enabled, true)
    assert.deepEqual(body.configuration.libreview, { practice_id: {}, strip_tz: false })
    for (const name of ['svix_app_id', 'api_key', 'api_keys', 'webhook_secret']) {
      assert.equal(body[name], null, name)
    }
  })

  test('is 404 for every other team', async () => {
    const headers = { 'x-service-api-key': (await makeTeamKey(ours, teamId)).value }
    for (const id of [await makeTeam(ours), await makeTeam(theirs)]) {
      const answer = await send(app, { url: `/v2/team/${id}`, headers })
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Team not found.' }])
    }
    assert.equal((await send(app, { url: '/v2/team/x', headers })).status, 422)
    assert.equal((await send(app, { url: `/v2/team/${teamId}` })).status, 401)
  })
})
