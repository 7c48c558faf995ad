import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { taskJobs } from '@salus/accounts/tasks'
import { newId } from '@salus/kernel/ids'
import {
  allResults,
  importOrder,
  reported,
  reportOf,
} from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { RESULT_TASK_EVENTS } from '../index.ts'

const LIST = '/v3/critical_result_task'
const fixture = useFixture(createResultsFixture)
let userId: string
beforeEach(async () => {
  userId = await fixture.makeUser()
})

const CRITICAL = [...allResults({ glucose: null }), reported('glucose', '900', { flag: 'HH' })]
const CORRECTED = { status: 'corrected' as const, results: allResults() }

/** Has a final result with a critical glucose taken. Returns its order and its task. */
async function openTask() {
  const order = await importOrder(fixture, { userId })
  await fixture.take({ message: reportOf(order, { results: CRITICAL }), labSlug: 'quest' })
  const { data } = (await fixture.call('GET', `${LIST}?order_id=${order.id}`)).body
  assert.equal(data.length, 1)
  return { order, task: data[0] }
}
const act = (id: string, action: string, body: object) =>
  fixture.call('POST', `${LIST}/${id}/${action}`, body)
const read = async (id: string) => (await fixture.call('GET', `${LIST}/${id}`)).body
/** Returns the events of a task: the end of the name, the status, and the escalations. */
const eventsOf = async (id: string) =>
  (await fixture.events(/critical_result_task/))
    .filter(({ data }) => data.id === id)
    .map(({ type, data }) => [type.split('.').at(-1), data.status, data.escalations])
/** Runs the job that escalates, as the worker does each minute. */
async function runJob() {
  const run = taskJobs(fixture.dependencies, [], RESULT_TASK_EVENTS).handlers.escalate_tasks
  assert.ok(run)
  await run({}, new AbortController().signal, { isLast: false })
}

