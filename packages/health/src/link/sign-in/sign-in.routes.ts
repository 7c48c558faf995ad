import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { SignIns } from '@salus/kernel/sign-in/sign-ins'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { LinkContext } from '../link.context.ts'
import * as schema from '../link.schema.ts'
import type { LinkAccess } from '../link-authentication.ts'
import {
  completeMfa,
  type FormOutcome,
  signInByEmail,
  signInWithPassword,
} from './form-sign-in.service.ts'
import { toLinkResponse } from './sign-in.presenter.ts'
import { outcomeOf } from './sign-in-outcome.ts'

const tags = ['Connections']
const linked = { takesLinkToken: true } as const
const config = { ...linked, appAccess: 'link_token' } as const
const response = { 200: schema.ProviderLinkResponse }
const description =
  'Returns the state of the sign-in. Every outcome has status 200, even a wrong password or link token.'

interface Attempt {
  provider: string
  baseUrl: string
  signIns: SignIns
}

type RunSignIn = ReturnType<typeof createSignInRunner>

/** Runs a sign-in with a form and sends its outcome. */
function createSignInRunner(context: LinkContext) {
  return async (
    request: FastifyRequest,
    provider: string,
    work: (access: LinkAccess, attempt: Attempt) => Promise<FormOutcome>,
  ): Promise<schema.ProviderLinkResponse> => {
    const { signIns } = request
    const attempt = { provider, baseUrl: baseUrlOf(request, context.config.baseUrl), signIns }
    const outcome = await outcomeOf(context, request, (access) => work(access, attempt))
    return toLinkResponse(request.link, provider, outcome)
  }
}

/** Registers sign-ins that need no browser; needs the hook that reads link tokens. */
export function registerFormRoutes(app: App, context: LinkContext): void {
  const answer = createSignInRunner(context)
  registerPasswordRoutes(app, context, answer)
  registerEmailRoute(app, context, answer)
  registerOldRoutes(app, context, answer)
}

function registerPasswordRoutes(app: App, context: LinkContext, answer: RunSignIn): void {
  const byPassword = Type.Object({ provider: schema.PasswordProvider })
  app.post(
    '/v2/link/provider/password/:provider',
    {
      config,
      schema: {
        operationId: 'connectByPassword',
        tags,
        summary: 'Connect with a password',
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
      config,
      schema: {
        operationId: 'completeMfa',
        tags,
        summary: 'Submit a verification code',
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
}

function registerEmailRoute(app: App, context: LinkContext, answer: RunSignIn): void {
  app.post(
    '/v2/link/provider/email/:provider',
    {
      config,
      schema: {
        operationId: 'connectByEmail',
        tags,
        summary: 'Connect with an email address',
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
}

/** Registers deprecated routes, whose responses have fewer fields. */
function registerOldRoutes(app: App, context: LinkContext, answer: RunSignIn): void {
  const toOldResult = async (answered: ReturnType<RunSignIn>) => {
    const { state, redirect_url } = await answered
    return { success: state === 'success', redirect_url: redirect_url ?? '' }
  }

  app.post(
    '/v2/link/auth',
    {
      config: linked,
      schema: {
        operationId: 'connectByPasswordOld',
        tags,
        summary: 'Connect with a password',
        description:
          'Signs the user in. Use the path with the provider instead, which also returns the error.',
        deprecated: true,
        body: schema.OldPasswordBody,
        'x-body-example': schema.OLD_PASSWORD_EXAMPLE,
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
      config: linked,
      schema: {
        operationId: 'connectByEmailOld',
        tags,
        summary: 'Connect with an email address',
        description:
          'Signs the user in. Use the path with the provider instead, which also returns the error.',
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
