import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import {
  EndedPortalSessions,
  PortalSessionList,
  PortalShare,
  PortalShareList,
  PortalUrl,
  PortalUrlCreate,
} from './portal.schema.ts'
import {
  createPortalUrl,
  endPortalSession,
  endPortalSessions,
  listPortalSessions,
} from './portal-sessions.service.ts'
import { listPortalShares, revokePortalShare } from './portal-shares.service.ts'

const tags = ['Portal']
const ByUserId = Type.Object({ user_id: Uuid })
const SESSIONS = '/v2/user/:user_id/portal_session'
const SHARES = '/v2/user/:user_id/portal_share'

/** Registers links to the page of a person, and the sessions and shares that a team may end. */
export function registerTeamPortalRoutes(
  app: App,
  { config }: { config: { baseUrl: string | undefined } },
): void {
  app.post(
    '/v2/user/:user_id/create_portal_url',
    {
      schema: {
        operationId: 'createPortalUrl',
        tags,
        summary: 'Create a link to the page of a user',
        description:
          'Returns a link that signs the user in to their page once. The page shows their connections, data and results, and lets them share, download and import data.',
        params: ByUserId,
        body: PortalUrlCreate,
        'x-body-example': { context: 'launch', language: 'de' },
        response: { 200: PortalUrl },
      },
    },
    (request) => {
      const baseUrl = baseUrlOf(request, config.baseUrl)
      return createPortalUrl(request.scope, request.params.user_id, request.body, baseUrl)
    },
  )
  registerSessionRoutes(app)
  registerShareRoutes(app)
}

function registerSessionRoutes(app: App): void {
  app.get(
    SESSIONS,
    {
      schema: {
        operationId: 'listPortalSessions',
        tags,
        summary: 'List the portal sessions of a user',
        description:
          'Returns unused links and sessions that have not ended, newest first. Sessions of shares have their id.',
        params: ByUserId,
        response: { 200: PortalSessionList },
      },
    },
    ({ scope, params }) => listPortalSessions(scope, params.user_id),
  )
  app.delete(
    SESSIONS,
    {
      schema: {
        operationId: 'endPortalSessions',
        tags,
        summary: 'End the portal sessions of a user',
        description: 'Ends unused links and sessions of the user at once. Shares stay.',
        params: ByUserId,
        response: { 200: EndedPortalSessions },
      },
    },
    ({ scope, params }) => endPortalSessions(scope, params.user_id),
  )
  app.delete(
    `${SESSIONS}/:portal_session_id`,
    {
      schema: {
        operationId: 'endPortalSession',
        tags,
        summary: 'End a portal session',
        description: 'Ends a link or a session at once.',
        params: Type.Object({ user_id: Uuid, portal_session_id: Uuid }),
        response: { 200: Success },
      },
    },
    async ({ scope, params }) => {
      await endPortalSession(scope, params.user_id, params.portal_session_id)
      return { success: true }
    },
  )
}

function registerShareRoutes(app: App): void {
  app.get(
    SHARES,
    {
      schema: {
        operationId: 'listPortalShares',
        tags,
        summary: 'List the shares of a user',
        description:
          'Returns the links by which the user shares data with others, also those that have ended, newest first.',
        params: ByUserId,
        response: { 200: PortalShareList },
      },
    },
    ({ scope, params }) => listPortalShares(scope, params.user_id),
  )
  app.delete(
    `${SHARES}/:share_id`,
    {
      schema: {
        operationId: 'revokePortalShare',
        tags,
        summary: 'Revoke a share of a user',
        description: 'Revokes the link at once. A share that was revoked before stays unchanged.',
        params: Type.Object({ user_id: Uuid, share_id: Uuid }),
        response: { 200: PortalShare },
      },
    },
    ({ scope, params }) => revokePortalShare(scope, params.user_id, params.share_id),
  )
}
