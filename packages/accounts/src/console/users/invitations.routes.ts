import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import { relyingPartyOf } from '../factors/passkeys.service.ts'
import { CreationOptions } from '../factors/web-authentication.schema.ts'
import { requireSameOrigin } from '../same-origin.ts'
import type { SignInContext } from '../sign-in.service.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import {
  acceptInvitation,
  acceptWithPasskey,
  beginPasskeyOfInvitation,
  describeInvitation,
} from './invitations.service.ts'
import {
  InvitationAcceptance,
  InvitationCode,
  InvitationDetails,
  InvitationPasskey,
} from './organization-users.schema.ts'

const url = '/v1/console/invitation'
const EXAMPLE_CODE = 'iv_7Vn2kT9mXc4LwZ1bR8sKd3NfHj6YpUa5'
const open = { tags: ['Console'], security: [] }

/** Counts a code that is not valid like a wrong key. */
type Watch = <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>

/**
 * Registers what a person without an account does with an invitation. The code is in the body,
 * because addresses are logged on the way.
 */
export function registerInvitationRoutes(
  app: App,
  context: SignInContext,
  attempts: SignInAttempts,
): void {
  const watch: Watch = (request, work) => {
    requireSameOrigin(request, context.config.baseUrl)
    const codes = ['invalid_invitation'] as const
    // A password that is refused comes after a right code.
    return attempts.count(request.clientNetwork, ['validation_error'], () =>
      request.signIns.watch('console', codes, work),
    )
  }
  registerPasswordAcceptance(app, context, watch)
  registerPasskeyAcceptance(app, context, watch)
}

function registerPasswordAcceptance(app: App, context: SignInContext, watch: Watch): void {
  app.post(
    url,
    {
      config: { isRead: true },
      schema: {
        ...open,
        operationId: 'getConsoleInvitation',
        summary: 'Get an invitation by its code',
        description: 'Returns whom the invitation is for. The code stays valid.',
        body: InvitationCode,
        'x-body-example': { code: EXAMPLE_CODE },
        response: { 200: InvitationDetails },
      },
    },
    (request) => watch(request, () => describeInvitation(context, request.body.code)),
  )
  app.post(
    `${url}/accept`,
    {
      schema: {
        ...open,
        operationId: 'acceptConsoleInvitation',
        summary: 'Accept an invitation with a password',
        description:
          'Sets the password of the user, who can sign in with it. The code is valid once. Earlier sessions of the user end; a second factor stays.',
        body: InvitationAcceptance,
        'x-body-example': { code: EXAMPLE_CODE, password: 'four unrelated words here' },
        response: { 200: Success },
      },
    },
    (request) => watch(request, () => acceptInvitation(context, request.body)),
  )
}

function registerPasskeyAcceptance(app: App, context: SignInContext, watch: Watch): void {
  const partyOf = (request: FastifyRequest) =>
    relyingPartyOf(baseUrlOf(request, context.config.baseUrl))
  app.post(
    `${url}/passkey_challenge`,
    {
      schema: {
        ...open,
        operationId: 'createInvitationPasskeyChallenge',
        summary: 'Begin to accept an invitation with a passkey',
        description: 'Returns what a browser needs to create a passkey. The code stays valid.',
        body: InvitationCode,
        'x-body-example': { code: EXAMPLE_CODE },
        response: { 200: CreationOptions },
      },
    },
    (request) =>
      watch(request, () => beginPasskeyOfInvitation(context, request.body.code, partyOf(request))),
  )
  app.post(
    `${url}/accept_with_passkey`,
    {
      schema: {
        ...open,
        operationId: 'acceptConsoleInvitationWithPasskey',
        summary: 'Accept an invitation with a passkey',
        description:
          'Stores the passkey of the user, who can sign in with it. The code is valid once.',
        body: InvitationPasskey,
        response: { 200: Success },
      },
    },
    (request) => watch(request, () => acceptWithPasskey(context, request.body, partyOf(request))),
  )
}
