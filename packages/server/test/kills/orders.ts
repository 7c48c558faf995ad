import { setTimeout as sleep } from 'node:timers/promises'
import { type Order, startLaboratory } from '../lab-connections/laboratory.ts'
import { writeResult } from '../lab-connections/result-messages.ts'
import { orderBody } from '../orders/order-bodies.ts'
import type { Outages } from './outages.ts'

const BETWEEN_MS = 1_500
const AGAIN_MS = 200

/** A client that places orders, each until it is answered. */
export class Orderer {
  readonly userId: string
  /** Its name among all that send. */
  readonly client: string
  /** Id of the order by its key. */
  readonly placed = new Map<string, string>()
  readonly #outages: Outages
  readonly #labTestId: string

  constructor(userId: string, labTestId: string, outages: Outages) {
    this.userId = userId
    this.client = `orders of ${userId}`
    this.#labTestId = labTestId
    this.#outages = outages
  }

  /** @param isOver Whether nothing answers any more. */
  async run(isEnding: () => boolean, isOver: () => boolean): Promise<void> {
    while (!isEnding()) {
      const key = `${this.userId} ${this.placed.size}`
      const headers = { 'x-idempotency-key': key, 'x-idempotency-error': 'no-cache' }
      const body = orderBody(this.userId, this.#labTestId)
      while (!isOver()) {
        const as = { client: this.client, what: 'order' } as const
        const answer = await this.#outages.send(as, 'POST', '/v3/order', { body, headers })
        if (answer.status === 200) {
          this.placed.set(key, answer.body.order.id)
          break
        }
        await sleep(AGAIN_MS)
      }
      await sleep(BETWEEN_MS)
    }
  }
}

/** A laboratory that takes orders over MLLP, and sends one result of each until it is accepted. */
export async function openReportingLaboratory(resultsPort: number, outages: Outages) {
  const laboratory = await startLaboratory()
  const taken = new Map<string, Order>()
  const accepted = new Set<string>()
  let isClosing = false
  const report = async (order: Order): Promise<void> => {
    const controlId = `R${order.controlId}`
    const tests = order.tests.map((code, index) => ({
      ...{ code, name: 'Test', filler: `Q${order.placer}-${index}` },
      values: [{ code: `X${code}`, name: 'First', value: '101', unit: 'mg/dL', range: '70-99' }],
    }))
    const message = writeResult(order, { controlId }, tests)
    while (!isClosing) {
      const startedAt = performance.now()
      const answer = await laboratory.send(resultsPort, message).catch(() => undefined)
      const isAccepted = answer?.MSA?.[0]?.[1] === 'AA'
      const status = isAccepted ? 200 : answer?.MSA === undefined ? 0 : 503
      outages.add({ client: 'laboratory', what: 'message', status, startedAt })
      if (isAccepted) return void accepted.add(controlId)
      await sleep(AGAIN_MS)
    }
  }
  // One at a time, as over one connection.
  let reporting = Promise.resolve()
  const { answer } = laboratory
  laboratory.answer = (order) => {
    // A message that comes again is answered as before, and leads to nothing.
    if (!taken.has(order.controlId)) reporting = reporting.then(() => report(order))
    taken.set(order.controlId, order)
    return answer(order)
  }
  return {
    port: laboratory.port,
    /** Orders by the ids of their messages. */
    taken,
    /** Ids of the results that Salus accepted. */
    accepted,
    async close() {
      isClosing = true
      await laboratory.close()
    },
  }
}
