import type { Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts'
import type { Harness } from '../harness.ts'
import { until } from './until.ts'
import type { WebhookEnvironment } from './webhook-environment.ts'

export type Status = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** The delivery of an event to its first webhook, or to another one. */
export async function deliveryOf(
  environment: WebhookEnvironment,
  eventId: string,
  webhookId?: string,
) {
  const { deliveries } = await environment.succeed('GET', `/event/${eventId}`)
  const found = deliveries.find(
    ({ webhook_id: id }: { webhook_id: string }) => id === (webhookId ?? id),
  )
  return found as { status: Status; attempts: number; next_attempt_at: string | null } | undefined
}

export function untilStatus(
  environment: WebhookEnvironment,
  eventId: string,
  status: Status,
  webhookId = '',
) {
  return until(`${eventId} is ${status}`, async () => {
    const delivery = await deliveryOf(environment, eventId, webhookId || undefined)
    return delivery?.status === status ? delivery : undefined
  })
}

/** Until so many attempts are stored; a retry that is due is looked for all the time. */
export function untilAttempts(
  environment: WebhookEnvironment,
  eventId: string,
  attempts: number,
  dispatcher?: Dispatcher,
) {
  return until(`${eventId} was tried ${attempts} times`, async () => {
    await dispatcher?.poll()
    const delivery = await deliveryOf(environment, eventId)
    return delivery?.attempts === attempts ? delivery : undefined
  })
}

/** Lets time pass until an event that no receiver accepts has failed for good. */
export async function failForGood(
  { clock }: Harness,
  dispatcher: Dispatcher,
  environment: WebhookEnvironment,
  eventId: string,
): Promise<void> {
  for (let attempts = 1; attempts <= 8; attempts += 1) {
    await untilAttempts(environment, eventId, attempts, dispatcher)
    clock.advance(10 * 3_600)
  }
  await untilStatus(environment, eventId, 'failed')
}
