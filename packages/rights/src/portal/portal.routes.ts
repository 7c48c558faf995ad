import type { UserParts } from '@salus/accounts/users'
import { PROVIDER_SLUGS } from '@salus/contracts/providers'
import { Success, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { endConnection, ProviderConnections, showConnections } from '@salus/health/connections'
import { createLinkToken, type LinkContext, type LinkTokenBody } from '@salus/health/link'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { keepSecret } from '@salus/kernel/http/compression'
import Type from 'typebox'
import type { ExportParts } from '../exports/index.ts'
import * as schema from './portal.schema.ts'
import { readPortalAccessLog } from './portal-access-log.service.ts'
import {
  clearPortalCookie,
  kindsOf,
  registerPortalAuthentication,
  signInToPortal,
} from './portal-authentication.ts'
import { readPortalData } from './portal-data.service.ts'
import { registerPortalFileRoutes } from './portal-files.routes.ts'
import { readPortalDocument, readPortalResults } from './portal-results.service.ts'
import { registerPortalRightsRoutes } from './portal-rights.routes.ts'
import { endOwnSession, openPortalSession, toPortalAccess } from './portal-sessions.service.ts'

const tags = ['Portal']
const ofPerson = { portalAccess: 'person' } as const

interface PortalContext extends LinkContext, ExportParts {
  config: LinkContext['config'] & { importMaxBytes: number }
  userParts: UserParts
}

/**
 * Registers what the page of a person requests, by the cookie of its session. No route names the
 * person: it is always that of the session (docs/contract/22-portal.md).
 */
export async function registerPortalRoutes(app: App, context: PortalContext): Promise<void> {
  keepSecret(app)
  registerPortalAuthentication(app, context)
  registerSession(app, context)
  registerOwnSession(app, context)
  registerConnections(app, context)
  registerDisconnection(app)
  registerData(app, context)
  registerResults(app, context.files)
  registerAccessLog(app)
  registerPortalRightsRoutes(app, context)
  await app.register((files: App) => registerPortalFileRoutes(files, context))
}

function registerSession(app: App, context: PortalContext): void {
  app.post(
    '/me/session',
    {
      schema: {
        operationId: 'openPortalSession',
        tags,
        security: [],
        summary: 'Open the page of a person',
        description:
          'Starts a session and sets its cookie: of the person by the code of a link, which works once, or of a share by its secret. Every request of the page needs the header `x-salus-portal: 1`.',
        body: schema.PortalSignIn,
        'x-body-example': { code: 'pl_4Qq9vT2mXc7LwZ1bR8sKd3NfHj6YpUa5eGx0oWiBtDM' },
        response: { 200: schema.PortalAccess },
      },
    },
    async (request, reply) => {
      const opened = await request.signIns.watch(
        'portal_link',
        ['invalid_code'],
        () => openPortalSession({ ...context, log: request.log }, request.body.code),
        true,
      )
      signInToPortal(request, reply, context.config, opened)
      return toPortalAccess(opened)
    },
  )
}

function registerOwnSession(app: App, context: PortalContext): void {
  const url = '/me/session'
  app.get(
    url,
    {
      config: { portalAccess: 'any' },
      schema: {
        operationId: 'getPortalAccess',
        tags,
        summary: 'Get the session of the page',
        description: 'Returns the team, the language and what the session shows.',
        response: { 200: schema.PortalAccess },
      },
    },
    ({ portal }) => toPortalAccess(portal),
  )
  app.delete(
    url,
    {
      config: { portalAccess: 'any' },
      schema: {
        operationId: 'closePortalSession',
        tags,
        summary: 'Sign out of the page',
        description: 'Ends the session. The page needs a new link.',
        response: { 200: Success },
      },
    },
    async ({ portal }, reply) => {
      await endOwnSession(portal)
      clearPortalCookie(reply, context.config)
      return { success: true }
    },
  )
}

function registerConnections(app: App, context: PortalContext): void {
  const url = '/me/connection'
  app.get(
    url,
    {
      config: ofPerson,
      schema: {
        operationId: 'listPortalConnections',
        tags,
        summary: 'List the connections of the person',
        description: 'Returns the connections of the person of the session with their states.',
        response: { 200: ProviderConnections },
      },
    },
    async (request) => {
      const { scope, session } = request.portal
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const views = { baseUrl, scopesOf: context.scopesOf }
      return { providers: await showConnections(scope, session.user_id, views) }
    },
  )
  app.post(
    url,
    {
      config: ofPerson,
      schema: {
        operationId: 'connectFromPortal',
        tags,
        summary: 'Connect an account of the person',
        description:
          'Creates a link session for the person, and returns the address of its link page.',
        body: schema.PortalLinkCreate,
        'x-body-example': { provider: 'oura' },
        response: { 200: schema.PortalLink },
      },
    },
    async (request) => {
      const { scope, session } = request.portal
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const { provider } = request.body
      const wanted = { user_id: session.user_id, redirect_url: `${baseUrl}/me` }
      const link = { ...wanted, ...(provider && { provider }) } as LinkTokenBody
      const { link_web_url } = await createLinkToken(scope, context, link, baseUrl)
      return { link_web_url }
    },
  )
}

function registerDisconnection(app: App): void {
  app.delete(
    '/me/connection/:provider',
    {
      config: ofPerson,
      schema: {
        operationId: 'disconnectFromPortal',
        tags,
        summary: 'Disconnect an account of the person',
        description: 'Ends the connection. The data that it brought are kept.',
        params: Type.Object({ provider: TextEnum(PROVIDER_SLUGS) }),
        response: { 200: Success },
      },
    },
    async ({ portal: { scope, session }, params }) => {
      await endConnection(scope, session.user_id, params.provider)
      return { success: true }
    },
  )
}

function registerData(app: App, { config }: PortalContext): void {
  app.get(
    '/me/data',
    {
      config: { portalAccess: 'shared' },
      schema: {
        operationId: 'getPortalData',
        tags,
        summary: 'Get the data of the page',
        description: 'Returns a value for each of the last 30 days, of the usual series and sleep.',
        response: { 200: schema.PortalData },
      },
    },
    (request) => {
      const { portal } = request
      const shown = { kinds: kindsOf(portal), baseUrl: baseUrlOf(request, config.baseUrl) }
      return readPortalData(portal.scope, portal.session.user_id, shown)
    },
  )
}

function registerResults(app: App, files: FileStore): void {
  app.get(
    '/me/result',
    {
      config: { portalAccess: 'laboratory' },
      schema: {
        operationId: 'listPortalResults',
        tags,
        summary: 'List the laboratory results of the page',
        description:
          'Returns the results of orders and lab reports, newest first. Results that wait for a review are not among them.',
        response: { 200: schema.PortalResults },
      },
    },
    ({ portal: { scope, session } }) => readPortalResults(scope, session.user_id),
  )
  app.get(
    '/me/result/:order_id/pdf',
    {
      config: { portalAccess: 'laboratory' },
      schema: {
        operationId: 'getPortalDocument',
        tags,
        summary: 'Download the PDF of a result',
        description: 'Returns the document of the laboratory.',
        params: Type.Object({ order_id: Uuid }),
        response: {
          200: {
            description: 'PDF.',
            content: {
              'application/pdf': {
                schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
              },
            },
          },
        },
      },
    },
    async ({ portal: { scope, session }, params }, reply) => {
      const pdf = await readPortalDocument(scope, files, session.user_id, params.order_id)
      reply.type('application/pdf')
      reply.header('content-disposition', `attachment; filename="${pdf.name}"`)
      return reply.send(pdf.content)
    },
  )
}

function registerAccessLog(app: App): void {
  app.get(
    '/me/access_log',
    {
      config: ofPerson,
      schema: {
        operationId: 'getPortalAccessLog',
        tags,
        summary: 'Get who read or changed data of the person',
        description: 'Returns entries of the audit log about the person, joined by day.',
        response: { 200: schema.PortalAccessLog },
      },
    },
    ({ portal: { scope, session } }) =>
      readPortalAccessLog(scope, session.user_id, app.describeAccess),
  )
}
