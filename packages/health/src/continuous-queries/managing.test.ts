import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { DataChangeListener } from '@salus/kernel/data-changes'
import { newId } from '@salus/kernel/ids'
import type { Database } from '@salus/kernel/postgres/database'
import { Kysely, PostgresDialect } from 'kysely'
import { DAILY_STEPS, stepsAt } from '../../../server/test/continuous-queries/query-environment.ts'
import {
  GAP,
  tableOf,
  useQueryFixture,
} from '../../../server/test/continuous-queries/query-fixture.ts'
import { REFUSED_BODIES } from '../../../server/test/continuous-queries/refused-bodies.registry.ts'
import { createSampleFixture, createTestIngest } from '../../../server/test/ingest-fixture.ts'
import type { Sample } from '../ingest/index.ts'
import { createInvalidator } from './index.ts'

const fixture = useQueryFixture()

const LIST = '/continuous_query'
const COLUMNS = [
  { name: 'group_key.0', type: 'datetime', nullable: false },
  { name: 'sum.steps.value', type: 'number', nullable: true },
]
const NOT_FOUND = { detail: 'Continuous query not found.' }

let nextSlug = 0
const bodyOf = (fields: object = {}) => ({
  slug: `managed-${nextSlug++}`,
  title: 'Daily (steps) & more_1.',
  query: DAILY_STEPS,
  ...fields,
})

describe('creating a query', () => {
  test('answers it with what it will answer and what it reads', async () => {
    const { status, body } = await fixture.environment.manage(
      'POST',
      LIST,
      bodyOf({ slug: 'daily-steps' }),
    )
    assert.equal(status, 200)
    const { id, ...query } = body
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(query, {
      status: 'active',
      slug: 'daily-steps',
      title: 'Daily (steps) & more_1.',
      team_id: fixture.salus.teamId,
      query: query.query,
      query_config: null,
      scheduling_preferences: { minimum_gap_duration_second: null },
      result_table_schema: { columns: COLUMNS },
      resource_dependencies: ['steps'],
      export_preferences: { data_events: { enabled: true }, fhir_observations: false },
      fhir_observation_mappers: [],
    })
    assert.deepEqual(query.query.group_by, DAILY_STEPS.group_by)
  })

  test('keeps the given fields', async () => {
    const asked = {
      query_config: { provider_priority_overrides: ['fitbit'] },
      scheduling_preferences: { minimum_gap_duration_second: 3600 },
      export_preferences: { data_events: { enabled: false }, fhir_observations: true },
    }
    const { body } = await fixture.environment.manage('POST', LIST, bodyOf(asked))
    const { query_config, scheduling_preferences, export_preferences } = body
    assert.deepEqual({ query_config, scheduling_preferences, export_preferences }, asked)
  })

  test('is refused where a slug is taken, also by an archived query', async () => {
    const { id, slug } = await fixture.environment.create()
    for (const path of ['', `/${id}`]) {
      if (path !== '') await fixture.environment.manage('DELETE', `${LIST}${path}`)
      const { status, body } = await fixture.environment.manage('POST', LIST, bodyOf({ slug }))
      assert.deepEqual([status, body.detail.error_type], [409, 'slug_taken'])
    }
  })

  test('is refused for queries of the platform', async () => {
    const asTeam = await fixture.environment.manage('POST', `${LIST}?query_type=team`, bodyOf())
    assert.equal(asTeam.status, 200)
    const { status, body } = await fixture.environment.manage(
      'POST',
      `${LIST}?query_type=platform`,
      bodyOf(),
    )
    assert.deepEqual([status, body.detail.error_type], [403, 'feature_not_enabled'])
    const other = await fixture.environment.manage('POST', `${LIST}?query_type=other`, bodyOf())
    assert.equal(other.status, 422)
  })
})

describe('a body that breaks a rule is refused', () => {
  for (const [name, fields, loc] of REFUSED_BODIES) {
    test(name, async () => {
      for (const path of [LIST, '/validate_continuous_query']) {
        const { status, body } = await fixture.environment.manage('POST', path, bodyOf(fields))
        assert.equal(status, 422, JSON.stringify(body))
        assert.deepEqual(body.detail[0].loc.slice(0, loc.length), loc)
      }
    })
  }
})

