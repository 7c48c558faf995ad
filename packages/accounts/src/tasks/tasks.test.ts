import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { importOrder, reportOf } from '../../../server/test/results/lipid-reports.ts'
import {
  createReviewFixture,
  type ReviewFixture,
} from '../../../server/test/results/review-fixture.ts'
import { createTasksFixture, TASKS as LIST } from '../../../server/test/results/tasks-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createTasksFixture)
let reviews: ReviewFixture
before(async () => {
  await fixture.set({ match_review_enabled: true })
  reviews = createReviewFixture(fixture)
})

describe('a task', () => {
  test('of a critical result is the most urgent, and the same as the one of its own interface', async () => {
    const { userId, order, task } = await fixture.openCritical()
    assert.deepEqual(
      [task.kind, task.status, task.priority, task.focus, task.user_id],
      ['critical_result', 'requested', 'stat', { type: 'order', id: order.id }, userId],
    )
    assert.equal(Date.parse(task.due_at) - Date.parse(task.opened_at), 3_600_000)
    const { body } = await fixture.call('GET', `/v3/critical_result_task/${task.id}`)
    assert.equal(body.id, task.id)
    await fixture.act(task.id, 'receive', { name: 'Nurse Lopez' })
    const done = await fixture.act(task.id, 'acknowledge', { name: 'Dr. Park', note: 'Called.' })
    assert.deepEqual(
      [done.body.status, done.body.acknowledged_by.name, done.body.received_by.name],
      ['completed', 'Dr. Park', 'Nurse Lopez'],
    )
    assert.equal(done.body.ended_at, done.body.acknowledged_at)
    const former = (await fixture.call('GET', `/v3/critical_result_task/${task.id}`)).body
    assert.deepEqual([former.status, former.note], ['completed', 'Called.'])
    assert.deepEqual(await fixture.eventsOf(task.id), [
      'created requested',
      'updated received',
      'acknowledged completed',
    ])
    const legacy = (await fixture.events(/critical_result_task/)).filter(
      ({ data }) => data.id === task.id,
    )
    assert.deepEqual(
      legacy.map(({ type, data }) => `${type.split('.').at(-1)} ${data.status}`),
      ['created requested', 'updated received', 'updated completed'],
    )
    assert.equal((await fixture.act(task.id, 'complete', { name: 'A' })).status, 409)
  })

  test('is acknowledged by one of two people at once, and the other learns by whom', async () => {
    const { task } = await fixture.openCritical()
    const names = ['Dr. Park', 'Dr. Chen']
    const answers = await Promise.all(
      names.map((name) => fixture.act(task.id, 'acknowledge', { name })),
    )
    const won = answers.findIndex(({ status }) => status === 200)
    const lost = answers[1 - won]
    assert.equal(lost?.status, 409)
    assert.equal(lost?.body.detail.error_type, 'task_acknowledged')
    assert.equal(lost?.body.detail.acknowledged_by.name, names[won])
    assert.equal((await fixture.read(task.id)).acknowledged_by.name, names[won])
  })

  test('of a reason is open once, however many open it at once', async () => {
    const { userId } = await fixture.openBroken()
    await fixture.call('POST', '/v2/link/provider/manual/omron_ble', { user_id: userId })
    assert.deepEqual(await fixture.ofUser(userId), [])
    await Promise.all([1, 2, 3, 4].map(() => fixture.breakConnection(userId)))
    await fixture.database.pool.query(
      "delete from tasks where user_id = $1 and status = 'requested'",
      [userId],
    )
    await Promise.all([1, 2, 3].map(() => fixture.run('match_tasks_with_reasons')))
    assert.equal((await fixture.ofUser(userId)).length, 1)
  })

  test('is assigned and released, with names that other people see', async () => {
    const { userId, task } = await fixture.openBroken()
    const { body } = await fixture.act(task.id, 'assign', { owner: ' Ada ' })
    assert.deepEqual([body.owner.name, body.status], ['Ada', 'requested'])
    assert.equal((await fixture.ofUser(userId, '&owner=Ada')).length, 1)
    assert.equal((await fixture.ofUser(userId, '&is_assigned=false')).length, 0)
    assert.equal((await fixture.act(task.id, 'assign', { owner: null })).body.owner, null)
    const accepted = await fixture.act(task.id, 'acknowledge', { name: 'Ada' })
    assert.deepEqual([accepted.body.status, accepted.body.ended_at], ['accepted', null])
    assert.equal((await fixture.act(task.id, 'acknowledge', { name: 'Bo' })).status, 409)
    const ended = await fixture.act(task.id, 'cancel', { name: 'Ada', note: 'Uses another watch.' })
    assert.deepEqual(
      [ended.body.status, ended.body.ended_by.name, ended.body.note],
      ['cancelled', 'Ada', 'Uses another watch.'],
    )
    assert.equal((await fixture.act(task.id, 'assign', { owner: 'Bo' })).status, 409)
  })

  test('answers 404 for an unknown id, and 422 without a name', async () => {
    const unknown = await fixture.act(newId(), 'acknowledge', { name: 'Ada' })
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'task_not_found'])
    const { task } = await fixture.openBroken()
    for (const name of [undefined, '', ' ', 'x'.repeat(201)]) {
      assert.equal((await fixture.act(task.id, 'receive', { name })).status, 422)
    }
  })

  test('is hidden with its deleted person, and removed with them', async () => {
    const { userId, task } = await fixture.openCritical()
    await fixture.call('DELETE', `/v2/user/${userId}`)
    assert.equal((await fixture.call('GET', `${LIST}/${task.id}`)).status, 404)
    const { rowCount } = await fixture.database.pool.query('delete from users where id = $1', [
      userId,
    ])
    assert.equal(rowCount, 1)
    const left = await fixture.database.pool.query('select from tasks where id = $1', [task.id])
    assert.equal(left.rowCount, 0)
  })
})

