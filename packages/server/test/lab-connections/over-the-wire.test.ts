import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Order } from './laboratory.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

let wired: WiredLaboratory
before(async () => {
  wired = await createWiredLaboratory()
  await wired.connect()
})
after(() => wired?.close())

/** A result of every ordered test, as the laboratory writes it. */
function resultOf(order: Order, controlId: string, value: string, status = 'F'): string {
  const pid = order.segments.find(([name]) => name === 'PID') ?? []
  const lines = [
    `MSH|^~\\&|LAB|QUEST|SALUS|1234567890|20260301120000||ORU^R01|${controlId}|T|2.3`,
    pid.join('|'),
  ]
  for (const [index, code] of order.tests.entries()) {
    lines.push(
      `ORC|RE|${order.placer}|Q${index + 1}000`,
      `OBR|${index + 1}|${order.placer}|Q${index + 1}000|${code}^TEST^L|||202603010800||||||||||||||20260301115900||CH|${status}`,
      `OBX|1|NM|X${code}^First^L||${value}|mg/dL|70-99|H|||${status}`,
    )
  }
  return lines.join('\r')
}

describe('an order over the wire', () => {
  test('is sent, accepted, and completed by the results that come back', async () => {
    const { laboratory, harness } = wired
    const placed = await wired.place()
    await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
    const [order] = laboratory.received
    assert.ok(order)
    assert.deepEqual([order.control, order.tests.length > 0], ['NW', true])
    assert.match(order.placer, /^SA\d{8}$/)
    const answer = await laboratory.send(wired.resultsPort, resultOf(order, 'R1', '101'))
    assert.deepEqual([answer.MSA?.[0]?.[1], answer.MSA?.[0]?.[2]], ['AA', 'R1'])
    await wired.waitForStatus(placed.id, 'completed.walk_in_test.completed')
    const { body } = await harness.call('GET', `/v3/order/${placed.id}/result`)
    assert.deepEqual(
      body.results.map(({ result, unit, interpretation }: Record<string, string>) => [
        result,
        unit,
        interpretation,
      ]),
      order.tests.map(() => ['101', 'mg/dL', 'abnormal']),
    )
  })
})
