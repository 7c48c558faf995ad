import { HOUR_MS } from '@salus/contracts/time-units'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { invalidInput, notFound } from '@salus/kernel/errors'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { notifyEndpointChanged } from '../delivery/delivery.global.repository.ts'
import type { EndpointTarget } from '../delivery/endpoint-target.ts'
import { keyOf } from '../delivery/signature.ts'
import type { WebhookHeaders } from '../webhooks.schema.ts'
import type { FormerSecret } from '../webhooks.tables.ts'
import type { EndpointRow } from './endpoints.repository.ts'
import * as repository from './endpoints.repository.ts'
import { getEndpoint } from './endpoints.service.ts'
import { contextOf, readSecret, sealSecret } from './signing-secret.ts'

/** Time for which a rotated secret still signs. */
const FORMER_SECRET_MS = 24 * HOUR_MS

/** Returns the current signing secret in clear, for the team. @throws AppError 404 */
export async function getSecret(
  scope: Scope,
  secrets: SecretBox,
  endpointId: string,
): Promise<{ key: string }> {
  const row = await getEndpoint(scope, endpointId)
  return { key: secrets.open(row.secret, contextOf(row.id, 'secret')) }
}

/** Sets a new secret. The former one also signs for 24 hours. */
export async function rotateSecret(
  scope: Scope,
  secrets: SecretBox,
  endpointId: string,
  key: string | null | undefined,
): Promise<void> {
  const now = scope.clock.now()
  const until = new Date(now.getTime() + FORMER_SECRET_MS).toISOString()
  const secret = readSecret(key, 'key')
  await scope.transaction(async (tx) => {
    const row = await repository.lockEndpoint(tx, endpointId)
    if (row === undefined) throw notFound('Webhook')
    const former: FormerSecret[] = [
      { secret: row.secret.toString('base64'), until },
      ...row.former_secrets.filter((one) => new Date(one.until) > now),
    ]
    await repository.updateEndpoint(tx, endpointId, {
      secret: sealSecret(secrets, row.id, secret),
      former_secrets: JSON.stringify(former),
      updated_at: now,
    })
    await notifyEndpointChanged(tx.db, endpointId)
  })
}

// Headers

/**
 * Replaces every value, because the name of a custom header does not show whether it is a secret.
 */
const MASK = '****'
const FORBIDDEN =
  /^(content-type|content-length|content-encoding|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|(webhook|svix)-(id|timestamp|signature))$/i

function openHeaders(secrets: SecretBox, row: EndpointRow) {
  if (row.headers === null) return {}
  const text = secrets.open(row.headers, contextOf(row.id, 'headers'))
  return JSON.parse(text) as Record<string, string>
}

/** Returns the names of the custom headers; no value is ever shown again. */
export async function getHeaders(
  scope: Scope,
  secrets: SecretBox,
  endpointId: string,
): Promise<WebhookHeaders> {
  const names = Object.keys(openHeaders(secrets, await getEndpoint(scope, endpointId)))
  return { headers: Object.fromEntries(names.map((name) => [name, MASK])), sensitive: names }
}

/** Replaces all custom headers. @throws AppError 404, 422 */
export async function putHeaders(
  scope: Scope,
  secrets: SecretBox,
  endpointId: string,
  headers: Record<string, string>,
): Promise<void> {
  const names = Object.keys(headers)
  const refuse = (name: string, message: string): never => {
    throw invalidInput(['body', 'headers', name], message, 'invalid_header')
  }
  for (const name of names) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name))
      refuse(name, 'The name of the header is not valid')
    if (FORBIDDEN.test(name)) refuse(name, 'Salus sets this header itself')
    // It comes from an answer that was sent back.
    if (headers[name] === MASK) refuse(name, 'The mask of a value cannot be used as a value')
    if (!/^[\t\x20-\x7e\x80-\xff]{0,4096}$/.test(headers[name] ?? '')) {
      refuse(name, 'A value has at most 4096 characters of Latin-1, without control characters')
    }
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalidInput(['body', 'headers'], 'A header occurs twice', 'invalid_header')
  }
  const sealed = secrets.seal(
    JSON.stringify(headers),
    contextOf(endpointId.toLowerCase(), 'headers'),
  )
  const change = { headers: names.length === 0 ? null : sealed, updated_at: scope.clock.now() }
  await scope.transaction(async (tx) => {
    const row = await repository.updateEndpoint(tx, endpointId, change)
    if (row === undefined) throw notFound('Webhook')
    await notifyEndpointChanged(tx.db, row.id)
  })
}

/** Uses one spelling, so that a custom header replaces one of ours. */
const lowerCaseNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Returns the data for sending to an endpoint; undefined when it accepts no messages. */
export async function findTarget(
  scope: RowScope,
  secrets: SecretBox,
  endpointId: string,
): Promise<EndpointTarget | undefined> {
  const row = await repository.findEndpoint(scope, endpointId)
  if (row === undefined || row.disabled_at !== null) return undefined
  const open = (sealed: Buffer) => keyOf(secrets.open(sealed, contextOf(row.id, 'secret')))
  const former = row.former_secrets.map(({ secret, until }) => ({
    key: open(Buffer.from(secret, 'base64')),
    until: new Date(until),
  }))
  return {
    url: row.url,
    headers: lowerCaseNames(openHeaders(secrets, row)),
    keys: [{ key: open(row.secret), until: null }, ...former],
    rateLimit: row.rate_limit,
    health: {
      firstFailureAt: row.first_failure_at,
      lastFailureAt: row.last_failure_at,
      failures: row.failures,
      failingSince: row.failing_since,
    },
  }
}