describe('the reason of a task', () => {
  test('that is a connection ends it when the user connects again', async () => {
    const { userId, task } = await fixture.openBroken()
    assert.deepEqual([task.kind, task.priority], ['provider_connection', 'routine'])
    assert.equal(task.due_at, null)
    await fixture.call('POST', '/v2/link/provider/manual/omron_ble', { user_id: userId })
    const shown = await fixture.read(task.id)
    assert.deepEqual([shown.status, shown.ended_by], ['completed', null])
    await fixture.breakConnection(userId)
    assert.equal((await fixture.ofUser(userId)).length, 1)
    await fixture.call('DELETE', `/v2/user/${userId}/omron_ble`)
    assert.equal((await fixture.ofUser(userId, '&status=cancelled')).length, 1)
    assert.equal((await fixture.eventsOf(task.id)).join(), 'created requested,completed completed')
  })

  test('that is a held result ends it with the decision, and an undo opens another', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(reviews.someone(), order))
    const [task] = await fixture.ofFocus(held.id)
    assert.deepEqual([task.kind, task.priority], ['patient_mismatch', 'asap'])
    assert.deepEqual(task.focus, { type: 'unmatched_result', id: held.id })
    assert.equal((await fixture.act(task.id, 'complete', { name: 'Ada' })).status, 409)
    assert.equal((await reviews.resolve(held.id, 'reject')).status, 200)
    assert.equal((await fixture.read(task.id)).status, 'completed')
    assert.equal((await reviews.undo(held.id)).status, 200)
    const [again] = await fixture.ofFocus(held.id)
    assert.notEqual(again.id, task.id)
    const unknown = await reviews.hold(reviews.report(reviews.someone(), null))
    assert.equal((await fixture.ofFocus(unknown.id))[0].kind, 'unmatched_result')
  })

  test('opens it afterwards where it had none, and not again after a person ended it', async () => {
    const { userId, task } = await fixture.openBroken()
    const held = await reviews.hold(reviews.report(reviews.someone(), null))
    const delivered = await importOrder(fixture, { userId: await fixture.makeUser() })
    await fixture.database.pool.query('delete from tasks where focus_id = any($1)', [
      [task.focus.id, held.id],
    ])
    await fixture.database.pool.query(
      "update orders set last_status = 'partial_results', last_status_at = $2 where id = $1",
      [delivered.id, new Date(fixture.clock.now().getTime() - 14 * 86_400_000)],
    )
    await fixture.run('match_tasks_with_reasons')
    assert.equal((await fixture.ofUser(userId)).length, 1)
    assert.equal((await fixture.ofFocus(held.id)).length, 1)
    const [stuck] = await fixture.ofFocus(delivered.id)
    assert.deepEqual([stuck.kind, stuck.priority], ['stuck_order', 'urgent'])
    await fixture.act(stuck.id, 'complete', { name: 'Ada', note: 'Called the laboratory.' })
    await fixture.run('match_tasks_with_reasons')
    assert.deepEqual(await fixture.ofFocus(delivered.id), [])
  })

  test('ends it afterwards where something else ended the reason', async () => {
    const { userId, task } = await fixture.openBroken()
    await fixture.database.pool.query(
      "update connections set status = 'connected' where user_id = $1",
      [userId],
    )
    await fixture.run('match_tasks_with_reasons')
    assert.equal((await fixture.read(task.id)).status, 'completed')
  })

  test('that is an order which waited long ends it when the order goes on', async () => {
    const userId = await fixture.makeUser()
    const order = await importOrder(fixture, { userId })
    await fixture.database.pool.query(
      "update orders set last_status = 'partial_results', last_status_at = $2 where id = $1",
      [order.id, new Date(fixture.clock.now().getTime() - 20 * 86_400_000)],
    )
    await fixture.run('match_tasks_with_reasons')
    const [task] = await fixture.ofUser(userId)
    await fixture.take({ message: reportOf(order), labSlug: 'quest' })
    assert.equal((await fixture.read(task.id)).status, 'completed')
  })
})

