import { inEnvironment } from '@salus/accounts/teams'
import { holdUserReference } from '@salus/accounts/users'
import { handleJob, type JobAttempt, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { triggerHistory } from '../../pulling/index.ts'
import { createConnection, requireScopes } from '../connect.service.ts'
import type { LinkContext } from '../link.context.ts'
import { LinkError } from '../link-errors.registry.ts'
import {
  type BulkOperationRow,
  completeItems,
  endBulkOperation,
  findBulkOperation,
  listItems,
  listPendingItems,
} from './bulk.repository.ts'
import { endOfToken, getOAuthConnector, openRecipe, RUN_BULK_OPERATION } from './bulk.service.ts'

const ITEMS_AT_ONCE = 100

/**
 * The job behind bulk operations on connections. A later run continues where the previous one
 * ended.
 */
export function bulkJobs(context: LinkContext): JobDefinitions {
  return {
    handlers: handleJob(
      RUN_BULK_OPERATION,
      inEnvironment(context, (scope, { operationId }, attempt) =>
        runOperation(scope, context, operationId, attempt),
      ),
    ),
    schedule: '',
  }
}

/** Continues an operation; when the last run fails too, the operation is aborted. */
async function runOperation(
  scope: Scope,
  context: LinkContext,
  operationId: string,
  { isLast }: JobAttempt,
): Promise<void> {
  const operation = await findBulkOperation(scope, operationId)
  if (operation?.status !== 'in_progress') return
  const end = (status: 'success' | 'failure' | 'aborted') =>
    scope.transaction((tx) => endBulkOperation(tx, operationId, status, tx.clock.now()))
  try {
    for (;;) {
      const items = await listPendingItems(scope, operationId, ITEMS_AT_ONCE)
      if (items.length === 0) break
      if (operation.type === 'link_bulk_import') {
        for (const item of items) await importOne(scope, context, operation, item)
      } else await triggerSome(scope, operation, items)
    }
    const all = await listItems(scope, operationId)
    await end(all.some(({ status }) => status === 'failed') ? 'failure' : 'success')
  } catch (error) {
    if (isLast) await end('aborted')
    throw error
  }
}

type Item = Awaited<ReturnType<typeof listPendingItems>>[number]

/** Creates one connection and stores the outcome in one transaction. */
async function importOne(
  scope: Scope,
  context: LinkContext,
  operation: BulkOperationRow,
  item: Item,
): Promise<void> {
  const { id, provider, base_url: baseUrl } = operation
  try {
    const recipe = openRecipe(context.secrets, id, item)
    const connector = getOAuthConnector(context, provider)
    if (recipe === undefined) throw new LinkError('provider_credential_error')
    const grantedScopes = recipe.oauth_scopes ?? null
    await requireScopes(scope, connector, grantedScopes)
    const tokens = {
      accessToken: recipe.access_token,
      refreshToken: recipe.refresh_token || null,
      expiresAt: endOfToken(recipe.expires_at),
    }
    await scope.transaction(async (tx) => {
      const user = await holdUserReference(tx, item.user_id)
      if (user === undefined) throw new LinkError('invalid_token')
      const account = { accountId: recipe.provider_id, credential: { tokens } }
      const signedIn = { connector, ...account, grantedScopes, region: null }
      await createConnection(tx, context, user, signedIn, baseUrl)
      await completeItems(tx, id, [item.user_id], 'done')
    })
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    await scope.transaction((tx) => completeItems(tx, id, [item.user_id], 'failed'))
  }
}

/** The engine that pulls keeps to the rate of each provider. */
async function triggerSome(
  scope: Scope,
  { id, provider }: BulkOperationRow,
  items: readonly Item[],
): Promise<void> {
  const userIds = items.map((item) => item.user_id)
  await scope.transaction(async (tx) => {
    await triggerHistory(tx, userIds, provider)
    await completeItems(tx, id, userIds, 'done')
  })
}
