import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  makeOrganization,
  makeTeam as makeTeamNow,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'
import type { Pipeline } from './team-pipelines.schema.ts'

const { app, clock, database, ours, theirs } = useTeamsApp()

const PIPELINES = '/team_etl_pipelines/sandbox/us'
const UNKNOWN = '7d4a1c52-0000-4000-8000-000000000000'
const DEFAULTS = {
  push_historical_data: false,
  provider_raw_data: false,
  preferences: { preferred: 'svix', enabled: ['svix'] },
  cloud_pubsub: null,
  rabbitmq: null,
  svix: {},
  azure_amqp: null,
  event_type_prefixes: null,
}

async function makeTeam(organization = ours, extra: object = {}) {
  clock.advance(1)
  return makeTeamNow(organization, extra)
}

/** The only pipeline of a list that is filtered by the team. */
async function pipelineOf(teamId: string, path = PIPELINES): Promise<Pipeline> {
  const { status, body } = await ours.call('GET', `${path}?team_id=${teamId}`)
  assert.equal(status, 200)
  assert.deepEqual([body.pipelines.length, body.next_cursor], [1, null])
  return body.pipelines[0]
}

function change(teamIds: string[], options: object, path = PIPELINES) {
  return ours.call('POST', path, { team_ids: teamIds, ...options })
}

const idsOf = (pipelines: Pipeline[]) => pipelines.map(({ team_id }) => team_id)

describe('the list of pipelines', () => {
  test('shows every team of the region, oldest first, with the defaults', async () => {
    const organization = await makeOrganization(app, database.db, clock)
    const first = await makeTeam(organization)
    const european = await makeTeam(organization, { region: 'eu' })
    const second = await makeTeam(organization)
    const list = await organization.call('GET', PIPELINES)
    assert.deepEqual(list.body, {
      pipelines: [
        { team_id: first, ...DEFAULTS },
        { team_id: second, ...DEFAULTS },
      ],
      next_cursor: null,
    })
    const elsewhere = await organization.call('GET', '/team_etl_pipelines/sandbox/eu')
    assert.deepEqual(elsewhere.body.pipelines, [{ team_id: european, ...DEFAULTS }])
    await organization.call('DELETE', `/team/${first}`)
    assert.deepEqual(idsOf((await organization.call('GET', PIPELINES)).body.pipelines), [second])
    assert.equal((await organization.call('GET', '/team_etl_pipelines/staging/us')).status, 422)
    assert.equal((await organization.call('GET', '/team_etl_pipelines/sandbox/mars')).status, 422)
  })

  test('is filtered by a team, which the key may use and the region has', async () => {
    const team = await makeTeam()
    await makeTeam()
    assert.deepEqual(await pipelineOf(team.toUpperCase()), { team_id: team, ...DEFAULTS })
    const european = await makeTeam(ours, { region: 'eu' })
    const foreign = await makeTeam(theirs)
    for (const id of [european, foreign, UNKNOWN]) {
      assert.equal((await ours.call('GET', `${PIPELINES}?team_id=${id}`)).status, 404)
    }
    assert.equal((await ours.call('GET', `${PIPELINES}?team_id=no-uuid`)).status, 422)
  })

  test('comes in pages, whose cursors belong to one place and filter', async () => {
    const organization = await makeOrganization(app, database.db, clock)
    const teams: string[] = []
    for (let count = 0; count < 51; count += 1) {
      // Each is older than the one before, so that only their times can order them.
      clock.advance(-2)
      teams.unshift(await makeTeam(organization))
    }
    clock.advance(51)
    const { body } = await organization.call('GET', PIPELINES)
    assert.equal(body.pipelines.length, 50)
    const next = `next_cursor=${body.next_cursor}`
    const last = await organization.call('GET', `${PIPELINES}?${next}`)
    assert.equal(last.body.next_cursor, null)
    assert.deepEqual(idsOf([...body.pipelines, ...last.body.pipelines]), teams)
    const refused = [
      organization.call('GET', `${PIPELINES}?next_cursor=nonsense`),
      organization.call('GET', `${PIPELINES}?team_id=${teams[0]}&${next}`),
      organization.call('GET', `/team_etl_pipelines/production/us?${next}`),
      organization.call('GET', `/team_etl_pipelines/sandbox/eu?${next}`),
      organization.call('GET', `/team_api_keys/sandbox/us?${next}`),
      ours.call('GET', `${PIPELINES}?${next}`),
    ]
    for (const answer of await Promise.all(refused)) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.detail.error_type, 'invalid_cursor')
    }
  })
})

