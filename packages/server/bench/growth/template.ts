import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { makeHeartRate, uploadBody } from '../heart-rate.ts'
import { PATIENT } from '../orders.ts'
import type { ServerProcess } from '../server-process.ts'

/** Bodies and answers of requests, as JSON. */
export type Json = Record<string, unknown>

/** Requests with the key of the organization, which the console uses too. */
export async function callAsManager(
  { url, keys }: ServerProcess,
  method: string,
  path: string,
  body?: Json,
): Promise<string> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      'x-management-key': keys.managementKey,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
  return text
}

/** Where a team's console pages begin. */
export const teamPath = ({ keys }: ServerProcess): string =>
  `/v1/org/${keys.organizationId}/team/${keys.teamId}/sandbox`

/** Bodies of orders name a walk-in test. */
export async function orderBody(client: Client): Promise<(userId: string) => string> {
  const tests = JSON.parse(await client.call('GET', '/v3/lab_test?collection_method=walk_in_test'))
  return (userId) =>
    JSON.stringify({
      user_id: userId,
      order_set: { lab_test_ids: [tests.data[0].id] },
      ...PATIENT,
    })
}

/**
 * A person with what an app and a clinic bring: demographics, uploads, a night, a completed order,
 * and an endpoint that took every event of them.
 */
export async function makeTemplate(
  server: ServerProcess,
  client: Client,
  sink: string,
): Promise<string> {
  await callAsManager(server, 'POST', `${teamPath(server)}/webhook`, { url: sink })
  const userId = await client.makeUser()
  const { patient_details, patient_address } = PATIENT
  const { receiver_name: _, ...address } = patient_address
  await client.call(
    'PATCH' as 'POST',
    `/v2/user/${userId}/info`,
    JSON.stringify({ ...patient_details, address }),
  )
  for (let hour = 0; hour < 4; hour++) {
    const beats = makeHeartRate(hour, hour * 60, 60)
    await client.call('POST', `/v2/timeseries/${userId}/heartrate`, uploadBody(beats))
  }
  await client.call('POST', `/v2/summary/sleep/${userId}`, NIGHT)
  const order = JSON.parse(
    await client.call('POST', '/v3/order', (await orderBody(client))(userId)),
  )
  await client.call('POST', `/v3/order/${order.order.id}/test?delay=0`, '{}')
  for (let look = 0; look < 300; look++) {
    const { status } = JSON.parse(await client.call('GET', `/v3/order/${order.order.id}`))
    if (status === 'completed') return userId
    await delay(200)
  }
  throw new Error('the order of the template is not completed')
}

const SOURCE = { source_bundle: 'com.example.watch', product_type: 'Watch7,5' }
const [SLEPT, WOKE] = ['2025-01-02T00:00:00Z', '2025-01-02T07:00:00Z']
const STAGE = { start_date: SLEPT, end_date: WOKE, value: 1, unit: '', ...SOURCE }
const NIGHT = JSON.stringify({
  ...{ stage: 'daily', provider: 'health_connect' },
  data: [
    {
      ...{ id: 'night', start_date: SLEPT, end_date: WOKE, ...SOURCE },
      sleep_stages: { light_sleep_samples: [STAGE] },
    },
  ],
})
