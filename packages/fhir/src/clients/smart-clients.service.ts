import { invalidInput, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { checkUrl } from '@salus/kernel/outbound/url-policy'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { readScope } from '../reading/index.ts'
import * as repository from './smart-clients.repository.ts'
import type { SmartClient, SmartClientCreate } from './smart-clients.schema.ts'

/** Members of a JSON Web Key that only private and symmetric keys have. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

/** Registers a client. @throws InputError 422 */
export async function createSmartClient(
  scope: Scope,
  { label, jwks = null, jwks_url: url = null, scopes }: SmartClientCreate,
): Promise<SmartClient> {
  if ((jwks === null) === (url === null)) {
    throw invalidInput(['body', 'jwks'], 'Give either jwks or jwks_url', 'exactly_one')
  }
  if (jwks?.keys.some((key) => SECRET_MEMBERS.some((name) => name in key))) {
    throw invalidInput(['body', 'jwks'], 'A key holds its private part', 'extra_forbidden')
  }
  const problem = url && checkUrl(url, { allowPrivate: false, allowHttp: false })
  if (problem) throw invalidInput(['body', 'jwks_url'], 'The URL is not allowed', problem)
  const unknown = scopes.findIndex((text) => (readScope(text)?.actions.size ?? 0) === 0)
  if (unknown !== -1) throw invalidInput(['body', 'scopes', unknown], 'Unknown scope', 'enum')
  const created_at = scope.clock.now()
  const client = { id: newId(), label, jwks, jwks_url: url, scopes, created_at }
  return toSmartClient(await repository.insertSmartClient(scope, client))
}

export async function listSmartClients(scope: Scope): Promise<{ data: SmartClient[] }> {
  return { data: (await repository.listSmartClients(scope)).map(toSmartClient) }
}

/** Deletes a client; its tokens end at once. @throws AppError 404 */
export async function deleteSmartClient(scope: Scope, id: string): Promise<void> {
  if (await repository.deleteSmartClient(scope, id.toLowerCase())) return
  throw notFound('Client')
}

function toSmartClient(row: repository.SmartClientRow): SmartClient {
  const { id, label, jwks, jwks_url, scopes, created_at } = row
  return { id, label, jwks, jwks_url, scopes, created_at: formatInstant(created_at) }
}