describe('a critical result', () => {
  test('opens a task with its critical values, once for each version that adds one', async () => {
    const { order, task } = await openTask()
    assert.deepEqual(
      [task.status, task.result_version, task.result_status, task.user_id, task.sample_id],
      ['requested', 1, 'final', userId, order.sample_id],
    )
    assert.deepEqual(
      task.results.map((each: { name: string; result: string }) => [each.name, each.result]),
      [['GLUCOSE', '900']],
    )
    const more = { status: 'corrected' as const, results: CRITICAL }
    await fixture.take({ message: reportOf(order, more), labSlug: 'quest' })
    const ldl = CRITICAL.map((each) =>
      each.name.startsWith('LDL') ? reported('ldl', '400', { flag: 'HH' }) : each,
    )
    await fixture.take({ message: reportOf(order, { ...more, results: ldl }), labSlug: 'quest' })
    const { data } = (await fixture.call('GET', `${LIST}?order_id=${order.id}`)).body
    assert.deepEqual(
      data.map((each: { result_version: number }) => each.result_version).sort(),
      [1, 3],
    )
  })

  test('opens none without a critical value', async () => {
    const order = await importOrder(fixture, { userId })
    await fixture.take({ message: reportOf(order), labSlug: 'quest' })
    assert.deepEqual((await fixture.call('GET', `${LIST}?order_id=${order.id}`)).body.data, [])
  })

  test('is seen by the first person and acknowledged by another, with note and credential', async () => {
    const { task } = await openTask()
    const seen = await act(task.id, 'receive', { name: ' Nurse Lopez ' })
    assert.equal(seen.body.status, 'received')
    fixture.clock.advance(120)
    await act(task.id, 'receive', { name: 'Nurse Chen' })
    const note = 'Called the patient.'
    const done = await act(task.id, 'acknowledge', { name: 'Dr. Park', note })
    assert.equal(done.status, 200)
    const shown = await read(task.id)
    assert.deepEqual(shown, done.body)
    assert.deepEqual([shown.status, shown.note, shown.escalate_at], ['completed', note, null])
    assert.deepEqual(
      [shown.received_by.name, shown.acknowledged_by.name],
      ['Nurse Lopez', 'Dr. Park'],
    )
    assert.equal(Date.parse(shown.acknowledged_at) - Date.parse(shown.received_at), 120_000)
    assert.equal(shown.acknowledged_by.actor_kind, 'api_key')
    assert.match(shown.acknowledged_by.actor_id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(await eventsOf(task.id), [
      ['created', 'requested', 0],
      ['updated', 'received', 0],
      ['updated', 'completed', 0],
    ])
    const open = (await fixture.call('GET', `${LIST}?user_id=${userId}`)).body.data
    assert.deepEqual(open, [])
    const closed = (await fixture.call('GET', `${LIST}?user_id=${userId}&status=completed`)).body
    assert.deepEqual(
      closed.data.map(({ id }: { id: string }) => id),
      [task.id],
    )
  })

  test('that is acknowledged at once was seen then', async () => {
    const { task } = await openTask()
    const { body } = await act(task.id, 'acknowledge', { name: 'Dr. Park' })
    assert.deepEqual(
      [body.received_at, body.received_by],
      [body.acknowledged_at, body.acknowledged_by],
    )
    assert.equal(body.note, null)
  })

  test('is refused a second acknowledgement, an unknown task and a request without a name', async () => {
    const { task } = await openTask()
    await act(task.id, 'acknowledge', { name: 'Dr. Park', note: 'First' })
    for (const action of ['acknowledge', 'receive']) {
      const again = await act(task.id, action, { name: 'Dr. Chen' })
      assert.deepEqual(
        [again.status, again.body.detail.error_type],
        [400, 'critical_result_task_closed'],
      )
    }
    assert.equal((await read(task.id)).note, 'First')
    const unknown = await act(newId(), 'acknowledge', { name: 'Dr. Park' })
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'critical_result_task_not_found'])
    for (const name of [undefined, '', '   ', 'x'.repeat(201)]) {
      assert.equal((await act(task.id, 'receive', { name })).status, 422)
    }
  })

  test('of concurrent acknowledgements takes one', async () => {
    const { task } = await openTask()
    const names = ['A', 'B', 'C', 'D']
    const answers = await Promise.all(names.map((name) => act(task.id, 'acknowledge', { name })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    assert.equal((await eventsOf(task.id)).length, 2)
  })
})

describe('a task', () => {
  test('stays open after a correction to a normal value', async () => {
    const { order, task } = await openTask()
    await fixture.take({ message: reportOf(order, CORRECTED), labSlug: 'quest' })
    const shown = await read(task.id)
    assert.deepEqual([shown.status, shown.results[0].result], ['requested', '900'])
  })

  test('is cancelled when an undo removes its version', async () => {
    await fixture.set({ match_review_enabled: true })
    const order = await importOrder(fixture, { userId })
    const message = reportOf(order, { results: CRITICAL, sample_id: `OTHER-${order.sample_id}` })
    await fixture.take({ message, labSlug: 'quest' })
    const held = (await fixture.call('GET', '/v3/unmatched_result?limit=1')).body.data[0]
    const url = `/v3/unmatched_result/${held.id}`
    const accepted = await fixture.call('POST', `${url}/accept`, { order_id: order.id })
    assert.equal(accepted.status, 200)
    const [task] = (await fixture.call('GET', `${LIST}?order_id=${order.id}`)).body.data
    assert.equal(task.status, 'requested')
    assert.equal((await fixture.call('POST', `${url}/undo`)).status, 200)
    const shown = await read(task.id)
    assert.deepEqual([shown.status, shown.results, shown.escalate_at], ['cancelled', [], null])
    assert.deepEqual((await eventsOf(task.id)).at(-1), ['updated', 'cancelled', 0])
    assert.equal((await act(task.id, 'acknowledge', { name: 'Dr. Park' })).status, 400)
  })

  test('is hidden with its deleted person, is not escalated, and returns with them', async () => {
    const { task } = await openTask()
    await fixture.call('DELETE', `/v2/user/${userId}`)
    assert.equal((await fixture.call('GET', `${LIST}/${task.id}`)).status, 404)
    assert.equal((await act(task.id, 'acknowledge', { name: 'Dr. Park' })).status, 404)
    fixture.clock.advance(3601)
    await runJob()
    assert.deepEqual(await eventsOf(task.id), [['created', 'requested', 0]])
    await fixture.call('POST', `/v2/user/undo_delete?user_id=${userId}`)
    assert.equal((await read(task.id)).escalations, 0)
    await runJob()
    assert.equal((await read(task.id)).escalations, 1)
  })

  test('of an order is listed by pages, newest first', async () => {
    const tasks = []
    for (let count = 0; count < 3; count += 1) {
      fixture.clock.advance(1)
      tasks.push((await openTask()).task.id)
    }
    const seen = []
    for (let cursor = ''; ; ) {
      const url = `${LIST}?user_id=${userId}&limit=2${cursor && `&next_cursor=${cursor}`}`
      const { data, next_cursor: next } = (await fixture.call('GET', url)).body
      seen.push(...data.map(({ id }: { id: string }) => id))
      if (next === null) break
      cursor = next
    }
    assert.deepEqual(seen, tasks.toReversed())
    const { status } = await fixture.call('GET', `${LIST}?next_cursor=zzz`)
    assert.equal(status, 400)
  })
})

describe('a task that is not acknowledged', () => {
  test('is escalated after each period of the setting, also when it was seen', async () => {
    await fixture.set({ critical_result_escalation_minutes: 30 })
    const { task } = await openTask()
    await act(task.id, 'receive', { name: 'Nurse Lopez' })
    fixture.clock.advance(29 * 60)
    await runJob()
    assert.equal((await read(task.id)).escalations, 0)
    fixture.clock.advance(61)
    await runJob()
    await runJob()
    assert.equal((await read(task.id)).escalations, 1)
    // A downtime of a day is one escalation.
    fixture.clock.advance(24 * 3600)
    await runJob()
    assert.deepEqual((await eventsOf(task.id)).slice(2), [
      ['escalated', 'received', 1],
      ['escalated', 'received', 2],
    ])
    await act(task.id, 'acknowledge', { name: 'Dr. Park' })
    fixture.clock.advance(24 * 3600)
    await runJob()
    assert.equal((await read(task.id)).escalations, 2)
  })

  test('is escalated at most 24 times', async () => {
    await fixture.set({ critical_result_escalation_minutes: 1 })
    const { task } = await openTask()
    for (let count = 0; count < 30; count += 1) {
      fixture.clock.advance(61)
      await runJob()
    }
    const shown = await read(task.id)
    assert.deepEqual([shown.escalations, shown.escalate_at], [24, null])
  })

  test('is never escalated without the setting', async () => {
    await fixture.set({ critical_result_escalation_minutes: null })
    const { task } = await openTask()
    assert.equal(task.escalate_at, null)
    fixture.clock.advance(7 * 86_400)
    await runJob()
    assert.equal((await read(task.id)).escalations, 0)
  })

  test('of a sandbox is escalated when its clock is advanced', async () => {
    await fixture.set({ critical_result_escalation_minutes: 60 })
    const { task } = await openTask()
    const advanced = await fixture.call('POST', '/v3/sandbox/advance', { seconds: 3601 })
    assert.equal(advanced.status, 200)
    assert.equal((await read(task.id)).escalations, 1)
  })

  test('is refused a period outside of a minute to a week', async () => {
    for (const minutes of [0, 10_081, 1.5]) {
      const sandbox = { critical_result_escalation_minutes: minutes }
      const { status } = await fixture.manage('PATCH', `/team/${fixture.teamId}`, { sandbox })
      assert.equal(status, 422)
    }
  })
})
