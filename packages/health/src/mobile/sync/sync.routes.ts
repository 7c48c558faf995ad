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

/** Registers the synchronization routes of mobile clients beside uploads. */
export function registerSyncRoutes(app: App): void {
  app.post(
    '/v2/user/:user_id/sdk_sync_state/:provider',
    {
      config,
      schema: {
        operationId: 'getSdkSyncState',
        ...common,
        summary: 'Get the synchronization state of a device',
        description:
          "Returns whether the device may synchronize, the time range and the interval until the next request. The time zone of the device becomes the user's fallback time zone, unless one was set explicitly.",
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
        summary: 'Start the historical upload of a resource',
        description:
          'Marks the history of the resource as in progress until an upload is its final chunk.',
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
        summary: 'Report the synchronization progress of a device',
        description:
          'Stores the latest report of each user and provider, for diagnosing delayed data.',
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
