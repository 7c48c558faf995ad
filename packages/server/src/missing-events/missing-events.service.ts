import { getUserRow, type UserRow } from '@salus/accounts/users'
import type { EventType } from '@salus/contracts/event-type'
import { DAY_MS } from '@salus/contracts/time-units'
import { invalidInput } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { listAllEndpoints, listEvents, matchesFilter } from '../webhooks/index.ts'
import { explainConnection, explainData, explainDevice } from './health-reasons.ts'
import {
  explainAppointment,
  explainCriticalResult,
  explainOrder,
  explainReport,
} from './lab-reasons.ts'
import type { EventExplanation, ExplanationQuery, Reason } from './missing-events.schema.ts'
import { type FoundReason, MISSING_REASONS } from './reasons.registry.ts'

/** Finds the reasons that prevent an event about a user. */
type Explain = (scope: Scope, user: UserRow, eventType: string) => Promise<FoundReason[]>

/** Explanations by the prefix of the event type; the first that matches is used. */
const EXPLANATIONS: readonly (readonly [prefix: string, explain: Explain])[] = [
  ['daily.data.', explainData],
  ['historical.data.', explainData],
  ['provider.connection.', explainConnection],
  ['provider.device.', explainDevice],
  ['labtest.order.', explainOrder],
  ['labtest.appointment.', explainAppointment],
  ['labtest.result.', explainCriticalResult],
  ['lab_report.', explainReport],
  ['continuous_query.', async () => [{ code: 'no_row_changed' }]],
]

interface Parts {
  catalog: readonly EventType[]
  /** 0 keeps them forever. */
  retentionDays: number
}

/**
 * Explains why there was no event of a type about a user, or none since the last: the reasons that
 * keep it from being emitted, and from being delivered.
 * @throws AppError 404; InputError 422 for an unknown type
 */
export async function explainMissingEvent(
  scope: Scope,
  { catalog, retentionDays }: Parts,
  { user_id: userId, event_type: eventType }: ExplanationQuery,
): Promise<EventExplanation> {
  const type = catalog.find(({ name }) => name === eventType)
  if (type === undefined) {
    throw invalidInput(['query', 'event_type'], 'There is no such event type', 'unknown_event_type')
  }
  const user = await getUserRow(scope, userId)
  const last = await findLastEvent(scope, catalog, { user_id: user.id, event_type: eventType })
  const found = [
    ...(type.isAboutUser ? [] : [{ code: 'not_about_person' } as const]),
    ...(await explainRaising(scope, user, eventType)),
    ...(await explainDelivery(scope, eventType)),
  ]
  const keptMs = retentionDays * DAY_MS
  return {
    user_id: user.id,
    event_type: eventType,
    last_event: last,
    reasons: found.map(toReason),
    events_since: keptMs === 0 ? null : formatInstant(scope.clock.now().getTime() - keptMs),
  }
}

async function findLastEvent(
  scope: Scope,
  catalog: readonly EventType[],
  query: ExplanationQuery,
): Promise<EventExplanation['last_event']> {
  const types = new Set(catalog.map(({ name }) => name))
  const { data } = await listEvents(scope, types, { ...query, limit: 1 })
  return data[0] ?? null
}

async function explainRaising(
  scope: Scope,
  user: UserRow,
  eventType: string,
): Promise<FoundReason[]> {
  const explain = EXPLANATIONS.find(([prefix]) => eventType.startsWith(prefix))?.[1]
  return explain === undefined ? [] : explain(scope, user, eventType)
}

/** Returns the webhooks that would not get the event, with the reasons. */
async function explainDelivery(scope: Scope, eventType: string): Promise<FoundReason[]> {
  const prefixes = scope.environment.settings.event_type_prefixes ?? []
  if (prefixes.length > 0 && !prefixes.some((prefix) => eventType.startsWith(prefix))) {
    return [{ code: 'event_type_prefixes' }]
  }
  const endpoints = await listAllEndpoints(scope)
  if (endpoints.length === 0) return [{ code: 'no_webhook' }]
  return endpoints.flatMap(
    ({ id, disabled_at: disabledAt, filter_types: filters }): FoundReason[] => {
      if (!matchesFilter(filters, eventType)) {
        return [{ code: 'webhook_not_subscribed', webhook_id: id }]
      }
      if (disabledAt === null) return []
      const at = formatInstant(disabledAt)
      return [{ code: 'webhook_disabled', webhook_id: id, at }]
    },
  )
}

const toReason = (found: FoundReason): Reason => ({
  code: found.code,
  explanation: MISSING_REASONS[found.code],
  webhook_id: found.webhook_id ?? null,
  provider: found.provider ?? null,
  order_id: found.order_id ?? null,
  at: found.at ?? null,
})
