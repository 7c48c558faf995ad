import type { UserParts } from '@salus/accounts/users'
import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import {
  createExport,
  EXPORT_FILE_RESPONSE,
  type ExportParts,
  listExports,
  openExport,
  PersonExport,
  PersonExportCreate,
  PersonExportList,
  sendExport,
} from '../exports/index.ts'
import { requestOwnErasure, withdrawErasureRequest } from './erasure-requests.service.ts'
import {
  NewPortalShare,
  PortalErasureRequest,
  PortalShare,
  PortalShareCreate,
  PortalShareList,
} from './portal.schema.ts'
import { createShare, listPortalShares, revokePortalShare } from './portal-shares.service.ts'

const tags = ['Portal']
const config = { portalAccess: 'person' } as const

interface RightsContext extends ExportParts {
  config: { baseUrl: string | undefined }
  userParts: UserParts
}

/** Registers shares, exports and the request of an erasure, for the person of the session. */
export function registerPortalRightsRoutes(app: App, context: RightsContext): void {
  registerShares(app, context)
  registerExports(app, context)
  registerErasureRequests(app, context)
}

function registerShares(app: App, context: RightsContext): void {
  const url = '/me/share'
  app.get(
    url,
    {
      config,
      schema: {
        operationId: 'listOwnPortalShares',
        tags,
        summary: 'List the shares of the person',
        description: 'Returns the links of the person, also those that have ended, newest first.',
        response: { 200: PortalShareList },
      },
    },
    ({ portal: { scope, session } }) => listPortalShares(scope, session.user_id),
  )
  app.post(
    url,
    {
      config,
      schema: {
        operationId: 'createPortalShare',
        tags,
        summary: 'Share data of the person',
        description:
          'Creates a link by which another person can read some kinds of data until it ends.',
        body: PortalShareCreate,
        'x-body-example': { label: 'Dr. Weber', kinds: ['heart', 'results'], expires_in_days: 30 },
        response: { 200: NewPortalShare },
      },
    },
    (request) => {
      const { scope, session } = request.portal
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      return createShare(scope, session.user_id, request.body, baseUrl)
    },
  )
  app.delete(
    `${url}/:share_id`,
    {
      config,
      schema: {
        operationId: 'revokeOwnPortalShare',
        tags,
        summary: 'Revoke a share of the person',
        description: 'Revokes the link at once.',
        params: Type.Object({ share_id: Uuid }),
        response: { 200: PortalShare },
      },
    },
    ({ portal: { scope, session }, params }) =>
      revokePortalShare(scope, session.user_id, params.share_id),
  )
}

function registerExports(app: App, context: RightsContext): void {
  const url = '/me/export'
  app.get(
    url,
    {
      config,
      schema: {
        operationId: 'listPortalExports',
        tags,
        summary: 'List the exports of the person',
        description: 'Returns the exports that have not expired, the newest first.',
        response: { 200: PersonExportList },
      },
    },
    ({ portal: { scope, session } }) => listExports(scope, session.user_id),
  )
  app.post(
    url,
    {
      config,
      schema: {
        operationId: 'createPortalExport',
        tags,
        summary: 'Export all data of the person',
        description: 'Creates one ZIP archive in the background. It expires after a week.',
        body: PersonExportCreate,
        'x-body-example': { format: 'csv' },
        response: { 200: PersonExport },
      },
    },
    ({ portal: { scope, session }, body }) => createExport(scope, session.user_id, body.format),
  )
  app.get(
    `${url}/:export_id/download`,
    {
      config,
      schema: {
        operationId: 'downloadPortalExport',
        tags,
        summary: 'Download an export of the person',
        description: 'Returns the archive of a completed export.',
        params: Type.Object({ export_id: Uuid }),
        response: EXPORT_FILE_RESPONSE,
      },
    },
    async ({ portal: { scope, session }, params }, reply) =>
      sendExport(reply, await openExport(scope, context, session.user_id, params.export_id)),
  )
}

function registerErasureRequests(app: App, { userParts }: RightsContext): void {
  const url = '/me/erasure_request'
  app.post(
    url,
    {
      config,
      schema: {
        operationId: 'requestErasureFromPortal',
        tags,
        summary: 'Request the erasure of all data of the person',
        description:
          'Opens a task of the team, or schedules the erasure where the team has set `portal_erasure_at_once`.',
        response: { 200: PortalErasureRequest },
      },
    },
    ({ portal: { scope, session } }) => requestOwnErasure(scope, userParts, session.user_id),
  )
  app.delete(
    url,
    {
      config,
      schema: {
        operationId: 'withdrawErasureRequest',
        tags,
        summary: 'Withdraw the request of an erasure',
        description: 'Cancels the task. An erasure that was scheduled cannot be withdrawn.',
        response: { 200: Success },
      },
    },
    async ({ portal: { scope, session } }) => {
      await withdrawErasureRequest(scope, session.user_id)
      return { success: true }
    },
  )
}