describe('a change of pipelines', () => {
  test('sets what it names, of its teams and environment, in their order', async () => {
    const [one, two, other] = [await makeTeam(), await makeTeam(), await makeTeam()]
    const first = await change([two, one.toUpperCase(), two], { push_historical_data: true })
    assert.equal(first.status, 200)
    const pushing = { ...DEFAULTS, push_historical_data: true }
    assert.deepEqual(first.body, [
      { team_id: two, ...pushing },
      { team_id: one, ...pushing },
    ])
    const event_type_prefixes = ['daily.data.', 'provider.']
    const second = await change([one], { event_type_prefixes })
    assert.deepEqual(second.body, [{ team_id: one, ...pushing, event_type_prefixes }])
    assert.deepEqual(await pipelineOf(one), second.body[0])
    assert.deepEqual(await pipelineOf(two), first.body[0])
    assert.deepEqual(await pipelineOf(other), { team_id: other, ...DEFAULTS })
    const production = await pipelineOf(one, '/team_etl_pipelines/production/us')
    assert.deepEqual(production, { team_id: one, ...DEFAULTS })
  })

  test('takes all prefixes away with null and with an empty list', async () => {
    const team = await makeTeam()
    for (const none of [null, []]) {
      await change([team], { event_type_prefixes: ['daily.'] })
      const { body } = await change([team], { event_type_prefixes: none })
      assert.deepEqual(body[0].event_type_prefixes, none)
    }
    assert.deepEqual((await change([team], {})).body[0].event_type_prefixes, [])
  })

  test('may repeat that webhooks are the one destination', async () => {
    const team = await makeTeam()
    const { status, body } = await change([team], { ...DEFAULTS, push_historical_data: true })
    assert.equal(status, 200)
    assert.deepEqual(body, [{ team_id: team, ...DEFAULTS, push_historical_data: true }])
  })

  test('refuses what is not available, and then changes nothing', async () => {
    const team = await makeTeam()
    const cases: [options: object, errorType: string][] = [
      [{ cloud_pubsub: { project: 'p', topic: 't' } }, 'destination_not_available'],
      [{ rabbitmq: {} }, 'destination_not_available'],
      [{ azure_amqp: { connection_string: 'secret' } }, 'destination_not_available'],
      [{ svix: null }, 'destination_not_available'],
      [{ preferences: { preferred: 'rabbitmq', enabled: ['svix'] } }, 'destination_not_available'],
      [
        { preferences: { preferred: 'svix', enabled: ['svix', 'cloud_pubsub'] } },
        'destination_not_available',
      ],
      [{ provider_raw_data: true }, 'raw_data_not_available'],
    ]
    for (const [options, errorType] of cases) {
      const answer = await change([team], { push_historical_data: true, ...options })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.detail.error_type, errorType)
      assert.equal(JSON.stringify(answer.body).includes('secret'), false)
    }
    assert.deepEqual(await pipelineOf(team), { team_id: team, ...DEFAULTS })
  })

  test('of which one team is unknown, foreign, gone or elsewhere is none at all', async () => {
    const team = await makeTeam()
    const foreign = await makeTeam(theirs)
    const european = await makeTeam(ours, { region: 'eu' })
    const gone = await makeTeam()
    await ours.call('DELETE', `/team/${gone}`)
    for (const other of [UNKNOWN, foreign, european, gone]) {
      const answer = await change([team, other], { push_historical_data: true })
      assert.deepEqual([answer.status, answer.body.detail], [404, 'Team not found.'])
    }
    assert.deepEqual(await pipelineOf(team), { team_id: team, ...DEFAULTS })
    const path = '/team_etl_pipelines/sandbox/eu'
    const there = await change([european], { push_historical_data: true }, path)
    assert.equal(there.body[0].push_historical_data, true)
  })

  test('has to match its schema', async () => {
    const team = await makeTeam()
    const tooMany = Array.from({ length: 101 }, () => team)
    const wrong = [
      { push_historical_data: true },
      { team_ids: [] },
      { team_ids: tooMany },
      { team_ids: ['no-uuid'] },
      { team_ids: [team], push_historical_data: 'yes' },
      { team_ids: [team], provider_raw_data: null },
      { team_ids: [team], event_type_prefixes: [''] },
      { team_ids: [team], rabbitmq: 'amqps://broker' },
      { team_ids: [team], preferences: { preferred: 'fax', enabled: ['svix'] } },
      { team_ids: [team], preferences: { preferred: 'svix', enabled: [] } },
      { team_ids: [team], preferences: { preferred: 'svix' } },
    ]
    for (const body of wrong) {
      assert.equal((await ours.call('POST', PIPELINES, body)).status, 422, JSON.stringify(body))
    }
    const most = await change(tooMany.slice(1), {})
    assert.equal(most.body.length, 1)
  })

  test('waits for another one of the same teams, and both are kept', async () => {
    const [one, two] = [await makeTeam(), await makeTeam()]
    const answers = await Promise.all([
      change([one, two], { push_historical_data: true }),
      change([two, one], { event_type_prefixes: ['daily.'] }),
      ours.call('PATCH', `/team/${one}`, { sandbox: { minor_ordering_enabled: true } }),
    ])
    for (const { status } of answers) assert.equal(status, 200)
    for (const team_id of [one, two]) {
      const both = { push_historical_data: true, event_type_prefixes: ['daily.'] }
      assert.deepEqual(await pipelineOf(team_id), { team_id, ...DEFAULTS, ...both })
    }
    const { body } = await ours.call('GET', `/team/${one}`)
    assert.equal(body.sandbox.minor_ordering_enabled, true)
  })
})
