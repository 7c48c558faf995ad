import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_CSV_ROWS, refuseLongCsv } from '@salus/kernel/http/csv'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../test/harness.ts'
import { orderBody, startingLabTests } from '../test/orders/order-bodies.ts'
import { useFixture } from '../test/use-fixture.ts'

const salus = useFixture(createHarness)

const batch = (body: object, headers?: object) => salus.call('POST', '/v2/batch', body, headers)
const manage = (method: string, path: string, body?: object) =>
  salus.manage(method, `/team/${salus.teamId}/sandbox${path}`, body)
const outcomes = ({ body }: Awaited<ReturnType<typeof batch>>) =>
  body.results.map((row: { status: number; error_type: string | null }) => [
    row.status,
    row.error_type,
  ])

/** A team key with some permissions. */
async function makeKey(limits: object): Promise<object> {
  const { body } = await salus.manage('POST', '/team_api_keys/sandbox/us', {
    label: 'Limited',
    team_id: salus.teamId,
    ...limits,
  })
  return { 'x-service-api-key': body.value }
}

test('each row is done or refused for itself, and is a line of the audit log', async () => {
  const [gone, held] = [await salus.makeUser(), await salus.makeUser()]
  await manage('POST', '/legal_hold', { user_id: held, reason: 'A dispute' })
  const { sandboxKey } = await salus.makeTeam()
  const headers = { 'x-service-api-key': sandboxKey }
  const foreign = (await salus.call('POST', '/v2/user', { client_user_id: 'x' }, headers)).body
  const ids = [gone, held, foreign.user_id, newId(), gone.toUpperCase()]
  const answer = await batch({ operation: 'deleteUser', ids })
  assert.equal(answer.status, 200)
  assert.deepEqual(outcomes(answer), [
    [200, null],
    [409, 'legal_hold'],
    [404, 'not_found'],
    [404, 'not_found'],
  ])
  assert.deepEqual([answer.body.succeeded, answer.body.refused], [1, 3])
  assert.equal((await salus.call('GET', `/v2/user/${gone}`)).status, 404)
  assert.equal((await salus.call('GET', `/v2/user/${held}`)).status, 200)
  const kept = await salus.call('GET', `/v2/user/${foreign.user_id}`, undefined, headers)
  assert.equal(kept.status, 200)
  await salus.dependencies.audit.flush()
  const { body: log } = await manage('GET', `/audit_log?user_id=${gone}`)
  assert.ok(
    log.data.some(
      ({ method, status }: { method: string; status: number }) =>
        method === 'DELETE' && status === 200,
    ),
  )
})

test('people are refreshed without waiting, exported, and orders cancelled', async () => {
  const ids = [await salus.makeUser('manual'), await salus.makeUser()]
  assert.deepEqual(outcomes(await batch({ operation: 'refreshUser', ids })), [
    [400, 'failed'],
    [400, 'failed'],
  ])
  const exported = await batch({ operation: 'exportPerson', ids, body: { format: 'json' } })
  assert.deepEqual(outcomes(exported), [
    [200, null],
    [200, null],
  ])
  const again = await batch({ operation: 'exportPerson', ids, body: { format: 'of stone' } })
  assert.deepEqual(outcomes(again)[0], [422, 'validation_error'])
  const { walk_in_test: labTestId } = await startingLabTests(salus)
  const { order } = (await salus.call('POST', '/v3/order', orderBody(ids[0] ?? '', labTestId))).body
  const cancel = () => batch({ operation: 'cancelOrder', ids: [order.id, newId()] })
  assert.deepEqual(outcomes(await cancel()), [
    [200, null],
    [404, 'not_found'],
  ])
  assert.deepEqual(outcomes(await cancel())[0], [400, 'transition_not_allowed'])
})

test('a batch has no more permissions than its caller', async () => {
  const id = await salus.makeUser()
  const ofOrders = await makeKey({ scopes: ['orders:write'] })
  const refused = await batch({ operation: 'deleteUser', ids: [id] }, ofOrders)
  assert.deepEqual(outcomes(refused), [[403, 'insufficient_scope']])
  const reading = await makeKey({ access: 'read' })
  const { status, body } = await batch({ operation: 'deleteUser', ids: [id] }, reading)
  assert.deepEqual([status, body.detail.error_type], [403, 'read_only'])
  assert.equal((await salus.call('GET', `/v2/user/${id}`)).status, 200)
})

test('wrong batches, and files that are too long, are refused as a whole', async () => {
  const id = newId()
  for (const wrong of [
    { operation: 'eraseEverything', ids: [id] },
    { operation: 'deleteUser', ids: [] },
    { operation: 'deleteUser', ids: ['../../v1/org'] },
    { operation: 'deleteUser', ids: Array.from({ length: 101 }, () => newId()) },
    { operation: 'deleteUser', ids: [id], more: true },
    {},
  ]) {
    assert.equal((await batch(wrong)).status, 422, JSON.stringify(wrong).slice(0, 80))
  }
  refuseLongCsv(MOST_CSV_ROWS)
  assert.throws(() => refuseLongCsv(MOST_CSV_ROWS + 1), { errorType: 'too_many_rows', status: 400 })
})
