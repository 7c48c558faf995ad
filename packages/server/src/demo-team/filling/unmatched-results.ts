import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoClient } from './demo-client.ts'
import type { NamedOrders } from './live-through-orders.ts'

const TESTS = '/v3/unmatched_result_test'
const PATIENCE_MS = 60_000
const LOOK_MS = 250

/**
 * Lets results come that fit no order safely, and one that nobody can place, which is then rejected: the last one
 * that came.
 */
export async function holdResults(
  client: DemoClient,
  orders: NamedOrders,
  signal: AbortSignal,
): Promise<void> {
  const cases = [
    { case: 'match_demo', order: orders.get('open') },
    { case: 'match_completed', order: orders.get('done') },
    { case: 'no_match', order: undefined },
    { case: 'no_match', order: undefined },
  ]
  for (const [index, { case: name, order }] of cases.entries()) {
    const run = {
      case: name,
      order_source: order === undefined ? 'managed' : 'provided',
      ...(order !== undefined && { orders: { order } }),
    }
    const key = { 'x-idempotency-key': `demo ${index}` }
    const { run_id: id } = await client.ask<{ run_id: string }>('POST', TESTS, run, key)
    await waitForRun(client, id, signal)
  }
  const held = await client.ask<{ data: { id: string }[] }>('GET', '/v3/unmatched_result?limit=1')
  const url = `/v3/unmatched_result/${held.data[0]?.id}/resolve`
  await client.ask('POST', url, { action: 'reject' })
}

async function waitForRun(client: DemoClient, id: string, signal: AbortSignal): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const { status } = await client.ask<{ status: string }>('GET', `${TESTS}/${id}`)
    if (status === 'succeeded' || status === 'failed') return
    await sleep(LOOK_MS, undefined, { signal })
  }
}
