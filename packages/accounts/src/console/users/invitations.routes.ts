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

/**
 * Registers what a person without an account does with an invitation. The code is in the body,
 * because addresses are logged on the way.
 */
export function registerInvitationRoutes(
  app: App,
  context: SignInContext,
  attempts: SignInAttempts,
): void {
  const { baseUrl } = context.config
  /** Counts a code that is not valid like a wrong key. */
  const watch = async <Result>(request: FastifyRequest, work: () => Promise<Result>) => {
    requireSameOrigin(request, baseUrl)
    const succeed = await attempts.beginAttempt(request.clientNetwork)
    const result = await request.signIns.watch('console', ['invalid_invitation'], work)
    await succeed()
    return result
  }
  const open = { tags: ['Console'], security: [] }
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
    (request) => {
      const serverUrl = baseUrlOf(request, baseUrl)
      const begin = () =>
        beginPasskeyOfInvitation(context, request.body.code, relyingPartyOf(serverUrl))
      return watch(request, begin)
    },
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
    (request) => {
      const serverUrl = baseUrlOf(request, baseUrl)
      return watch(request, () =>
        acceptWithPasskey(context, request.body, relyingPartyOf(serverUrl)),
      )
    },
  )
}
