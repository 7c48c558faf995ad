import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { invalidInput, notFound } from '@salus/kernel/errors'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import { checkUrl, type UrlPolicy } from '@salus/kernel/outbound/url-policy'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { notifyEndpointChanged } from '../delivery/delivery.global.repository.ts'
import { cancelDeliveries } from '../delivery/delivery.repository.ts'
import { HEALTHY } from '../delivery/endpoint-health.ts'
import type { Webhook, WebhookCreate, WebhookUpdate } from '../webhooks.schema.ts'
import type { EndpointRow } from './endpoints.repository.ts'
import * as repository from './endpoints.repository.ts'
import { refuseUnknownTypes } from './filter-types.ts'
import { readSecret, sealSecret } from './signing-secret.ts'

/** Rules and keys for the endpoints. */
export interface EndpointRules {
  secrets: SecretBox
  urlPolicy: UrlPolicy
  /** Every event type that a filter can name. */
  eventTypes: ReadonlySet<string>
}

const URL_PROBLEMS = {
  invalid_url: 'The URL is not a plain address of at most 2048 characters, without a fragment',
  https_required: 'The URL must begin with https://',
  credentials_in_url: 'The URL must not hold a user name or a password; use headers',
  private_address: 'The URL leads to a private or local address',
} as const

function refuseBadUrl({ urlPolicy }: EndpointRules, url: string): void {
  const problem = checkUrl(url, urlPolicy)
  if (problem !== null) throw invalidInput(['body', 'url'], URL_PROBLEMS[problem], problem)
}

/** Returns an endpoint as the API shows it, without secret and headers. */
export function toWebhook(row: EndpointRow): Webhook {
  return {
    id: row.id,
    description: row.description,
    rate_limit: row.rate_limit,
    url: row.url,
    disabled: row.disabled_at !== null,
    disabled_reason: row.disabled_reason,
    filter_types: row.filter_types,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

/** @throws AppError 404 for an unknown or removed endpoint and for one of another environment */
export async function getEndpoint(scope: RowScope, endpointId: string): Promise<EndpointRow> {
  const row = await repository.findEndpoint(scope, endpointId)
  if (row === undefined) throw notFound('Webhook')
  return row
}

/** Returns a page of the endpoints, the oldest first. */
export async function listEndpoints(
  scope: Scope,
  query: { next_cursor?: string | undefined; limit: number },
) {
  const list = ['webhooks', scope.environment.id]
  const after = CREATION_PAGES.read(list, query.next_cursor)
  const rows = await repository.listEndpoints(scope, after, query.limit + 1)
  const { page, nextCursor } = CREATION_PAGES.cut(list, rows, query.limit)
  return { data: page.map(toWebhook), next_cursor: nextCursor }
}

/** Creates an endpoint; it gets events from now on. @throws AppError 422 */
export async function createEndpoint(
  scope: Scope,
  rules: EndpointRules,
  input: WebhookCreate,
): Promise<Webhook> {
  refuseBadUrl(rules, input.url)
  refuseUnknownTypes(rules.eventTypes, input.filter_types)
  const now = scope.clock.now()
  const id = newId()
  const row = await repository.insertEndpoint(scope, {
    id,
    url: input.url,
    description: input.description ?? '',
    rate_limit: input.rate_limit ?? null,
    filter_types: input.filter_types ?? null,
    disabled_at: input.disabled ? now : null,
    disabled_reason: input.disabled ? 'manual' : null,
    headers: null,
    secret: sealSecret(rules.secrets, id, readSecret(input.secret, 'secret')),
    former_secrets: '[]',
    first_failure_at: null,
    last_failure_at: null,
    failures: 0,
    failing_since: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  })
  return toWebhook(row)
}

/**
 * Changes the fields that are given. Enabling clears failures; events from meanwhile can be
 * recovered.
 */
export async function updateEndpoint(
  scope: Scope,
  rules: EndpointRules,
  endpointId: string,
  input: WebhookUpdate,
): Promise<Webhook> {
  if (input.url !== undefined) refuseBadUrl(rules, input.url)
  refuseUnknownTypes(rules.eventTypes, input.filter_types)
  const now = scope.clock.now()
  // By name, because a body may have fields outside of its schema, and no other column may be
  // written.
  const { disabled, url, description, rate_limit, filter_types } = input
  const fields = { url, description, rate_limit, filter_types }
  return scope.transaction(async (tx) => {
    const stored = await repository.lockEndpoint(tx, endpointId)
    if (stored === undefined) throw notFound('Webhook')
    const isTurned = disabled !== undefined && disabled !== (stored.disabled_at !== null)
    const row = await repository.updateEndpoint(tx, endpointId, {
      ...fields,
      ...(isTurned && {
        disabled_at: disabled ? now : null,
        disabled_reason: disabled ? 'manual' : null,
        ...FORGOTTEN_FAILURES,
      }),
      updated_at: now,
    })
    // Also when it is enabled: an event may have been dispatched just as it was disabled.
    if (isTurned) await cancelDeliveries(tx, endpointId, now)
    await notifyEndpointChanged(tx.db, endpointId)
    return toWebhook(row as EndpointRow)
  })
}

const FORGOTTEN_FAILURES = {
  first_failure_at: HEALTHY.firstFailureAt,
  last_failure_at: HEALTHY.lastFailureAt,
  failures: HEALTHY.failures,
  failing_since: HEALTHY.failingSince,
}

/** Removes an endpoint; no more messages are sent to it. @throws AppError 404 */
export async function deleteEndpoint(scope: Scope, endpointId: string): Promise<void> {
  const now = scope.clock.now()
  await scope.transaction(async (tx) => {
    const stored = await repository.lockEndpoint(tx, endpointId)
    if (stored === undefined) throw notFound('Webhook')
    const change = { deleted_at: now, updated_at: now }
    await repository.updateEndpoint(tx, endpointId, change)
    await cancelDeliveries(tx, endpointId, now)
    await notifyEndpointChanged(tx.db, endpointId)
  })
}
