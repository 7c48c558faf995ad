import type { Harness } from '../../../test/harness.ts'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import { until } from './until.ts'
import type { WebhookPlace } from './webhook-place.ts'

export type Status = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** The delivery of an event to its first webhook, or to another one. */
export async function deliveryOf(place: WebhookPlace, eventId: string, webhookId?: string) {
  const { deliveries } = await place.succeed('GET', `/event/${eventId}`)
  const found = deliveries.find(
    ({ webhook_id: id }: { webhook_id: string }) => id === (webhookId ?? id),
  )
  return found as { status: Status; attempts: number; next_attempt_at: string | null } | undefined
}

export function untilStatus(place: WebhookPlace, eventId: string, status: Status, webhookId = '') {
  return until(`${eventId} is ${status}`, async () => {
    const delivery = await deliveryOf(place, eventId, webhookId || undefined)
    return delivery?.status === status ? delivery : undefined
  })
}

/** Until so many attempts are stored; a retry that is due is looked for all the time. */
export function untilAttempts(
  place: WebhookPlace,
  eventId: string,
  attempts: number,
  dispatcher?: Dispatcher,
) {
  return until(`${eventId} was tried ${attempts} times`, async () => {
    await dispatcher?.poll()
    const delivery = await deliveryOf(place, eventId)
    return delivery?.attempts === attempts ? delivery : undefined
  })
}

/** Lets time pass until an event that nobody takes has failed for good. */
export async function failForGood(
  { clock }: Harness,
  dispatcher: Dispatcher,
  place: WebhookPlace,
  eventId: string,
): Promise<void> {
  for (let attempts = 1; attempts <= 8; attempts += 1) {
    await untilAttempts(place, eventId, attempts, dispatcher)
    clock.advance(10 * 3_600)
  }
  await untilStatus(place, eventId, 'failed')
}
