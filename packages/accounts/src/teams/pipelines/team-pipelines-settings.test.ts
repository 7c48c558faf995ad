import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  makeTeamAdmin,
  makeTeamKey,
  makeTeam as makeTeamNow,
  send,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'

const { app, clock, ours, theirs } = useTeamsApp()

const PIPELINES = '/team_etl_pipelines/sandbox/us'
const UNKNOWN = '7d4a1c52-0000-4000-8000-000000000000'
const DEFAULTS = { push_historical_data: false, event_type_prefixes: null }
const CHANGED = { push_historical_data: true, event_type_prefixes: ['daily.data.'] }

async function makeTeam(organization = ours, extra: object = {}) {
  clock.advance(1)
  return makeTeamNow(organization, extra)
}

/** The options of a team as its pipeline shows them. */
async function optionsOf(teamId: string, path = PIPELINES) {
  const { body } = await ours.call('GET', `${path}?team_id=${teamId}`)
  const { push_historical_data, event_type_prefixes } = body.pipelines[0]
  return { push_historical_data, event_type_prefixes }
}

function change(teamIds: string[], options: object, path = PIPELINES, key?: string) {
  return ours.call('POST', path, { team_ids: teamIds, ...options }, key)
}

describe('a reset of pipelines', () => {
  test('gives the defaults back and keeps the other settings', async () => {
    const [one, two] = [await makeTeam(), await makeTeam()]
    await change([one, two], CHANGED)
    await change([one], CHANGED, '/team_etl_pipelines/production/us')
    await ours.call('PATCH', `/team/${one}`, { sandbox: { minor_ordering_enabled: true } })
    const { status, body } = await ours.call('DELETE', `${PIPELINES}?team_id=${one}`)
    assert.deepEqual([status, body], [200, { success: [one], failure: [], not_found: [] }])
    assert.deepEqual(await optionsOf(one), DEFAULTS)
    assert.deepEqual(await optionsOf(two), CHANGED)
    const production = await optionsOf(one, '/team_etl_pipelines/production/us')
    assert.deepEqual(production, CHANGED)
    const team = await ours.call('GET', `/team/${one}`)
    assert.equal(team.body.sandbox.minor_ordering_enabled, true)
  })

  test('returns the teams that it did not find, and leaves them', async () => {
    const [one, two, gone] = [await makeTeam(), await makeTeam(), await makeTeam()]
    const foreign = await makeTeam(theirs)
    const european = await makeTeam(ours, { region: 'eu' })
    await theirs.call('POST', PIPELINES, { team_ids: [foreign], ...CHANGED })
    await change([european], CHANGED, '/team_etl_pipelines/sandbox/eu')
    await ours.call('DELETE', `/team/${gone}`)
    const ids = [two.toUpperCase(), foreign, one, one, european, gone, UNKNOWN]
    const query = ids.map((id) => `team_id=${id}`).join('&')
    const { body } = await ours.call('DELETE', `${PIPELINES}?${query}`)
    const not_found = [foreign, european, gone, UNKNOWN]
    assert.deepEqual(body, { success: [two, one], failure: [], not_found })
    const untouched = await optionsOf(european, '/team_etl_pipelines/sandbox/eu')
    assert.equal(untouched.push_historical_data, true)
    const kept = await theirs.call('GET', `${PIPELINES}?team_id=${foreign}`)
    assert.equal(kept.body.pipelines[0].push_historical_data, true)
    assert.equal((await ours.call('DELETE', PIPELINES)).status, 422)
  })
})

test('a team_admin handles the pipelines of bound teams only', async () => {
  const [own, other] = [await makeTeam(), await makeTeam()]
  const admin = await makeTeamAdmin(ours, [own])
  const list = await ours.call('GET', PIPELINES, undefined, admin)
  assert.deepEqual(
    list.body.pipelines.map((pipeline: { team_id: string }) => pipeline.team_id),
    [own],
  )
  const filtered = await ours.call('GET', `${PIPELINES}?team_id=${other}`, undefined, admin)
  assert.equal(filtered.status, 404)
  assert.equal((await change([own, other], CHANGED, PIPELINES, admin)).status, 404)
  assert.equal((await optionsOf(own)).push_historical_data, false)
  await change([other], CHANGED)
  assert.equal((await change([own], CHANGED, PIPELINES, admin)).status, 200)
  const query = `${PIPELINES}?team_id=${other}&team_id=${own}`
  const { body } = await ours.call('DELETE', query, undefined, admin)
  assert.deepEqual(body, { success: [own], failure: [], not_found: [other] })
  assert.equal((await optionsOf(other)).push_historical_data, true)
})

test('another organization sees and changes none of them', async () => {
  const team = await makeTeam()
  for (const method of ['GET', 'POST', 'DELETE']) {
    const body = method === 'POST' ? { team_ids: [team] } : undefined
    const path = method === 'POST' ? PIPELINES : `${PIPELINES}?team_id=${team}`
    assert.equal((await ours.call(method, path, body, theirs.key)).status, 404)
  }
})

describe('the settings of a team and its pipeline', () => {
  test('show the changes of each other', async () => {
    const team = await makeTeam(ours, { push_historical_data: true })
    assert.equal((await optionsOf(team)).push_historical_data, true)
    const sandbox = { push_historical_data: false, event_type_prefixes: ['provider.'] }
    await ours.call('PATCH', `/team/${team}`, { sandbox })
    assert.deepEqual(await optionsOf(team), sandbox)
    await change([team], CHANGED)
    const { body } = await ours.call('GET', `/team/${team}`)
    assert.deepEqual(body.sandbox.event_type_prefixes, CHANGED.event_type_prefixes)
    assert.equal(body.sandbox.push_historical_data, true)
    assert.equal(body.production.event_type_prefixes, null)
  })

  test("are what the team's own key sees, at once", async () => {
    const team = await makeTeam()
    const { value } = await makeTeamKey(ours, team)
    const configuration = async () => {
      const headers = { 'x-service-api-key': value }
      const { body } = await send(app, { url: `/v2/team/${team}`, headers })
      const { push_historical_data, event_type_prefixes } = body.configuration
      return { push_historical_data, event_type_prefixes }
    }
    assert.deepEqual(await configuration(), DEFAULTS)
    await change([team], CHANGED)
    assert.deepEqual(await configuration(), CHANGED)
    await ours.call('DELETE', `${PIPELINES}?team_id=${team}`)
    assert.deepEqual(await configuration(), DEFAULTS)
  })
})