test('validating answers what creating would, and creates nothing', async () => {
  const body = bodyOf()
  const answer = await fixture.environment.manage('POST', '/validate_continuous_query', body)
  assert.deepEqual(answer.body, {
    result_table_schema: { columns: COLUMNS },
    resource_dependencies: ['steps'],
    fhir_observation_previews: null,
  })
  assert.equal((await fixture.environment.manage('POST', LIST, body)).status, 200)
})

describe('the list', () => {
  test('has every query once, oldest first, page by page', async () => {
    fixture.salus.clock.advance(1)
    const made = [
      await fixture.environment.create(),
      await fixture.environment.create(),
      await fixture.environment.create(),
    ]
    await fixture.environment.manage('DELETE', `${LIST}/${made[1].id}`)
    const found: { id: string; status: string }[] = []
    let cursor = ''
    do {
      const { body } = await fixture.environment.manage(
        'GET',
        `${LIST}?limit=2&next_cursor=${cursor}`,
      )
      assert.ok(body.data.length <= 2)
      found.push(...body.data)
      cursor = body.next_cursor ?? ''
    } while (cursor !== '')
    assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
    assert.deepEqual(
      found.slice(-3).map(({ id, status }) => [id, status]),
      made.map(({ id }, index) => [id, index === 1 ? 'archived' : 'active']),
    )
  })

  test('refuses a cursor of something else', async () => {
    const { status, body } = await fixture.environment.manage('GET', `${LIST}?next_cursor=abc`)
    assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'])
  })
})

describe('changing a query', () => {
  test('changes the title and the gap, each alone, and nothing else', async () => {
    const query = await fixture.environment.create()
    const path = `${LIST}/${query.id}`
    const change = (body: object) => fixture.environment.manage('PATCH', path, body)
    assert.deepEqual((await change({})).body, query)
    const titled = { ...query, title: 'Another' }
    assert.deepEqual((await change({ title: 'Another', slug: 'other', status: 'x' })).body, titled)
    const scheduling_preferences = { minimum_gap_duration_second: 7200 }
    const scheduled = { ...titled, scheduling_preferences }
    assert.deepEqual((await change({ scheduling_preferences })).body, scheduled)
    assert.deepEqual((await change({ scheduling_preferences: {} })).body, scheduled)
    const none = { scheduling_preferences: { minimum_gap_duration_second: null } }
    assert.deepEqual((await change(none)).body, { ...scheduled, ...none })
    assert.equal((await change({ title: 'No!' })).status, 422)
  })

  test('of an unknown id is not found', async () => {
    for (const [method, body] of [['PATCH', { title: 'A' }], ['DELETE']] as const) {
      const answer = await fixture.environment.manage(method, `${LIST}/${newId()}`, body)
      assert.deepEqual([answer.status, answer.body], [404, NOT_FOUND])
      assert.equal(
        (await fixture.environment.manage(method, `${LIST}/not-an-id`, body)).status,
        422,
      )
    }
  })

  test('archives it as often as one likes', async () => {
    const { id } = await fixture.environment.create()
    for (let time = 0; time < 2; time++) {
      const { status, body } = await fixture.environment.manage('DELETE', `${LIST}/${id}`)
      assert.deepEqual([status, body.id, body.status], [200, id, 'archived'])
    }
  })
})

describe('an archived query', () => {
  test('is evaluated no more, and its results stay', async () => {
    const { query, upload, table, tasks } = await fixture.begin({}, [
      stepsAt('2026-02-10T08:00:00Z', 1),
    ])
    await upload(stepsAt('2026-02-11T08:00:00Z', 1))
    const answer = await fixture.environment.manage('DELETE', `/continuous_query/${query.id}`)
    assert.deepEqual([answer.status, answer.body.status], [200, 'archived'])
    assert.deepEqual(await tasks(), ['skipped', 'completed'])
    await upload(stepsAt('2026-02-12T08:00:00Z', 1))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 1 }))
    assert.deepEqual(await tasks(), ['skipped', 'completed'])
  })

  test('that is archived after its invalidation was claimed is skipped', async () => {
    const { query, upload, tasks } = await fixture.begin({}, [stepsAt('2026-02-10T08:00:00Z', 1)])
    await upload(stepsAt('2026-02-11T08:00:00Z', 1))
    await fixture.salus.database.pool.query(
      `update continuous_queries set status = 'archived' where id = $1`,
      [query.id],
    )
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await tasks(), ['skipped', 'completed'])
  })
})