describe('an escalation', () => {
  test('of a kind comes once in each of its periods, whichever process is first', async () => {
    await fixture.set({ task_escalation_minutes: { provider_connection: 30 } })
    const { task } = await fixture.openBroken()
    assert.equal(Date.parse(task.due_at) - Date.parse(task.opened_at), 1_800_000)
    await fixture.act(task.id, 'receive', { name: 'Ada' })
    fixture.clock.advance(29 * 60)
    await fixture.run('escalate_tasks')
    assert.equal((await fixture.read(task.id)).escalations, 0)
    fixture.clock.advance(61)
    await Promise.all([1, 2, 3].map(() => fixture.run('escalate_tasks')))
    assert.equal((await fixture.read(task.id)).escalations, 1)
    fixture.clock.advance(86_400)
    await fixture.run('escalate_tasks')
    const shown = await fixture.read(task.id)
    assert.deepEqual([shown.escalations, shown.due_at], [2, task.due_at])
    await fixture.act(task.id, 'acknowledge', { name: 'Ada' })
    fixture.clock.advance(86_400)
    await fixture.run('escalate_tasks')
    assert.deepEqual(await fixture.eventsOf(task.id), [
      'created requested',
      'updated received',
      'escalated received',
      'escalated received',
      'acknowledged accepted',
    ])
    const event = (await fixture.events(/^task\.escalated/)).at(-1)
    assert.doesNotMatch(JSON.stringify(event?.data), /"(note|owner|received_by|results)"/)
    await fixture.set({ task_escalation_minutes: null })
  })

  test('is refused for an unknown kind, and for periods outside of a minute to a week', async () => {
    for (const minutes of [{ critical_result: 5 }, { stuck_order: 0 }, { stuck_order: 10_081 }]) {
      const sandbox = { task_escalation_minutes: minutes }
      const { status } = await fixture.manage('PATCH', `/team/${fixture.teamId}`, { sandbox })
      assert.equal(status, 422)
    }
  })
})

describe('the list of tasks', () => {
  test('has the most urgent first, and pages without gaps in both orders', async () => {
    await fixture.database.pool.query('delete from tasks')
    const broken = await fixture.openBroken()
    fixture.clock.advance(1)
    const critical = await fixture.openCritical()
    fixture.clock.advance(1)
    const later = await fixture.openCritical()
    const [most, next, last] = [critical.task.id, later.task.id, broken.task.id]
    for (const [order, expected] of [
      ['priority', [most, next, last]],
      ['opened_at', [next, most, last]],
    ] as const) {
      const seen = []
      for (let cursor = ''; ; ) {
        const url = `${LIST}?limit=1&order_by=${order}${cursor && `&next_cursor=${cursor}`}`
        const { data, next_cursor: following } = (await fixture.call('GET', url)).body
        seen.push(...data.map(({ id }: { id: string }) => id))
        if (following === null) break
        cursor = following
      }
      assert.deepEqual(seen, expected)
    }
    const { body: counts } = await fixture.call('GET', `${LIST}/count`)
    assert.deepEqual([counts.open, counts.unacknowledged, counts.escalated], [3, 3, 0])
    await fixture.call('DELETE', `/v2/user/${critical.userId}`)
    assert.equal((await fixture.call('GET', `${LIST}/count`)).body.open, 2)
    const kinds = (await fixture.call('GET', `${LIST}?kind=provider_connection`)).body.data
    assert.deepEqual(
      kinds.map(({ id }: { id: string }) => id),
      [last],
    )
    assert.equal((await fixture.call('GET', `${LIST}?next_cursor=zzz`)).status, 400)
  })
})

describe('a server of the version before', () => {
  test('opens, changes and lists tasks of critical results under the former name', async () => {
    const { order, userId } = await fixture.openCritical()
    const { pool } = fixture.database
    const id = newId()
    await pool.query(
      `insert into critical_result_tasks (environment_id, id, order_id, result_version,
        result_status, status, opened_at, updated_at, escalate_at)
      values ($1, $2, $3, 7, 'final', 'requested', $4, $4, $4)`,
      [fixture.environmentId, id, order.id, fixture.clock.now()],
    )
    const shown = await fixture.read(id)
    assert.deepEqual(
      [shown.kind, shown.user_id, shown.focus.id, shown.priority],
      ['critical_result', userId, order.id, 'stat'],
    )
    const locked = await pool.query(
      `select task.* from critical_result_tasks as task
        join orders on orders.environment_id = task.environment_id and orders.id = task.order_id
      where task.environment_id = $1 and task.id = $2 and not orders.is_hidden for update of task`,
      [fixture.environmentId, id],
    )
    assert.deepEqual([locked.rowCount, Object.keys(locked.rows[0]).length], [1, 16])
    await pool.query(
      `update critical_result_tasks set status = 'completed', acknowledged_at = updated_at,
        escalate_at = null where environment_id = $1 and id = $2`,
      [fixture.environmentId, id],
    )
    const done = await fixture.read(id)
    assert.deepEqual([done.status, done.ended_at], ['completed', done.updated_at])
    await fixture.openBroken()
    const { rows } = await pool.query('select count(*)::int as n from critical_result_tasks')
    const { rows: all } = await pool.query('select count(*)::int as n from tasks')
    assert.ok(rows[0].n < all[0].n)
  })
})
