import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import {
  createRulesFixture,
  GLUCOSE_LOW,
  type Reading,
} from '../../../server/test/rules/rules-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createRulesFixture)

beforeEach(async () => {
  const { data } = (await fixture.call('GET', '/v3/rule')).body
  for (const { id } of data) await fixture.call('DELETE', `/v3/rule/${id}`)
  fixture.salus.clock.advance(40 * 86_400)
})

const glucose = { func: 'mean', arg: { merged: 'glucose', field: 'value' } }
const steps = { func: 'sum', arg: { merged: 'steps', field: 'value' } }
const day = { value: 1, unit: 'day' }

/** Conditions that are refused: the field of the problem, and its type. */
const REFUSED: readonly [what: string, condition: object, field: string, type: string][] = [
  ['has no value', { ...GLUCOSE_LOW, value: undefined }, 'value', 'missing'],
  [
    'has a field of another type',
    { ...GLUCOSE_LOW, recent_days: 3 },
    'recent_days',
    'extra_forbidden',
  ],
  [
    'names an unknown series',
    { ...GLUCOSE_LOW, value: { func: 'min', arg: { merged: 'sugar', field: 'value' } } },
    'value.arg.merged',
    'unknown_column',
  ],
  [
    'names an unknown column',
    { ...GLUCOSE_LOW, value: { func: 'min', arg: { sleep: 'depth' } }, unit: undefined },
    'value.arg.sleep',
    'unknown_column',
  ],
  [
    'compares a text',
    { ...GLUCOSE_LOW, value: { func: 'min', arg: { sleep: 'state' } }, unit: undefined },
    'value.func',
    'invalid_function',
  ],
  ['has a unit of another measure', { ...GLUCOSE_LOW, unit: 'kg' }, 'unit', 'enum'],
  [
    'has the number of another unit',
    { ...GLUCOSE_LOW, unit: 'mmol/L' },
    'threshold',
    'less_than_equal',
  ],
  [
    'has a window of 7 minutes',
    { ...GLUCOSE_LOW, window: { value: 7, unit: 'minute' } },
    'window',
    'enum',
  ],
  [
    'has a window of 40 days',
    { ...GLUCOSE_LOW, window: { value: 40, unit: 'day' } },
    'window',
    'enum',
  ],
  [
    'has hours of a value of days',
    {
      ...{ ...GLUCOSE_LOW, unit: undefined, window: { value: 3, unit: 'hour' } },
      value: { func: 'mean', arg: { activity: 'heart_rate_resting' } },
    },
    'window',
    'enum',
  ],
  [
    'is a goal of a mean',
    { type: 'goal', value: glucose, window: day, threshold: 1 },
    'value.func',
    'enum',
  ],
  [
    'is a goal of two days',
    { type: 'goal', value: steps, window: { value: 2, unit: 'day' }, threshold: 1 },
    'window',
    'enum',
  ],
  [
    'misses nothing known',
    { type: 'no_data', for: day, resource: 'sugar' },
    'resource',
    'unknown_column',
  ],
  [
    'misses data for a minute',
    { type: 'no_data', for: { value: 1, unit: 'minute' } },
    'for.value',
    'less_than_equal',
  ],
]

describe('a rule is refused that', () => {
  for (const [what, condition, field, type] of REFUSED) {
    test(what, async () => {
      const body = { name: 'A rule', condition }
      for (const [url, sent] of [
        ['/v3/rule', body],
        ['/v3/rule/preview', { condition, days: 3 }],
      ] as const) {
        const answer = await fixture.call('POST', url, sent)
        assert.equal(answer.status, 422, answer.text)
        const [problem] = answer.body.detail
        assert.deepEqual([problem.loc.slice(2).join('.'), problem.type], [field, type])
      }
    })
  }

  test('is for a user of another team, or for none', async () => {
    const other = await fixture.salus.makeTeam()
    const headers = { 'x-service-api-key': other.sandboxKey }
    const body = { client_user_id: 'theirs' }
    const theirs = (await fixture.call('POST', '/v2/user', body, headers)).body.user_id
    const mine = await fixture.person()
    for (const unknown of [theirs, newId()]) {
      const user_ids = [mine, unknown]
      const refused = await fixture.call('POST', '/v3/rule', {
        ...{ name: 'A rule', condition: GLUCOSE_LOW, user_ids },
      })
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.body.detail[0].loc, ['body', 'user_ids', 1])
    }
    assert.deepEqual((await fixture.call('GET', '/v3/rule')).body.data, [])
    const preview = { condition: GLUCOSE_LOW, days: 3, user_id: theirs }
    assert.equal((await fixture.call('POST', '/v3/rule/preview', preview)).status, 404)
    const rule = await fixture.create()
    const foreign = await fixture.call('GET', `/v3/rule/${rule.id}`, undefined, headers)
    assert.equal(foreign.status, 404)
    assert.equal(
      (await fixture.call('DELETE', `/v3/rule/${rule.id}`, undefined, headers)).status,
      404,
    )
  })
})

