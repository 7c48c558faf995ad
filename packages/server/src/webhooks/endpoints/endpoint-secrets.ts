import { invalidInput, notFound } from '../../platform/errors.ts'
import type { EndpointKey } from '../delivery/delivery.repository.ts'
import { notifyEndpointChanged } from '../delivery/dispatch.repository.ts'
import type { EndpointTarget } from '../delivery/endpoint-target.ts'
import { keyOf } from '../delivery/signature.ts'
import type { WebhookHeaders } from '../webhooks.schema.ts'
import type { FormerSecret } from '../webhooks.tables.ts'
import type { EndpointRow } from './endpoints.repository.ts'
import * as repository from './endpoints.repository.ts'
import { type EndpointsContext, getEndpoint } from './endpoints.service.ts'
import { contextOf, readSecret, sealSecret } from './signing-secret.ts'

/** A rotated secret goes on signing for so long. */
const FORMER_SECRET_MS = 24 * 3_600_000

export async function getSecret(
  context: EndpointsContext,
  endpointId: string,
): Promise<{ key: string }> {
  const row = await getEndpoint(context, endpointId)
  return { key: context.secrets.open(row.secret, contextOf(row.id, 'secret')) }
}

/** Sets another secret. The former one goes on signing beside it for 24 hours. */
export async function rotateSecret(
  scope: EndpointsContext,
  endpointId: string,
  key: string | null | undefined,
): Promise<void> {
  const { clock, secrets } = scope
  const now = clock.now()
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

/** Stands for every value: what a header of one's own holds, nobody can tell from its name. */
const MASK = '****'
const FORBIDDEN =
  /^(content-type|content-length|content-encoding|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|(webhook|svix)-(id|timestamp|signature))$/i

function openHeaders({ secrets }: Pick<EndpointsContext, 'secrets'>, row: EndpointRow) {
  if (row.headers === null) return {}
  const text = secrets.open(row.headers, contextOf(row.id, 'headers'))
  return JSON.parse(text) as Record<string, string>
}

/** Names of the custom headers; no value is ever shown again. */
export async function getHeaders(
  context: EndpointsContext,
  endpointId: string,
): Promise<WebhookHeaders> {
  const names = Object.keys(openHeaders(context, await getEndpoint(context, endpointId)))
  return { headers: Object.fromEntries(names.map((name) => [name, MASK])), sensitive: names }
}

/** Replaces all custom headers. @throws AppError 404, 422 */
export async function putHeaders(
  scope: EndpointsContext,
  endpointId: string,
  headers: Record<string, string>,
): Promise<void> {
  const names = Object.keys(headers)
  const refuse = (name: string, message: string): never => {
    throw invalidInput(['body', 'headers', name], message, 'invalid_header')
  }
  for (const name of names) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) refuse(name, 'Not a name of a header')
    if (FORBIDDEN.test(name)) refuse(name, 'Salus sets this header itself')
    // From an answer that was sent back.
    if (headers[name] === MASK) refuse(name, 'The mask of a value is no value')
    if (!/^[\t\x20-\x7e\x80-\xff]{0,4096}$/.test(headers[name] ?? '')) {
      refuse(name, 'A value is at most 4096 characters of Latin-1, without control characters')
    }
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalidInput(['body', 'headers'], 'A header is named twice', 'invalid_header')
  }
  const sealed = scope.secrets.seal(
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

/** One spelling, so that a custom header takes the place of one of ours. */
const lowerCaseNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** An endpoint as it is sent to; undefined when it takes no messages. */
export async function findTarget(
  { db, secrets }: Pick<EndpointsContext, 'db' | 'secrets'>,
  { environmentId, endpointId }: EndpointKey,
): Promise<EndpointTarget | undefined> {
  const row = await repository.findEndpoint({ db, environment: { id: environmentId } }, endpointId)
  if (row === undefined || row.disabled_at !== null) return undefined
  const open = (sealed: Buffer) => keyOf(secrets.open(sealed, contextOf(row.id, 'secret')))
  const former = row.former_secrets.map(({ secret, until }) => ({
    key: open(Buffer.from(secret, 'base64')),
    until: new Date(until),
  }))
  return {
    url: row.url,
    headers: lowerCaseNames(openHeaders({ secrets }, row)),
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
