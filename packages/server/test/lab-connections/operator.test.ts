import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledge, type Order } from './laboratory.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

let wired: WiredLaboratory
before(async () => {
  wired = await createWiredLaboratory()
  await wired.connect()
})
after(() => wired?.close())

const call = (method: string, path = '', body?: object) => {
  const { harness, path: ofConnection } = wired
  const headers = { 'x-management-key': harness.managementKey }
  return harness.call(method as 'GET', `${ofConnection}${path}`, body, headers)
}

/** Waits until a list has a row, and returns it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
async function waitFor(path: string, fits: (row: any) => boolean): Promise<any> {
  const until = performance.now() + 30_000
  for (;;) {
    const { body } = await call('GET', path)
    const found = body.data.find(fits)
    if (found !== undefined) return found
    assert.ok(performance.now() < until, `${path} has ${JSON.stringify(body.data)}`)
    await pause(50)
  }
}

const resultOf = (order: Order, controlId: string, processingId = 'T', placer = order.placer) =>
  [
    `MSH|^~\\&|LAB|QUEST|SALUS|1234567890|20260301120000||ORU^R01|${controlId}|${processingId}|2.3`,
    order.segments.find(([name]) => name === 'PID')?.join('|'),
    `ORC|RE|${placer}|Q1000`,
    `OBR|1|${placer}|Q1000|${order.tests[0]}^TEST^L|||202603010800||||||||||||||20260301115900||CH|F`,
    `OBX|1|NM|X1^First^L||101|mg/dL|70-99|H|||F`,
  ].join('\r')

let order: Order

describe('messages of a laboratory', () => {
  test('are listed newest first, with the order and the id of the laboratory', async () => {
    const placed = await wired.place()
    await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
    order = wired.laboratory.received.at(-1) as Order
    await wired.laboratory.send(wired.resultsPort, resultOf(order, 'L1'))
    const applied = await waitFor('/received', ({ state }) => state === 'processed')
    assert.deepEqual(
      [applied.control_id, applied.order_id, applied.problem],
      ['L1', placed.id, null],
    )
    await wired.laboratory.send(wired.resultsPort, resultOf(order, 'L2', 'P'))
    await wired.laboratory.send(wired.resultsPort, resultOf(order, 'L3', 'T', 'SA99999999'))
    const { body } = await call('GET', '/received?limit=2')
    assert.deepEqual(
      body.data.map(({ control_id: id }: { control_id: string }) => id),
      ['L3', 'L2'],
    )
    const rest = await call('GET', `/received?limit=2&next_cursor=${body.next_cursor}`)
    assert.deepEqual(
      rest.body.data.map(({ control_id: id }: { control_id: string }) => id),
      ['L1'],
    )
    const failed = await call('GET', '/received?state=failed')
    assert.deepEqual(
      failed.body.data.map(({ problem }: { problem: string }) => problem).at(-1),
      'wrong_processing_id',
    )
  })

  test('are shown with named fields, and the read is in the audit log of their person', async () => {
    const { id, order_id: orderId } = await waitFor('/received', (row) => row.control_id === 'L1')
    const { status, body } = await call('GET', `/received/${id}`)
    assert.equal(status, 200)
    const fields = new Map(
      body.segments.flatMap(({ fields }: { fields: { field: string; name: string }[] }) =>
        fields.map((field) => [field.field, field]),
      ),
    ) as Map<string, { name: string; value: string }>
    assert.deepEqual(
      ['MSH-10', 'PID-5', 'OBX-5', 'OBX-6', 'OBX-7'].map((name) => fields.get(name)?.name),
      ['Control ID', 'Name', 'Value', 'Unit', 'Reference range'],
    )
    assert.equal(fields.get('OBX-5')?.value, '101')
    assert.equal(Buffer.from(body.content, 'base64').toString(), resultOf(order, 'L1'))
    const { harness } = wired
    await harness.dependencies.audit.flush()
    const { rows } = await harness.database.pool.query(
      `select user_id from audit_rows where object_id = $1 and route like '%/received/:message_id'`,
      [id],
    )
    const owner = await harness.call('GET', `/v3/order/${orderId}`)
    assert.deepEqual(rows, [{ user_id: owner.body.user_id }])
  })

  test('that were rejected name the field that is wrong', async () => {
    const { id } = await waitFor('/received', (row) => row.control_id === 'L2')
    const { body } = await call('GET', `/received/${id}`)
    assert.deepEqual(
      [body.state, body.problem, body.problem_location, body.user_id],
      ['failed', 'wrong_processing_id', 'MSH-11', null],
    )
    assert.ok(body.message.length > 0)
  })

  test('of another connection are not found', async () => {
    const id = '6a1f2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b'
    assert.equal((await call('GET', `/received/${id}`)).status, 404)
    assert.equal((await call('GET', `/message/${id}`)).status, 404)
    assert.equal((await call('POST', `/message/${id}/resend`)).status, 404)
  })
})

describe('a message to a laboratory', () => {
  test('is shown with its answer, and sent again with the same bytes', async () => {
    const { id } = await waitFor('/message', ({ state }) => state === 'accepted')
    const shown = (await call('GET', `/message/${id}`)).body
    assert.deepEqual(
      shown.answer_segments.map(({ segment }: { segment: string }) => segment),
      ['MSH', 'MSA'],
    )
    const before = wired.laboratory.received.length
    // A duplicate may be refused; what was accepted stays so.
    wired.laboratory.answer = (received) => acknowledge(received, 'AE')
    assert.equal((await call('POST', `/message/${id}/resend`)).status, 200)
    const sent = await waitFor('/message', ({ resent_count: count }) => count === 1)
    wired.laboratory.answer = (received) => acknowledge(received, 'AA')
    assert.deepEqual([sent.id, sent.state], [id, 'accepted'])
    assert.equal(wired.laboratory.received.length, before + 1)
    assert.equal(wired.laboratory.received.at(-1)?.raw, order.raw)
  })

  test('that was refused is accepted when the laboratory takes it the second time', async () => {
    wired.laboratory.answer = (received) => acknowledge(received, 'AE', 'ERR||OBR^1^4|204|E')
    await wired.place()
    const refused = await waitFor('/message', ({ state }) => state === 'refused')
    wired.laboratory.answer = (received) => acknowledge(received, 'AA')
    await call('POST', `/message/${refused.id}/resend`)
    const accepted = await waitFor(
      '/message',
      ({ resent_count: count, id }) => count === 1 && id === refused.id,
    )
    assert.deepEqual(accepted.state, 'accepted')
  })

  test('is not sent while the connection is held', async () => {
    const { id } = await waitFor('/message', ({ state }) => state === 'accepted')
    await call('POST', '/hold')
    const { status, body } = await call('POST', `/message/${id}/resend`)
    assert.deepEqual([status, body.detail.error_type], [400, 'lab_connection_not_sending'])
    await call('POST', '/release')
  })
})

describe('alerts of a connection', () => {
  const watch = () => {
    const { jobs } = wired.harness.dependencies
    const run = jobs.handlers.watch_lab_connections
    assert.ok(run)
    return run({}, AbortSignal.timeout(30_000), { isLast: false })
  }
  const alerts = async () => {
    const { rows } = await wired.harness.database.pool.query(
      "select body from events where event_type = 'labtest.connection.alert' order by sequence",
    )
    return rows.map(({ body }) => {
      const { connection, alert, state } = JSON.parse(body.toString()).data
      return [connection, alert, state]
    })
  }

  test('are events and one task, once when they begin and once when they end', async () => {
    const tasks = async () => {
      const { rows } = await wired.harness.database.pool.query(
        "select status from tasks where kind = 'lab_connection'",
      )
      return rows.map(({ status }) => status)
    }
    await Promise.all([watch(), watch()])
    assert.deepEqual(await tasks(), ['requested'])
    assert.deepEqual(await alerts(), [['quest-test', 'rejected', 'began']])
    const failed = (await call('GET', '/received?state=failed')).body.data
    const { harness, path } = wired
    const headers = { 'x-management-key': harness.managementKey }
    for (const { id } of failed) {
      const discard = path.replace('lab_connection/quest-test', `lab_message/${id}/discard`)
      assert.equal((await harness.call('POST', discard, undefined, headers)).status, 200)
    }
    await watch()
    await watch()
    assert.deepEqual((await alerts()).slice(1), [['quest-test', 'rejected', 'ended']])
    assert.deepEqual(await tasks(), ['completed'])
  })

  test('have metrics by connection', async () => {
    const text = await wired.harness.dependencies.registry.metrics()
    const values = [...text.matchAll(/^salus_lab_connection_(\w+)\{lab="quest".*\} (\S+)$/gm)]
    const found = Object.fromEntries(values.map(([, name, value]) => [name, Number(value)]))
    assert.deepEqual(Object.keys(found).sort(), ['failed', 'last_received_age_seconds', 'waiting'])
    assert.deepEqual([found.waiting, found.failed], [0, 0])
    assert.match(text, /^salus_lab_connections 1$/m)
  })
})
