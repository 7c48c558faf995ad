import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requireAvailable } from './available-providers.ts'
import { registerBulkRoutes } from './bulk/bulk.routes.ts'
import { registerCatalogueRoute } from './catalogue.routes.ts'
import { allowOrigins } from './cross-origin.ts'
import { registerDemoRoute } from './demo/demo.routes.ts'
import type { LinkContext } from './link.context.ts'
import * as schema from './link.schema.ts'
import {
  createLinkToken,
  getLinkConfig,
  listLinkSources,
  startLinkSession,
  toLinkState,
} from './link.service.ts'
import {
  createLinkAuthentication,
  getLinkAccess,
  getOpenLink,
  type LinkAuthentication,
  withLinkErrors,
} from './link-authentication.ts'
import { continueLink } from './link-continuation.service.ts'
import { registerOAuthCallback, registerOAuthStart } from './sign-in/oauth.routes.ts'
import { registerFormRoutes } from './sign-in/sign-in.routes.ts'

const tags = ['Connections']
const config = { takesLinkToken: true } as const

/** Registers the routes for teams; needs the hook that reads team keys. */
export function registerTeamLinkRoutes(app: App, context: LinkContext): void {
  registerCatalogueRoute(app, context)
  registerDemoRoute(app, context)
  registerBulkRoutes(app, context)
  app.post(
    '/v2/link/token',
    {
      config: { appAccess: 'body' },
      schema: {
        operationId: 'createLinkToken',
        tags,
        summary: 'Create a link token',
        description:
          'Creates a link session and returns its token. The token is valid for one connection of one user, for one hour.',
        body: schema.LinkTokenBody,
        response: { 200: schema.LinkToken },
      },
    },
    (request) =>
      createLinkToken(
        request.scope,
        context,
        request.body,
        baseUrlOf(request, context.config.baseUrl),
      ),
  )
}

/**
 * Registers the routes for link tokens.
 * @param authenticateCaller The hook of other credentials, which a request may have beside a link
 *   token.
 */
export function registerLinkRoutes(
  app: App,
  context: LinkContext,
  authenticateCaller: (request: FastifyRequest) => Promise<void>,
): void {
  app.decorateRequest('appUserId', null)
  const authentication = createLinkAuthentication(context, authenticateCaller)
  registerOAuthCallback(app, context, authentication)
  app.register(async (shared: App) => {
    allowOrigins(shared, context)
    registerTokenCheck(shared, authentication)
    registerStart(shared, context, authentication)
    registerContinuation(shared, context, authentication)
    await shared.register(async (held: App) => {
      held.addHook('onRequest', authentication.readHeader)
      registerOAuthStart(held, context)
      registerFormRoutes(held, context)
      registerSessionRoutes(held, context)
    })
  })
}

function registerTokenCheck(app: App, authentication: LinkAuthentication): void {
  app.post(
    '/v2/link/token/isValid',
    {
      config: { isRead: true },
      schema: {
        operationId: 'checkLinkToken',
        tags,
        summary: 'Check a link token',
        description:
          'Returns whether the link token is valid. Responds with 401 to an expired or used token.',
        security: [],
        deprecated: true,
        body: schema.LinkTokenCheck,
        'x-body-example': { token: EXAMPLE_IDS.linkToken },
        response: { 200: schema.LinkTokenValidity },
      },
    },
    async (request) => {
      await authentication.read(request, request.body.token)
      return withLinkErrors(() => {
        getOpenLink(request)
        return { is_valid: true }
      })
    },
  )
}

function registerStart(app: App, context: LinkContext, authentication: LinkAuthentication): void {
  app.post(
    '/v2/link/start',
    {
      schema: {
        operationId: 'startLink',
        tags,
        summary: 'Start a link session with a provider',
        description: 'Selects the provider of the link session. The sign-in routes do the same.',
        security: [],
        deprecated: true,
        body: schema.LinkStart,
        'x-body-example': { link_token: EXAMPLE_IDS.linkToken, provider: 'oura' },
        response: { 200: schema.StartedLink },
      },
    },
    async (request) => {
      const { link_token: token, provider } = request.body
      await authentication.read(request, token)
      return withLinkErrors(async () => {
        const access = getOpenLink(request)
        requireAvailable(request.scope, context, provider)
        await startLinkSession(request.scope, access, provider)
        return { token }
      })
    },
  )
}

/** Registers the route that goes on after a connection. The continuation is the credential. */
function registerContinuation(
  app: App,
  context: LinkContext,
  authentication: LinkAuthentication,
): void {
  app.post(
    '/v2/link/token/continue',
    {
      schema: {
        operationId: 'continueLink',
        tags,
        summary: 'Continue after a connection',
        description:
          'Returns a further link token for the same user, after the first one has connected an account. Both expire at the same time.',
        security: [],
        body: schema.LinkContinuation,
        'x-body-example': { continuation: EXAMPLE_IDS.linkContinuation },
        response: { 200: schema.LinkToken },
      },
    },
    async (request) => {
      await authentication.read(request, request.body.continuation, 'continuation')
      return withLinkErrors(() => {
        const baseUrl = baseUrlOf(request, context.config.baseUrl)
        return continueLink(request.scope, context, getLinkAccess(request), baseUrl)
      })
    },
  )
}

function registerSessionRoutes(app: App, context: LinkContext): void {
  app.get(
    '/v2/link/providers',
    {
      config,
      schema: {
        operationId: 'listLinkProviders',
        tags,
        summary: 'List the providers of a link session',
        description:
          'Returns the cloud providers that the user can sign in to, by name, with the fields of each sign-in form.',
        response: { 200: Type.Array(schema.SourceLink) },
      },
    },
    (request) =>
      withLinkErrors(() => {
        getOpenLink(request)
        const baseUrl = baseUrlOf(request, context.config.baseUrl)
        return listLinkSources(request.scope, context, baseUrl)
      }),
  )
  app.get(
    '/v2/link/state',
    {
      config,
      schema: {
        operationId: 'getLinkState',
        tags,
        summary: 'Get the state of a link session',
        description: 'Returns the state of the sign-in, also after it has ended.',
        deprecated: true,
        response: { 200: schema.LinkSessionState },
      },
    },
    (request) => withLinkErrors(() => toLinkState(request.scope, getLinkAccess(request))),
  )
  registerConfigRoute(app, context)
}

function registerConfigRoute(app: App, context: LinkContext): void {
  app.get(
    '/v2/team/link/config',
    {
      config,
      schema: {
        operationId: 'getLinkConfig',
        tags,
        summary: 'Get the link page configuration',
        description:
          'Returns the team that receives access, the providers to choose from, and those that are connected already.',
        querystring: schema.LinkConfigQuery,
        response: { 200: schema.LinkConfig },
      },
    },
    (request) =>
      withLinkErrors(() => {
        const baseUrl = baseUrlOf(request, context.config.baseUrl)
        const { opener } = request.query
        return getLinkConfig(request.scope, context, getOpenLink(request), { baseUrl, opener })
      }),
  )
}
