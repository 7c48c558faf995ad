import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import type { LinkContext } from '../link.context.ts'
import { ConnectCallback, OAuthProvider, Source } from '../link.schema.ts'
import { getOpenLink, type LinkAuthentication, withLinkErrors } from '../link-authentication.ts'
import { LinkError } from '../link-errors.registry.ts'
import { redirectUrlOf } from '../redirect.ts'
import { bindBrowser, isSameBrowser } from './browser-nonce.ts'
import { completeOAuth, startOAuth } from './oauth.service.ts'
import { outcomeOf } from './sign-in-outcome.ts'

const tags = ['Connections']

/** Registers the start of OAuth sign-ins; needs the hook that reads link tokens. */
export function registerOAuthStart(app: App, context: LinkContext): void {
  app.get(
    '/v2/link/provider/oauth/:oauth_provider',
    {
      // GET starts a sign-in, so a HEAD request must not reach it.
      exposeHeadRoute: false,
      config: { takesLinkToken: true, appAccess: 'link_token', isRead: false },
      schema: {
        operationId: 'startOAuthLink',
        tags,
        summary: 'Start an OAuth sign-in',
        description:
          "Returns the URL of the provider's sign-in page. The provider redirects the user back to this server.",
        params: Type.Object({ oauth_provider: OAuthProvider }),
        querystring: Type.Object({
          region: Type.Optional(
            Type.String({
              description:
                'Region of the account, for a provider whose `form_components` have one. By default that of the deployment.',
            }),
          ),
        }),
        response: { 200: Source },
      },
    },
    (request, reply) => {
      const { oauth_provider: provider } = request.params
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const browser = bindBrowser(request, reply, baseUrl)
      const start = { provider, baseUrl, browser, wantedRegion: request.query.region }
      return withLinkErrors(() => startOAuth(request.scope, context, getOpenLink(request), start))
    },
  )
}

/** Registers the redirect URI of vendors. The state is the credential. */
export function registerOAuthCallback(
  app: App,
  context: LinkContext,
  authentication: LinkAuthentication,
): void {
  app.get(
    '/v2/link/connect/:provider',
    {
      exposeHeadRoute: false,
      // A redirect is valid for any Accept header of a browser or web view.
      config: { isRead: false, produces: ['text/html', 'application/json', '*/*'] },
      schema: {
        operationId: 'finishOAuthLink',
        tags,
        summary: 'Complete an OAuth sign-in',
        security: [],
        description:
          'Receives the redirect of the provider and redirects the user to the `redirect_url` of the link session with the outcome.',
        params: Type.Object({ provider: OAuthProvider }),
        querystring: ConnectCallback,
        response: { 307: Type.Null({ description: 'Redirect to the `redirect_url`.' }) },
      },
    },
    async (request, reply) => {
      const { state, ...callback } = request.query
      const { provider } = request.params
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      await authentication.read(request, state)
      const outcome = await outcomeOf(context, request, async (access) => {
        const isFrom = (browser: string | undefined) => isSameBrowser(request, baseUrl, browser)
        await completeOAuth(request.scope, context, access, { provider, baseUrl, callback, isFrom })
      })
      const session = request.link instanceof LinkError ? undefined : request.link.session
      const error = outcome instanceof LinkError ? outcome : undefined
      // Browsers heed the policy of a redirect, too, and would separate a pop-up from its opener.
      reply.header('cross-origin-opener-policy', 'unsafe-none')
      return reply.redirect(redirectUrlOf(session, { baseUrl, provider, error }), 307)
    },
  )
}
