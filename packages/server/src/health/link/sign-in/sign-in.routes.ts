import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../../platform/http/app-types.ts'
import { baseUrlOf } from '../../../platform/http/base-url.ts'
import type { LinkContext } from '../link.context.ts'
import * as schema from '../link.schema.ts'
import { getOpenLink, type LinkAccess } from '../link-authentication.ts'
import { LinkError } from '../link-errors.registry.ts'
import { findLinkSession } from '../link-sessions.global.repository.ts'
import {
  completeMfa,
  type FormOutcome,
  signInByEmail,
  signInWithPassword,
} from './form-sign-in.service.ts'
import { toLinkResponse } from './sign-in.presenter.ts'

const tags = ['Connections']
const response = { 200: schema.ProviderLinkResponse }
const description =
  'Every outcome is answered with 200 and a state, also that of a wrong password or link token.'

/** Signs a person in with a form; what goes wrong is an outcome. */
export async function outcomeOf<Result>(
  { db }: LinkContext,
  request: FastifyRequest,
  work: (access: LinkAccess) => Promise<Result>,
): Promise<Result | LinkError> {
  try {
    return await work(getOpenLink(request))
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    if (request.link instanceof LinkError) return error
    // Of two sign-ins at once the later one fails for one reason or another; this is the true one.
    const now = await findLinkSession(db, request.link.session.id)
    return now?.state === 'consumed' ? new LinkError('token_consumed') : error
  }
}

export function registerFormRoutes(app: App, context: LinkContext): void {
  const answer = async (
    request: FastifyRequest,
    provider: string,
    work: (
      access: LinkAccess,
      attempt: { provider: string; baseUrl: string },
    ) => Promise<FormOutcome>,
  ) => {
    const attempt = { provider, baseUrl: baseUrlOf(request, context.config.baseUrl) }
    const outcome = await outcomeOf(context, request, (access) => work(access, attempt))
    return toLinkResponse(request.link, attempt, outcome)
  }
  const byPassword = Type.Object({ provider: schema.PasswordProvider })

  app.post(
    '/v2/link/provider/password/:provider',
    {
      schema: {
        tags,
        summary: 'Connect with a user name and a password',
        description,
        params: byPassword,
        body: schema.PasswordBody,
        response,
      },
    },
    (request) =>
      answer(request, request.params.provider, (access, attempt) =>
        signInWithPassword(request.scope, context, access, attempt, request.body),
      ),
  )

  app.post(
    '/v2/link/provider/password/:provider/complete_mfa',
    {
      schema: {
        tags,
        summary: 'Connect with the code that the provider sent',
        description,
        params: byPassword,
        body: schema.MfaBody,
        response,
      },
    },
    (request) =>
      answer(request, request.params.provider, (access, attempt) =>
        completeMfa(request.scope, context, access, attempt, request.body.mfa_code),
      ),
  )

  app.post(
    '/v2/link/provider/email/:provider',
    {
      schema: {
        tags,
        summary: 'Connect by an e-mail address',
        description,
        params: Type.Object({ provider: schema.EmailProvider }),
        body: schema.EmailBody,
        response,
      },
    },
    (request) =>
      answer(request, request.params.provider, (access, attempt) =>
        signInByEmail(request.scope, context, access, attempt, request.body),
      ),
  )

  const toOldResult = async (answered: ReturnType<typeof answer>) => {
    const { state, redirect_url } = await answered
    return { success: state === 'success', redirect_url: redirect_url ?? '' }
  }

  app.post(
    '/v2/link/auth',
    {
      schema: {
        tags,
        summary: 'Connect with a user name and a password',
        description: 'Use the path with the provider, which also tells what went wrong.',
        deprecated: true,
        body: schema.OldPasswordBody,
        response: { 200: schema.OldSignInResult },
      },
    },
    (request) =>
      toOldResult(
        answer(request, request.body.provider, (access, attempt) =>
          signInWithPassword(request.scope, context, access, attempt, request.body),
        ),
      ),
  )

  app.post(
    '/v2/link/auth/email',
    {
      schema: {
        tags,
        summary: 'Connect by an e-mail address',
        description: 'Use the path with the provider, which also tells what went wrong.',
        deprecated: true,
        body: schema.OldEmailBody,
        response: { 200: schema.OldSignInResult },
      },
    },
    (request) =>
      toOldResult(
        answer(request, request.body.provider, (access, attempt) =>
          signInByEmail(request.scope, context, access, attempt, request.body),
        ),
      ),
  )
}