describe('a deleted person', () => {
  test('is not evaluated until the delete is undone, and is erased with all results', async () => {
    const { userId, upload, table, tasks } = await fixture.begin({}, [
      stepsAt('2026-02-10T08:00:00Z', 1),
    ])
    await upload(stepsAt('2026-02-11T08:00:00Z', 1))
    await fixture.salus.call('DELETE', `/v2/user/${userId}`)
    await fixture.environment.evaluateAfter(GAP)
    await fixture.salus.call('POST', `/v2/user/undo_delete?user_id=${userId}`)
    assert.deepEqual(await tasks(), ['scheduled', 'completed'])
    await fixture.environment.evaluate()
    assert.deepEqual(await table(), tableOf({ '02-10': 1, '02-11': 1 }))
    await fixture.salus.database.pool.query('delete from users where id = $1', [userId])
    for (const name of ['rows', 'invalidations', 'evaluations', 'tasks']) {
      const { rows } = await fixture.salus.database.pool.query(
        `select 1 from continuous_query_${name} where user_id = $1`,
        [userId],
      )
      assert.deepEqual(rows, [], name)
    }
  })
})

const SAMPLE: Sample = {
  series: 'steps',
  startedAt: Date.parse('2026-02-10T08:00:00Z'),
  endedAt: Date.parse('2026-02-10T08:00:00Z'),
  value: 1,
  diastolic: 0,
  text: '',
  sourceType: 'unknown',
  appId: '',
  sampleType: '',
  workoutId: '',
  sport: '',
  timezoneOffset: null,
  timeZone: '',
  extra: '',
  modifiedAt: null,
}

describe('noting changes', () => {
  test('costs no statement where nothing watches, but one every few seconds', async () => {
    let statements = 0
    const db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: fixture.salus.database.pool }),
      log: () => {
        statements += 1
      },
    })
    const { clock } = fixture.salus
    const marker = createInvalidator({ db, clock })
    const change = { environmentId: newId(), userId: newId(), resource: 'steps', from: 0, to: 1 }
    for (let upload = 0; upload < 10; upload++) await marker.willStore([change])
    assert.equal(statements, 1)
    clock.advance(6)
    await marker.willStore([change])
    assert.equal(statements, 2)
  })

  test('comes before the data are stored, which are not stored without it', async () => {
    const { userId, tasks } = await fixture.begin()
    const stores = fixture.salus.dependencies
    const { db, clickhouse, clock } = stores
    const inserted: string[][] = []
    const watched: ClickHouse = new Proxy(clickhouse, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'insert') return value.bind(target)
        return async () => {
          inserted.push(await tasks())
        }
      },
    })
    const { rows } = await fixture.salus.database.pool.query(
      'select environment_id from users where id = $1',
      [userId],
    )
    const owner = { environmentId: rows[0].environment_id, userId, provider: 'manual' }
    const write = (listener: DataChangeListener) =>
      createSampleFixture(
        createTestIngest({ ...stores, clickhouse: watched, listener }),
        stores,
      ).write(owner, [SAMPLE])
    const marker = createInvalidator({ db, clock })
    await assert.rejects(write({ willStore: () => Promise.reject(new Error('no')) }), /no/)
    assert.deepEqual(inserted, [])
    await write(marker)
    assert.deepEqual(inserted, [['scheduled', 'skipped']])
  })

  test('of a person who is gone does no harm', async () => {
    const { query } = await fixture.begin()
    const { rows } = await fixture.salus.database.pool.query(
      'select environment_id from continuous_queries where id = $1',
      [query.id],
    )
    const marker = createInvalidator({ db: fixture.salus.database.db, clock: fixture.salus.clock })
    const owner = { environmentId: rows[0].environment_id, userId: newId() }
    await marker.willStore([{ ...owner, resource: 'steps', from: 0, to: 1 }])
    const text = 'select from continuous_query_invalidations where user_id = $1'
    assert.equal((await fixture.salus.database.pool.query(text, [owner.userId])).rowCount, 0)
  })
})
