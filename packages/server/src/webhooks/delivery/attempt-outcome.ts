import type { PostOutcome } from '@salus/kernel/outbound/post'
import { inSpan } from '@salus/kernel/telemetry/tracing'
import type { DisabledReason } from '../webhooks.tables.ts'
import type { AttemptRecord, EndpointKey } from './delivery.global.repository.ts'
import type { DueDelivery } from './delivery.repository.ts'
import { afterFailure, type EndpointHealth, HEALTHY, isGivenUp } from './endpoint-health.ts'
import type { EndpointTarget } from './endpoint-target.ts'
import { nextAttemptAt } from './retry-schedule.ts'

/** An attempt with all changes that it causes. */
export interface AttemptOutcome extends AttemptRecord {
  eventType: string
  /** New health of the endpoint, when it changed. */
  health: EndpointHealth | null
  /** Reason to disable the endpoint. */
  disable: DisabledReason | null
}

export interface FinishedAttempt {
  delivery: DueDelivery
  target: EndpointTarget
  attemptedAt: Date
  finishedAt: Date
  answer: PostOutcome
}

/** Whether the attempt succeeded. Only a 2xx is a success, because redirects are not followed. */
export function isSuccess({ status }: Pick<PostOutcome, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Makes an attempt in a span, which continues the trace of the event's cause. */
export function traceAttempt(
  { event_type: type, attempts, trace_parent: parent }: DueDelivery,
  post: () => Promise<PostOutcome>,
): Promise<PostOutcome> {
  const attributes = { 'salus.event_type': type, 'salus.attempt': attempts + 1 }
  return inSpan('webhook attempt', { kind: 'client', parent, attributes }, async (span) => {
    const outcome = await post()
    if (outcome.status !== null) span?.set({ 'http.response.status_code': outcome.status })
    if (!isSuccess(outcome)) span?.fail(outcome.error ?? String(outcome.status))
    return outcome
  })
}

/**
 * Returns the effect of an attempt on its delivery and its endpoint
 * (docs/contract/08-webhooks-and-events.md#delivery-and-retries).
 * @param isCurrent Whether the endpoint has not changed meanwhile: a failure with former settings
 *   does not count against it.
 */
export function evaluateAttempt(
  key: EndpointKey,
  { delivery, target, attemptedAt, finishedAt, answer }: FinishedAttempt,
  isCurrent: boolean,
): AttemptOutcome {
  const hasSucceeded = isSuccess(answer)
  const failures = hasSucceeded ? 0 : delivery.failures + 1
  const retryAt = hasSucceeded ? null : nextAttemptAt(failures, finishedAt)
  const health = hasSucceeded ? HEALTHY : afterFailure(target.health, finishedAt)
  const isChange = isCurrent && !(hasSucceeded && target.health.failures === 0)
  const givenUp = isGivenUp(health, finishedAt) ? 'failing' : null
  return {
    ...key,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    number: delivery.attempts + 1,
    run: delivery.run,
    attemptedAt,
    responseStatus: answer.status,
    error: answer.error,
    durationMs: Math.round(answer.durationMs),
    responseBody: answer.responseBody,
    status: hasSucceeded ? 'delivered' : retryAt === null ? 'failed' : 'pending',
    failures,
    nextAttemptAt: retryAt,
    health: isChange ? health : null,
    disable: isCurrent ? (answer.status === 410 ? 'gone' : givenUp) : null,
  }
}
