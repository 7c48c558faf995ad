import { setTimeout as sleep } from 'node:timers/promises'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { forbidden } from '@salus/kernel/errors'
import { KeysetPages, LISTED_INSTANT, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { pauseConnections } from '../../connections/index.ts'
import {
  isOAuthConnector,
  type OAuthConnector,
  readCredential,
  statusOf,
} from '../../connectors/index.ts'
import { stopPulling } from '../../pulling/index.ts'
import { notAvailable } from '../available-providers.ts'
import type { LinkContext } from '../link.context.ts'
import * as repository from './bulk.repository.ts'
import type {
  BulkExport,
  BulkExportPage,
  BulkImport,
  BulkImportResult,
  BulkOperation,
  BulkOperationQuery,
  BulkOperations,
  BulkOperationType,
  BulkPause,
  BulkTrigger,
  ConnectionRecipe,
} from './bulk.schema.ts'

/** Processes the pending items of an operation. */
export const RUN_BULK_OPERATION = defineJob<{ environmentId: string; operationId: string }>(
  'run-bulk-operation',
  { maxAttempts: 8 },
)

/** How long a request waits (docs/contract/03-link.md#bulk-operations), and how often it checks. */
const MOST_WAIT_MS = 20_000
const LOOK_MS = 100
const EXPORTED_AT_ONCE = 100

/** @throws AppError 403 `feature_not_enabled`, 400 `provider_not_available` */
export function requireBulkOperations(
  { config, connectors }: LinkContext,
  provider?: string,
): void {
  if (!config.bulkOperationsEnabled) {
    throw forbidden('feature_not_enabled', 'Bulk operations are disabled on this deployment.')
  }
  if (provider !== undefined) getOAuthConnector({ connectors }, provider)
}

/** @throws AppError 400 `provider_not_available` */
export function getOAuthConnector(
  { connectors }: Pick<LinkContext, 'connectors'>,
  provider: string,
): OAuthConnector {
  const connector = connectors.find(provider)
  if (connector !== undefined && isOAuthConnector(connector)) return connector
  throw notAvailable(provider, statusOf(provider, connector).reason ?? '')
}

const sealContext = (operationId: string, userId: string): string =>
  `bulk_operation_items ${operationId} ${userId}`

/** Column that is sealed anew when the sealing key is rotated. */
export const SEALED_RECIPES: SealedColumn = {
  table: 'bulk_operation_items',
  column: 'sealed',
  key: ['operation_id', 'user_id'],
  contextOf: ({ operation_id = '', user_id = '' }) => sealContext(operation_id, user_id),
}

/** Opens the sealed data of a connection to import; returns undefined once they are deleted. */
export function openRecipe(
  secrets: SecretBox,
  operationId: string,
  item: { user_id: string; sealed: Buffer | null },
): ConnectionRecipe | undefined {
  if (item.sealed === null) return undefined
  return JSON.parse(secrets.open(item.sealed, sealContext(operationId, item.user_id)))
}

/** The response to a request that may have waited. */
interface Waited<Body> {
  isDone: boolean
  body: Body
}

/** Imports connections, as a job. */
export async function importConnections(
  scope: Scope,
  context: LinkContext,
  { provider, connections, wait_for_completion: isWaiting }: BulkImport,
  baseUrl: string,
): Promise<Waited<BulkImportResult>> {
  const recipes = new Map(connections.map((recipe) => [recipe.user_id.toLowerCase(), recipe]))
  const live = await repository.selectLiveUsers(scope, [...recipes.keys()])
  const operation = { id: newId(), type: 'link_bulk_import', provider, base_url: baseUrl } as const
  const items = [...live].map((user_id) => ({
    user_id,
    sealed: context.secrets.seal(
      JSON.stringify(recipes.get(user_id)),
      sealContext(operation.id, user_id),
    ),
  }))
  await openOperation(scope, operation, items)
  const nothing = { user_ids_imported: [], user_ids_failed: [] }
  if (!isWaiting || !(await waitFor(scope, operation.id))) return { isDone: false, body: nothing }
  const ends = await repository.listItems(scope, operation.id)
  const idsOf = (status: string) =>
    ends.filter((end) => end.status === status).map((end) => end.user_id)
  const unknown = [...recipes.keys()].filter((id) => !live.has(id))
  return {
    isDone: true,
    body: { user_ids_imported: idsOf('done'), user_ids_failed: [...idsOf('failed'), ...unknown] },
  }
}

/** Has the history of users pulled again, as a job. */
export async function triggerHistoricalPulls(
  scope: Scope,
  { provider, user_ids, wait_for_completion: isWaiting }: BulkTrigger,
  baseUrl: string,
): Promise<Waited<object>> {
  const live = await repository.selectLiveUsers(
    scope,
    user_ids.map((id) => id.toLowerCase()),
  )
  const type = 'link_bulk_historical_trigger' as const
  const operation = { id: newId(), type, provider, base_url: baseUrl }
  await openOperation(
    scope,
    operation,
    [...live].map((user_id) => ({ user_id, sealed: null })),
  )
  return { isDone: isWaiting === true && (await waitFor(scope, operation.id)), body: {} }
}

async function openOperation(
  scope: Scope,
  operation: { id: string; type: BulkOperationType; provider: string; base_url: string },
  items: readonly { user_id: string; sealed: Buffer | null }[],
): Promise<void> {
  const started_at = scope.clock.now()
  await scope.transaction(async (tx) => {
    await repository.insertBulkOperation(tx, { ...operation, started_at }, items)
    const job = { environmentId: tx.environment.id, operationId: operation.id }
    // The operations of an environment run one after another, independently of other environments.
    const queue = `bulk-operations ${tx.environment.id}`
    await addJob(tx.db, RUN_BULK_OPERATION, job, { queue })
  })
}

/** Whether the operation ended in time. */
async function waitFor(scope: Scope, operationId: string): Promise<boolean> {
  const end = performance.now() + MOST_WAIT_MS
  for (;;) {
    const operation = await repository.findBulkOperation(scope, operationId)
    if (operation?.status !== 'in_progress') return true
    if (performance.now() > end) return false
    await sleep(LOOK_MS)
  }
}

const EXPORT_PAGES = new KeysetPages({ user_id: UUID_KEY })

/**
 * Returns a page of connections with their tokens, by user. @throws AppError 400 `invalid_cursor`
 */
export async function exportConnections(
  scope: Scope,
  { secrets }: LinkContext,
  { provider, user_ids: ids = null, next_token: token }: BulkExport,
): Promise<BulkExportPage> {
  const { db, clock, environment } = scope
  const userIds = ids && [...new Set(ids.map((id) => id.toLowerCase()))].sort()
  const cursorScope = ['bulk_export', environment.id, provider, userIds]
  const after = EXPORT_PAGES.read(cursorScope, token)?.user_id
  const limit = EXPORTED_AT_ONCE + 1
  const filter = { provider, userIds, after, limit }
  const rows = await repository.listExportableConnections(scope, filter)
  const { page, nextCursor } = EXPORT_PAGES.cut(cursorScope, rows, EXPORTED_AT_ONCE, (row) => row)
  const store = createCredentialStore(db, { secrets, clock })
  const recipes = await Promise.all(
    page.map(async ({ user_id, external_user_id, granted_scopes }) => {
      const key = { environmentId: environment.id, userId: user_id, name: provider }
      const { tokens } = (await readCredential(store, key)) ?? {}
      if (tokens === undefined) return []
      return [
        {
          user_id,
          access_token: tokens.accessToken,
          refresh_token: tokens.refreshToken ?? '',
          provider_id: external_user_id ?? '',
          expires_at: tokens.expiresAt === null ? NO_END : Math.floor(tokens.expiresAt / 1000),
          oauth_scopes: granted_scopes,
        },
      ]
    }),
  )
  return { data: recipes.flat(), next_token: nextCursor }
}

/**
 * Expiry of tokens without an end, as in OAuth 1.0a
 * (docs/contract/03-link.md#post-v2linkbulk_import).
 */
const NO_END = 2_147_483_647

/**
 * Returns the end of an imported access token in epoch milliseconds; null for one without an end.
 */
export const endOfToken = (expiresAt: number): number | null =>
  expiresAt === NO_END ? null : expiresAt * 1000

/** Pauses connections and stops their pulls. */
export async function pauseBulkConnections(
  scope: Scope,
  { provider, user_ids }: BulkPause,
): Promise<void> {
  const userIds = [...new Set(user_ids.map((id) => id.toLowerCase()))].sort()
  await scope.transaction(async (tx) => {
    await pauseConnections(tx, userIds, provider)
    for (const userId of userIds) await stopPulling(tx, { userId, provider })
  })
}

const OPERATION_PAGES = new KeysetPages({ at: LISTED_INSTANT, id: UUID_KEY })

/**
 * Returns the operations of the environment, newest first. @throws AppError 400 `invalid_cursor`
 */
export async function listOperations(
  scope: Scope,
  { next_cursor: cursor, page_size: size = 10 }: BulkOperationQuery,
): Promise<BulkOperations> {
  const cursorScope = ['bulk_op', scope.environment.id]
  const before = OPERATION_PAGES.read(cursorScope, cursor) ?? undefined
  const rows = await repository.listBulkOperations(scope, { limit: size + 1, before })
  const { page, nextCursor } = OPERATION_PAGES.cut(cursorScope, rows, size, (row) => ({
    at: row.listed_at,
    id: row.id,
  }))
  return { data: page.map(toBulkOperation), next_cursor: nextCursor }
}

function toBulkOperation(row: repository.ListedOperation): BulkOperation {
  const [pending, done, failed] = [Number(row.pending), Number(row.done), Number(row.failed)]
  return {
    type: row.type,
    status: row.status,
    provider: row.provider,
    pending,
    processed: done + failed,
    failed,
    started_at: formatInstant(row.started_at),
    ended_at: row.ended_at && formatInstant(row.ended_at),
  }
}
