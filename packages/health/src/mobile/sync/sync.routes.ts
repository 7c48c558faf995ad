import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import {
  ByUserAndStore,
  HistoricalStageBody,
  SyncProgressBody,
  SyncState,
  SyncStateBody,
} from './sync.schema.ts'
import { readSyncState, startHistoricalStage, storeSyncProgress } from './sync.service.ts'

const common = { tags: ['Mobile'], params: ByUserAndStore }
const config = { appAccess: 'path' } as const

/** What clients on phones ask and tell between uploads. */
export function registerSyncRoutes(app: App): void {
  app.post(
    '/v2/user/:user_id/sdk_sync_state/:provider',
    {
      config,
      schema: {
        operationId: 'getSdkSyncState',
        ...common,
        summary: 'What a phone has to know before it synchronizes',
        description:
          'Whether a phone may synchronize, what range, and when to ask again. The zone of the device becomes the fallback of the person, unless one was set by hand.',
        body: SyncStateBody,
        response: { 200: SyncState },
      },
    },
    ({ scope, params, body }) => readSyncState(scope, params, body),
  )

  app.post(
    '/v2/user/:user_id/sdk_start_historical_stage/:provider',
    {
      config,
      schema: {
        operationId: 'startSdkHistoricalStage',
        ...common,
        summary: 'Begin with the history of a resource',
        description:
          'The history of the resource is in progress from here on, until an upload says that it is the last of it.',
        body: HistoricalStageBody,
        response: { 200: Success },
      },
    },
    async ({ scope, params, body }) => {
      await startHistoricalStage(scope, params, body)
      return { success: true }
    },
  )
  registerSyncProgressRoute(app)
}

function registerSyncProgressRoute(app: App): void {
  app.post(
    '/v2/user/:user_id/sdk_sync_progress/:provider',
    {
      config,
      schema: {
        operationId: 'reportSdkSyncProgress',
        ...common,
        summary: 'Report how synchronization goes',
        description:
          'The latest report of each person and provider is kept, for whoever looks why data are late.',
        body: SyncProgressBody,
        response: { 200: Success },
      },
    },
    async ({ scope, params, body }) => {
      await storeSyncProgress(scope, params, body)
      return { success: true }
    },
  )
}
