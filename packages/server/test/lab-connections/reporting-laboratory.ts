import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { storedEvents } from '../stored-events.ts'
import type { Order } from './laboratory.ts'
import { IN_NORTH_DAKOTA, productionOfOperator } from './production-laboratory.ts'
import { type SentTest, writeResult } from './result-messages.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** A production order whose laboratory reports piece by piece. */
export interface ReportedOrder {
  id: string
  userId: string
  sent: Order
  /** Sends one report, and waits until it is another version of the results. */
  report(...tests: SentTest[]): Promise<void>
  /** Sends the lines of a message as they are, and waits until they are processed. */
  send(lines: readonly string[]): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  results(query?: string): Promise<any>
  /** Value, sub-id, time of the draw and status of each result of a code. */
  values(code: string): Promise<string[]>
  status(): Promise<string>
  /** Types of the events about the order, oldest first, without those of its placing. */
  events(): Promise<string[]>
}

export interface ReportingLaboratory {
  wired: WiredLaboratory
  place(): Promise<ReportedOrder>
}

/** Starts a laboratory with the orders of a production. */
export async function startReporting(): Promise<ReportingLaboratory> {
  const wired = await createWiredLaboratory(productionOfOperator)
  await wired.connect()
  let count = 0
  const { pool } = wired.harness.database
  const waiting = "select count(*)::int as n from lab_messages where state = 'waiting'"
  async function place(): Promise<ReportedOrder> {
    const placed = await wired.place(IN_NORTH_DAKOTA)
    const { id, user_id: userId } = placed
    await wired.waitForStatus(id, 'received.walk_in_test.requisition_created')
    const sent = wired.laboratory.received.at(-1) as Order
    const results = async (query = '') =>
      (await wired.call('GET', `/v3/order/${id}/result${query}`)).body
    const send = async (content: string) => {
      const answer = await wired.laboratory.send(wired.resultsPort, content)
      assert.equal(answer.MSA?.[0]?.[1], 'AA', content)
      while ((await pool.query(waiting)).rows[0].n > 0) await pause(20)
    }
    return {
      ...{ id, userId, sent, results },
      send: (lines) => send(lines.join('\r')),
      async report(...tests) {
        count += 1
        const at = `20260301${String(1000 + count)}00`
        await send(writeResult(sent, { controlId: `R${count}`, processingId: 'P', at }, tests))
      },
      async values(code) {
        const body = await results()
        return body.results
          .filter((each: { provider_id: string; loinc: string }) =>
            [each.provider_id, each.loinc].includes(code),
          )
          .map((each: Record<string, string>) =>
            [each.sub_id, each.result, each.collected_at?.slice(11, 16), each.status].join(' '),
          )
      },
      async status() {
        const { body } = await wired.call('GET', `/v3/order/${id}`)
        return body.last_event.status.split('.').at(-1)
      },
      async events() {
        const events = await storedEvents(wired.harness, userId, /^labtest\./)
        return events.slice(2).map(({ payload }) => payload.event_type)
      },
    }
  }
  return { wired, place }
}
