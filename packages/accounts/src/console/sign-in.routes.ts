import type { ErrorType } from '@salus/kernel/errors.registry'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import { ConsoleSession, ConsoleSignIn } from './console.schema.ts'
import { describeSession, startSession } from './console-sessions.service.ts'
import { readDeviceCookie, setDeviceCookie } from './factors/device-cookie.ts'
import { beginPasskeySignIn, relyingPartyOf } from './factors/passkeys.service.ts'
import { RequestOptions } from './factors/web-authentication.schema.ts'
import { requireSameOrigin } from './same-origin.ts'
import { readSessionCookie, setSessionCookie } from './session-cookie.ts'
import { findProof, type SignInContext } from './sign-in.service.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'

const tags = ['Console']

/** Errors that are guesses. */
const GUESSES: readonly ErrorType[] = [
  'invalid_api_key',
  'invalid_code',
  'invalid_credentials',
  'invalid_second_factor',
  'invalid_passkey',
]
/** Errors after the right password, which are no guesses. */
const QUESTIONS: readonly ErrorType[] = ['second_factor_required', 'organization_required']

/** Registers the sign-in, and the challenge that a passkey signs for it. */
export function registerSignInRoutes(
  app: App,
  context: SignInContext,
  attempts: SignInAttempts,
): void {
  app.post(
    '/v1/console/session',
    {
      schema: {
        operationId: 'signInToConsole',
        tags,
        security: [],
        summary: 'Sign in to the console',
        description:
          'Starts a session and sets its cookie, which the management API accepts instead of the key. Every request with the cookie needs the header `x-salus-console: 1`, and so does this one. Users of an organization sign in with `email` and `password`, or with `passkey`.',
        body: ConsoleSignIn,
        'x-body-example': { management_key: 'mg_4Qq9vT2mXc7LwZ1bR8sKd3NfHj6YpUa5' },
        response: { 200: ConsoleSession },
      },
    },
    async (request, reply) => {
      const { body, signIns, clientNetwork: network } = request
      const { config } = context
      requireSameOrigin(request, config.baseUrl)
      const asker = { signIns, network, device: readDeviceCookie(request, context) }
      const serverUrl = baseUrlOf(request, config.baseUrl)
      const prove = () => findProof(context, body, asker, serverUrl)
      const proof = await attempts.count(network, QUESTIONS, () =>
        signIns.watch('console', GUESSES, prove),
      )
      const started = await startSession(context, proof, readSessionCookie(request, config))
      setSessionCookie(request, reply, config, started)
      if (proof.way === 'password' && proof.user) setDeviceCookie(reply, context, proof.user.id)
      return describeSession(context.db, started)
    },
  )
  registerPasskeyChallenge(app, context)
}

/** Challenges that one address may ask for in a minute. */
const CHALLENGES_A_MINUTE = 30

function registerPasskeyChallenge(app: App, context: SignInContext): void {
  app.post(
    '/v1/console/passkey_challenge',
    {
      onRequest: limitByAddress({ clock: context.clock, perMinute: CHALLENGES_A_MINUTE }),
      schema: {
        operationId: 'createPasskeyChallenge',
        tags,
        security: [],
        summary: 'Begin a sign-in with a passkey',
        description:
          'Returns what a browser needs to sign in with a passkey. The challenge is valid once, for five minutes; `signInToConsole` takes the answer.',
        response: { 200: RequestOptions },
      },
    },
    (request) => {
      const serverUrl = baseUrlOf(request, context.config.baseUrl)
      requireSameOrigin(request, context.config.baseUrl)
      return beginPasskeySignIn(context, relyingPartyOf(serverUrl))
    },
  )
}
