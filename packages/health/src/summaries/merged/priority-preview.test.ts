import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import {
  createMerging,
  DAY,
  item,
  type Merging,
} from '../../../../server/test/timeseries/merging.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { PreviewSlot, PriorityPreview } from './priority-preview.schema.ts'

const salus = useFixture(createHarness)
let merging: Merging

before(() => {
  merging = createMerging(salus)
})

const DATE = '2026-02-10'
const TEAM = '/v2/team/source/priorities'
const pathOf = (userId: string) => `/v2/user/${userId}/source_priorities`

async function preview(userId: string, body: object): Promise<PriorityPreview> {
  const path = `${pathOf(userId)}/preview`
  const answer = await salus.call('POST', path, { resource: 'steps', date: DATE, ...body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** A person whose phone and watch count the same hour differently. */
async function makeWalker(): Promise<string> {
  const userId = await merging.makeUser()
  await merging.upload(userId, 'apple_health_kit', [item('10:00', 60, 1000, { type: 'phone' })])
  await merging.upload(userId, 'samsung_health', [item('10:00', 60, 900, { type: 'watch' })])
  return userId
}

const PHONE_FIRST = [{ resource: 'steps', provider: 'apple_health_kit', priority: 1 }]
const valuesOf = ([slot]: readonly PreviewSlot[]) => [slot?.before?.value, slot?.after?.value]

describe('a preview of source priorities', () => {
  test('is a day by the stored rules and by the proposed ones, and stores nothing', async () => {
    const userId = await makeWalker()
    const shown = await preview(userId, { source_priorities: PHONE_FIRST })
    assert.equal(shown.unit, 'count')
    assert.deepEqual(valuesOf(shown.day), [900, 1000])
    assert.deepEqual(valuesOf(shown.hours), [900, 1000])
    assert.deepEqual(shown.hours[0]?.after?.sources, [
      { provider: 'apple_health_kit', type: 'phone', app_id: null, value: 1000, count: 1 },
    ])
    const names = (sources: PriorityPreview['sources_after']) => sources.map((one) => one.provider)
    assert.deepEqual(names(shown.sources_before), ['samsung_health', 'apple_health_kit'])
    assert.deepEqual(names(shown.sources_after), ['apple_health_kit', 'samsung_health'])
    assert.deepEqual((await salus.call('GET', pathOf(userId))).body, { source_priorities: [] })
  })

  test('is what the merged read returns once the rules are stored', async () => {
    const userId = await makeWalker()
    const { day } = await preview(userId, { source_priorities: PHONE_FIRST })
    await salus.call('PUT', pathOf(userId), { source_priorities: PHONE_FIRST })
    const { data } = await merging.read(userId, `${DAY}&slot=day`)
    assert.equal(data[0]?.value, day[0]?.after?.value)
    const after = await preview(userId, {})
    assert.deepEqual(valuesOf(after.day), [1000, 1000])
    assert.deepEqual(valuesOf((await preview(userId, { source_priorities: [] })).day), [1000, 900])
  })

  test('takes changes of the team, below the rules of the person', async () => {
    const userId = await makeWalker()
    const change = { data_type: 'timeseries', slug: 'apple_health_kit', priority: 4 }
    const ofTeam = await preview(userId, { team_source_priorities: [change] })
    assert.deepEqual(valuesOf(ofTeam.day), [900, 1000])
    const both = await preview(userId, {
      team_source_priorities: [change],
      source_priorities: [{ resource: 'steps', provider: 'samsung_health', priority: 1 }],
    })
    assert.deepEqual(valuesOf(both.day), [900, 900])
    const { body } = await salus.call('GET', TEAM)
    assert.ok(body.every(({ priority }: { priority: number }) => priority === 0))
  })

  test('says of each night whether it counts, and why not', async () => {
    const userId = await salus.makeUser()
    const night = { ended_at: '2026-02-10T06:00:00Z', timezone_offset: 0 }
    const watch = await storeSummary(salus, userId, 'sleep', {
      ...{ ...night, started_at: '2026-02-09T22:00:00Z', provider: 'garmin' },
      source_type: 'watch',
    })
    const ring = await storeSummary(salus, userId, 'sleep', {
      ...{ ...night, started_at: '2026-02-09T22:10:00Z', provider: 'oura', source_type: 'ring' },
    })
    const { records, day, unit } = await preview(userId, {
      resource: 'sleep',
      source_priorities: [{ resource: 'sleep', provider: 'oura', priority: 2 }],
    })
    assert.deepEqual([day, unit], [[], null])
    const counts = { counts: true, won_by_id: null, rule: null, reason: null }
    const ofWatch = records.find(({ id }) => id === watch)
    assert.deepEqual(ofWatch?.before, counts)
    assert.deepEqual(ofWatch?.after, {
      ...{ counts: false, won_by_id: ring, rule: 'same_time', reason: 'priority_of_person' },
    })
    assert.deepEqual(records.find(({ id }) => id === ring)?.after, counts)
  })

  test('is empty without data, and refuses what could not be stored', async () => {
    const userId = await salus.makeUser()
    const empty = await preview(userId, {})
    assert.deepEqual([empty.day, empty.hours, empty.sources_before], [[], [], []])
    const refuse = async (body: object, headers = {}) => {
      const request = { resource: 'steps', date: DATE, ...body }
      const path = `${pathOf(userId)}/preview`
      const { status, body: answer } = await salus.call('POST', path, request, headers)
      return [status, answer.detail[0]?.loc ?? answer.detail.error_type]
    }
    const unknown = { provider: 'unknown', priority: 1 }
    const loc = ['body', 'source_priorities', 0, 'provider']
    assert.deepEqual(await refuse({ source_priorities: [unknown] }), [422, loc])
    const ofTeam = { data_type: 'sleep', slug: 'unknown', priority: 1 }
    const locOfTeam = ['body', 'team_source_priorities', 0, 'slug']
    assert.deepEqual(await refuse({ team_source_priorities: [ofTeam] }), [422, locOfTeam])
    for (const resource of ['activity', 'body', 'blood_pressure', 'moods']) {
      assert.deepEqual(await refuse({ resource }), [422, ['body', 'resource']])
    }
    assert.deepEqual(await refuse({ date: '2026-02-30' }), [422, ['body', 'date']])
    const { sandboxKey } = await salus.makeTeam()
    const [status] = await refuse({}, { 'x-service-api-key': sandboxKey })
    assert.equal(status, 404)
  })
})
