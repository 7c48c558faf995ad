import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PROVIDERS } from '@salus/contracts/providers'
import type { Scope } from '@salus/kernel/scope'
import { createHarness } from '../../../server/test/harness.ts'
import { rowScope } from '../../../server/test/scope.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { findProviderPriorities, findSourceRanking } from './index.ts'

const harness = useFixture(createHarness)
let scope: Scope

before(async () => {
  const { rows } = await harness.database.pool.query(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [harness.teamId],
  )
  scope = rowScope(harness.database.db, { id: rows[0].id })
})

const TEAM = '/v2/team/source/priorities'
const source = (provider: string, sourceType = 'watch', appId = '') => ({
  provider,
  sourceType,
  appId,
})

describe('priorities of a team', () => {
  test('are 0 for every provider and each data type it has, until they are set', async () => {
    const { body } = await harness.call('GET', TEAM)
    assert.ok(body.every((item: { priority: number }) => item.priority === 0))
    const ofSleep = body.filter((item: { data_type: string }) => item.data_type === 'sleep')
    assert.deepEqual(
      ofSleep.map((item: { slug: string }) => item.slug),
      PROVIDERS.filter(({ resources }) => resources.includes('sleep')).map(({ slug }) => slug),
    )
    const dexcom = body.filter((item: { slug: string }) => item.slug === 'dexcom_v3')
    assert.deepEqual(
      dexcom.map((item: { data_type: string }) => item.data_type),
      ['timeseries'],
    )
  })

  test('are set pair by pair; the others stay, and the highest comes first', async () => {
    const set = (slug: string, priority: number) => ({ data_type: 'sleep', slug, priority })
    await harness.call('PATCH', TEAM, [set('oura', 5), set('fitbit', -1)])
    const { status, body } = await harness.call('PATCH', TEAM, [set('whoop_v2', 7)])
    assert.equal(status, 200)
    const sleep = body.filter((item: { data_type: string }) => item.data_type === 'sleep')
    assert.deepEqual(sleep[0], {
      data_type: 'sleep',
      slug: 'whoop_v2',
      name: PROVIDERS.find(({ slug }) => slug === 'whoop_v2')?.name,
      source_id: PROVIDERS.findIndex(({ slug }) => slug === 'whoop_v2') + 1,
      priority: 7,
      resource: null,
      source_type: null,
    })
    assert.equal(sleep[1].slug, 'oura')
    assert.equal(sleep.at(-1).slug, 'fitbit')
    const only = await harness.call('GET', `${TEAM}?data_type=sleep`)
    assert.deepEqual(only.body, sleep)
  })

  test('reach the query planner by data type, without those of single series', async () => {
    await harness.call('PATCH', TEAM, [
      { data_type: 'timeseries', slug: 'fitbit', priority: 3 },
      { data_type: 'timeseries', slug: 'garmin', priority: 9, resource: 'steps' },
    ])
    const found = await findProviderPriorities(scope, 'timeseries')
    assert.deepEqual([...found], [['fitbit', 3]])
  })

  test('refuse unknown slugs, series of other data types, repetitions and large numbers', async () => {
    const item = { data_type: 'timeseries', slug: 'oura', priority: 1 }
    const refuse = async (...items: object[]) => {
      const { status, body } = await harness.call('PATCH', TEAM, items)
      assert.equal(status, 422)
      return body.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])
    }
    assert.deepEqual(await refuse({ ...item, slug: 'unknown' }), [
      [['body', 0, 'slug'], 'unknown_provider'],
    ])
    assert.deepEqual(await refuse({ ...item, data_type: 'sleep', resource: 'steps' }), [
      [['body', 0, 'resource'], 'resource_mismatch'],
    ])
    assert.deepEqual(await refuse(item, { ...item, resource: 'hrv' }, item), [
      [['body', 2], 'duplicate'],
    ])
    assert.equal((await refuse({ ...item, priority: 10_001 })).length, 1)
    assert.equal((await refuse({ ...item, data_type: 'meal' })).length, 1)
    assert.equal((await harness.call('GET', `${TEAM}?data_type=meal`)).status, 422)
  })

  test('belong to one environment', async () => {
    const team = await harness.makeTeam()
    const { body } = await harness.call('GET', TEAM, undefined, {
      'x-service-api-key': team.sandboxKey,
    })
    assert.ok(body.every((item: { priority: number }) => item.priority === 0))
  })
})

