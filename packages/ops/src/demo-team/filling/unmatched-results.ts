import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoClient } from './demo-client.ts'
import type { NamedOrders } from './simulate-orders.ts'

const TESTS = '/v3/unmatched_result_test'
const PATIENCE_MS = 60_000
const LOOK_MS = 250

/**
 * Sends results that cannot be matched to an order, and one that cannot be assigned, which is then
 * rejected: the last one that arrived.
 */
export async function holdResults(
  client: DemoClient,
  orders: NamedOrders,
  signal: AbortSignal,
): Promise<void> {
  const lab_test_id = await findTest(client)
  const provided = (order: string | undefined) => ({ order_source: 'provided', orders: { order } })
  const runs = [
    { case: 'match_demo', ...provided(orders.get('open')) },
    { case: 'match_completed', ...provided(orders.get('done')) },
    { case: 'no_match', order_source: 'managed', lab_test_id },
    { case: 'no_match', order_source: 'managed', lab_test_id, interpretation: 'abnormal' },
  ]
  for (const [index, run] of runs.entries()) {
    const key = { 'x-idempotency-key': `demo ${index}` }
    const { run_id: id } = await client.callTeamApi<{ run_id: string }>('POST', TESTS, run, key)
    await waitForRun(client, id, signal)
  }
  const held = await client.callTeamApi<{ data: { id: string }[] }>(
    'GET',
    '/v3/unmatched_result?limit=1',
  )
  const url = `/v3/unmatched_result/${held.data[0]?.id}/resolve`
  await client.callTeamApi('POST', url, { action: 'reject' })
}

/** Returns the test that is reported for unknown patients. */
async function findTest(client: DemoClient): Promise<string | undefined> {
  interface Tests {
    data: { id: string; name: string }[]
  }
  const { data } = await client.callTeamApi<Tests>('GET', '/v3/lab_test?size=100')
  return data.find(({ name }) => name === 'Lipid Panel')?.id
}

async function waitForRun(client: DemoClient, id: string, signal: AbortSignal): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const { status } = await client.callTeamApi<{ status: string }>('GET', `${TESTS}/${id}`)
    if (status === 'succeeded') return
    if (status === 'failed') throw new Error('An unmatched result did not arrive.')
    await sleep(LOOK_MS, undefined, { signal })
  }
}
