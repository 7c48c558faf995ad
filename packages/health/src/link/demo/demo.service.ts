import { getUserRow } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import { forbidden } from '@salus/kernel/errors'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import {
  connectAccount,
  findConnection,
  hasConnectionOf,
  lockConnectionName,
} from '../../connections/index.ts'
import type { Ingest } from '../../ingest/index.ts'
import {
  type DemoConnectionRow,
  listDemoConnections,
  putDemoConnection,
  saveDemoProgress,
} from './demo-connections.repository.ts'
import { type DemoProvider, demoData, demoSubjects, type ReadLife } from './demo-data.ts'

/** Extends the data of a user's demo connections to the present. */
export const EXTEND_DEMO = defineJob<{ environmentId: string; userId: string }>('extend-demo')

/** docs/contract/03-link.md#post-v2linkconnectdemo */
const HISTORY_DAYS = 30

const NO_SANDBOX = forbidden('sandbox_only', 'This route is available only in the sandbox.')

/**
 * Connects a user to a provider with demo data.
 * @throws AppError 403 `sandbox_only`, 404 for the user
 */
export async function connectDemo(
  scope: Scope,
  userId: string,
  provider: DemoProvider,
  baseUrl: string,
): Promise<{ success: boolean; detail: string }> {
  if (scope.environment.kind !== 'sandbox') throw NO_SANDBOX
  const user = await getUserRow(scope, userId)
  return scope.transaction(async (tx) => {
    await lockConnectionName(tx, user.id)
    if (await hasConnectionOf(tx, user.id, 'real')) {
      return {
        success: false,
        detail: 'The user has other connections and cannot have a demo connection.',
      }
    }
    const known = await findConnection(tx, user.id, provider)
    if (known !== undefined) {
      return { success: false, detail: 'The user already has this demo connection.' }
    }
    const account = { provider, accountId: `demo-${user.id}`, grantedScopes: null, region: null }
    const options = { baseUrl, scopes: undefined }
    await connectAccount(tx, user, { ...account, isDemo: true }, options)
    const now = tx.clock.now()
    await putDemoConnection(tx, {
      user_id: user.id,
      provider,
      base_url: baseUrl,
      generated_until: new Date(now.getTime() - HISTORY_DAYS * DAY_MS),
      created_at: now,
    })
    await addJob(tx.db, EXTEND_DEMO, { environmentId: tx.environment.id, userId: user.id })
    return { success: true, detail: 'The demo connection was created; its data follow.' }
  })
}

export interface DemoContext {
  ingest: Ingest
  readLife: ReadLife
}

/**
 * Stores the missing data of a user's demo connections up to now: the history as historical data,
 * the rest as daily data.
 * @returns the providers whose data are now up to date
 */
export async function extendDemo(
  scope: Scope,
  context: DemoContext,
  userId: string,
): Promise<string[]> {
  const extended: string[] = []
  for (const demo of await listDemoConnections(scope, userId)) {
    const connection = await findConnection(scope, userId, demo.provider)
    if (connection?.status !== 'connected' || !connection.is_demo) continue
    await extendConnection(scope, context, demo)
    extended.push(demo.provider)
  }
  return extended
}

async function extendConnection(
  scope: Scope,
  { ingest, readLife }: DemoContext,
  demo: DemoConnectionRow,
): Promise<void> {
  const { user_id: userId, provider, base_url: baseUrl } = demo
  const isHistory = demo.generated_until < demo.created_at
  const until = isHistory ? demo.created_at : scope.clock.now()
  const span = { from: demo.generated_until.getTime(), to: until.getTime() }
  if (span.from >= span.to) return
  const user = await getUserRow(scope, userId)
  const data = demoData({ userId, provider }, readLife(userId, span))
  const { push_historical_data: isWanted } = scope.environment.settings
  const chunk = { from: new Date(span.from), to: until, isFinal: true, upload: null }
  await ingest.store({
    ...{ scope, user, provider, baseUrl, ...data.toArrivedData() },
    isPublished: !isHistory || isWanted,
    history: isHistory ? demoSubjects(provider).map((subject) => ({ ...chunk, subject })) : [],
  })
  await saveDemoProgress(scope, demo, until)
  if (isHistory)
    await extendConnection(scope, { ingest, readLife }, { ...demo, generated_until: until })
}