describe('priorities of a person', () => {
  const rule = { resource: null, provider: 'oura', source_type: null, app_id: null, priority: 1 }

  test('are put and read as one list, in its order', async () => {
    const url = `/v2/user/${await harness.makeUser()}/source_priorities`
    assert.deepEqual((await harness.call('GET', url)).body, { source_priorities: [] })
    const list = [
      { ...rule, resource: 'steps', priority: -3 },
      { ...rule, source_type: 'ring' },
      { ...rule, app_id: 'com.example', resource: 'sleep' },
    ]
    const put = await harness.call('PUT', url, { source_priorities: list })
    assert.equal(put.status, 200)
    assert.deepEqual(put.body, { source_priorities: list })
    const short = [{ provider: 'fitbit', priority: 2 }]
    await harness.call('PUT', url, { source_priorities: short })
    assert.deepEqual((await harness.call('GET', url)).body.source_priorities, [
      { ...rule, provider: 'fitbit', priority: 2 },
    ])
    await harness.call('PUT', url, { source_priorities: [] })
    assert.deepEqual((await harness.call('GET', url)).body, { source_priorities: [] })
  })

  test('refuse unknown names and two rules about the same, and keep what was there', async () => {
    const url = `/v2/user/${await harness.makeUser()}/source_priorities`
    await harness.call('PUT', url, { source_priorities: [rule] })
    const refuse = async (...list: object[]) => {
      const { status, body } = await harness.call('PUT', url, { source_priorities: list })
      assert.equal(status, 422)
      return body.detail[0].type
    }
    assert.equal(await refuse({ ...rule, provider: 'unknown' }), 'unknown_provider')
    assert.equal(await refuse({ ...rule, resource: 'moods' }), 'enum')
    assert.equal(await refuse({ ...rule, source_type: 'hat' }), 'enum')
    assert.equal(await refuse(rule, { ...rule, priority: 4 }), 'duplicate')
    const { body } = await harness.call('GET', url)
    assert.deepEqual(body.source_priorities, [rule])
  })

  test('of a person of another team are not there', async () => {
    const url = `/v2/user/${await harness.makeUser()}/source_priorities`
    const { sandboxKey } = await harness.makeTeam()
    assert.equal(
      (await harness.call('GET', url, undefined, { 'x-service-api-key': sandboxKey })).status,
      404,
    )
    const body = { source_priorities: [rule] }
    assert.equal(
      (await harness.call('PUT', url, body, { 'x-service-api-key': sandboxKey })).status,
      404,
    )
  })

  test('stand at once against each other: one list wins whole', async () => {
    const url = `/v2/user/${await harness.makeUser()}/source_priorities`
    const lists = ['oura', 'fitbit', 'garmin'].map((provider) =>
      ['steps', 'hrv'].map((resource) => ({ ...rule, provider, resource })),
    )
    await Promise.all(lists.map((list) => harness.call('PUT', url, { source_priorities: list })))
    const { body } = await harness.call('GET', url)
    assert.ok(lists.some((list) => JSON.stringify(list) === JSON.stringify(body.source_priorities)))
  })
})

describe('the ranking of sources', () => {
  const order = async (userId: string, resource = 'steps') => {
    const ranking = await findSourceRanking(scope, userId, resource)
    return [
      source('oura', 'ring'),
      source('polar'),
      source('polar', 'phone', 'x'),
      source('garmin'),
    ]
      .sort(ranking.compare)
      .map(({ provider, sourceType }) => `${provider} ${sourceType}`)
  }
  const byType = ['garmin watch', 'polar watch', 'oura ring', 'polar phone']

  test('goes by person, team and series, team and data type, source type, alphabet', async () => {
    const userId = await harness.makeUser()
    await harness.call('PATCH', TEAM, [
      { data_type: 'timeseries', slug: 'garmin', priority: 0, resource: 'steps' },
    ])
    assert.deepEqual(await order(userId), byType)
    await harness.call('PATCH', TEAM, [{ data_type: 'timeseries', slug: 'oura', priority: 5 }])
    assert.equal((await order(userId))[0], 'oura ring')
    await harness.call('PATCH', TEAM, [
      {
        data_type: 'timeseries',
        slug: 'polar',
        priority: 1,
        resource: 'steps',
        source_type: 'phone',
      },
    ])
    assert.deepEqual((await order(userId)).slice(0, 2), ['polar phone', 'oura ring'])
    assert.equal((await order(userId, 'distance'))[0], 'oura ring')
    assert.deepEqual(await order(userId, 'activity'), byType)
    const url = `/v2/user/${userId}/source_priorities`
    await harness.call('PUT', url, {
      source_priorities: [{ provider: 'garmin', priority: 1, resource: 'timeseries' }],
    })
    assert.equal((await order(userId))[0], 'garmin watch')
    assert.equal((await order(await harness.makeUser()))[0], 'polar phone')
  })

  test('of several rules of a person about a source the most specific holds', async () => {
    const userId = await harness.makeUser()
    const url = `/v2/user/${userId}/source_priorities`
    await harness.call('PUT', url, {
      source_priorities: [
        { provider: 'polar', priority: 9 },
        { provider: 'polar', priority: 2, resource: 'hrv' },
        { provider: 'polar', priority: -1, resource: 'hrv', source_type: 'watch' },
        { provider: 'polar', priority: 3, resource: 'hrv', app_id: 'x' },
        { provider: 'oura', priority: 1, resource: 'hrv' },
      ],
    })
    const hrv = await order(userId, 'hrv')
    assert.deepEqual(hrv, ['polar phone', 'oura ring', 'garmin watch', 'polar watch'])
  })
})