describe('a rule', () => {
  test('is for chosen people only, and for others once they are chosen', async () => {
    const [one, two] = [await fixture.person(), await fixture.person()]
    const rule = await fixture.create({ user_ids: [one] })
    const low: Reading[] = [[fixture.ago(0.2), 55]]
    for (const userId of [one, two]) await fixture.upload(userId, 'glucose', low)
    await fixture.check()
    assert.deepEqual(
      [(await fixture.emitted(one)).length, (await fixture.emitted(two)).length],
      [1, 0],
    )
    const changed = await fixture.call('PATCH', `/v3/rule/${rule.id}`, { user_ids: [two] })
    assert.deepEqual(changed.body.user_ids, [two])
    assert.match((await fixture.emitted(one)).at(-1) ?? '', /^resolved .* rule_changed$/)
    fixture.salus.clock.advance(6)
    await fixture.upload(two, 'glucose', [[fixture.ago(0.1), 56]])
    await fixture.check()
    assert.equal((await fixture.emitted(two)).length, 1)
  })

  test('opens a task with its own urgency and escalation, which ends with the episode', async () => {
    await fixture.create({ task: { priority: 'stat', escalation_minutes: 20 } })
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.2), 50]])
    await fixture.check()
    const list = async (status: string) =>
      (await fixture.call('GET', `/v3/task?user_id=${userId}&status=${status}`)).body.data
    const [task] = await list('requested')
    const [episode] = await fixture.episodes(userId)
    assert.deepEqual(
      [task.kind, task.priority, task.focus],
      ['rule', 'stat', { type: 'rule_episode', id: episode.id }],
    )
    assert.equal(Date.parse(task.due_at) - Date.parse(task.opened_at), 20 * 60_000)
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.01), 90]])
    await fixture.check()
    assert.equal((await list('completed'))[0].id, task.id)
  })

  for (const [change, reason] of [
    [{ status: 'paused' }, 'rule_paused'],
    [{ condition: { ...GLUCOSE_LOW, threshold: 60 } }, 'rule_changed'],
    [null, 'rule_deleted'],
  ] as const) {
    test(`ends its episodes: ${reason}`, async () => {
      const rule = await fixture.create({ task: { priority: 'routine' } })
      const userId = await fixture.person()
      await fixture.upload(userId, 'glucose', [[fixture.ago(0.2), 65]])
      await fixture.check()
      const method = change === null ? 'DELETE' : 'PATCH'
      const answer = await fixture.call(method, `/v3/rule/${rule.id}`, change ?? undefined)
      assert.equal(answer.status, 200, answer.text)
      assert.match(
        (await fixture.emitted(userId)).at(-1) ?? '',
        new RegExp(`^resolved .* ${reason}$`),
      )
      assert.deepEqual((await fixture.call('GET', `/v3/task?user_id=${userId}`)).body.data, [])
      fixture.salus.clock.advance(6)
      await fixture.upload(userId, 'glucose', [[fixture.ago(0.1), 64]])
      await fixture.check()
      assert.equal((await fixture.emitted(userId)).length, 2)
    })
  }

  test('that names the same condition again stays as it is', async () => {
    const rule = await fixture.create()
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.2), 65]])
    await fixture.check()
    const { condition } = rule
    await fixture.call('PATCH', `/v3/rule/${rule.id}`, { condition, name: 'Renamed' })
    assert.equal((await fixture.emitted(userId)).length, 1)
    assert.equal((await fixture.episodes(userId))[0].rule_name, 'Renamed')
  })

  test('reports nothing about a deleted person', async () => {
    await fixture.create()
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.2), 65]])
    await fixture.call('DELETE', `/v2/user/${userId}`)
    await fixture.check()
    assert.deepEqual(await fixture.emitted(userId), [])
  })
})

describe('a preview', () => {
  test('shows for one user what the rule then reports, and counts users of the environment', async () => {
    const userId = await fixture.person()
    await fixture.person()
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(20), 60],
      [fixture.ago(19), 100],
      [fixture.ago(0.3), 58],
    ])
    const body = { condition: GLUCOSE_LOW, days: 1 }
    const one = await fixture.call('POST', '/v3/rule/preview', { ...body, user_id: userId })
    assert.deepEqual(
      one.body.episodes.map(({ value }: { value: number }) => value),
      [60, 58],
    )
    assert.equal(one.body.steps.length, 3)
    const all = (await fixture.call('POST', '/v3/rule/preview', body)).body
    assert.deepEqual([all.users_triggered, all.users_holding, all.episodes_counted], [1, 1, 2])
    assert.ok(all.users_checked > 1 && all.next_cursor === null)
    await fixture.create()
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.2), 57]])
    await fixture.check()
    const starts = (await fixture.episodes(userId)).map(({ start }) => start)
    const shown = one.body.episodes.map(({ start }: { start: string }) => start)
    assert.deepEqual(starts.toSorted(), shown)
  })

  test('shows times without a measurement', async () => {
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(24 * 8), 90],
      [fixture.ago(24 * 4), 90],
    ])
    const condition = { type: 'no_data', for: { value: 3, unit: 'day' }, resource: 'glucose' }
    const body = { condition, days: 7, user_id: userId }
    const { episodes, users_holding: holding } = (
      await fixture.call('POST', '/v3/rule/preview', body)
    ).body
    assert.deepEqual([episodes.length, episodes[1].end, holding], [2, null, 1])
  })

  test('of each template is possible, except where times of arrival are not known', async () => {
    const { data } = (await fixture.call('GET', '/v3/rule/template')).body
    const userId = await fixture.person()
    for (const { slug, name, condition, cool_down_minutes } of data) {
      const body = { condition, days: 31, user_id: userId }
      const { status } = await fixture.call('POST', '/v3/rule/preview', body)
      assert.equal(status, slug === 'no-data' ? 422 : 200, slug)
      await fixture.create({ name, condition, cool_down_minutes })
    }
  })
})
