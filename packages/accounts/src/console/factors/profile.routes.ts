import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type FindConsoleSession, getSession } from '../console-authentication.ts'
import { type FoundSession, setSecondFactor } from '../console-sessions.global.repository.ts'
import type { SignInContext } from '../sign-in.service.ts'
import type { ListedUserRow } from '../users/organization-users.global.repository.ts'
import {
  beginRegistration,
  finishRegistration,
  hasPasskeys,
  relyingPartyOf,
} from './passkeys.service.ts'
import {
  NewPasskey,
  Passkey,
  PasswordChange,
  Profile,
  RecoveryCodes,
  TotpCode,
  TotpSecret,
} from './profile.schema.ts'
import * as profile from './profile.service.ts'
import { beginTotp, confirmTotp, makeRecoveryCodes } from './second-factor.service.ts'
import { CreationOptions } from './web-authentication.schema.ts'

const tags = ['Console']
const url = '/v1/console/user'
const config = { takesConsoleSession: true } as const

/** Guesses at the present password, by someone who found a session open. */
const GUESSES = { most: 10, minutes: 15 }

/** Registers what the signed-in user sees and changes of themselves. */
export function registerProfileRoutes(
  app: App,
  context: SignInContext,
  findSession: FindConsoleSession,
): void {
  registerOwnUser(app, context, findSession)
  registerPasswordChange(app, context, findSession)
  const begin: Begin = async (request) => {
    const found = await getSession(request, findSession)
    const user = await profile.getUserOfSession(context.db, found)
    profile.requireRecentSignIn(context, found)
    return { found, user }
  }
  registerTotpRoutes(app, context, begin)
  registerRecovery(app, context, begin, findSession)
  registerPasskeyRoutes(app, context, begin)
  registerPasskeyRemoval(app, context, findSession)
}

function registerOwnUser(app: App, context: SignInContext, findSession: FindConsoleSession): void {
  const { baseUrl } = context.config
  app.get(
    url,
    {
      config,
      schema: {
        operationId: 'getConsoleUser',
        tags,
        summary: 'Get the signed-in user',
        description:
          'Returns the user of the session with their second factors. Returns 404 for the session of a management key.',
        response: { 200: Profile },
      },
    },
    async (request) => {
      const found = await getSession(request, findSession)
      return profile.getProfile(context.db, found, hasPasskeys(baseUrlOf(request, baseUrl)))
    },
  )
}

function registerPasswordChange(
  app: App,
  context: SignInContext,
  findSession: FindConsoleSession,
): void {
  app.put(
    `${url}/password`,
    {
      config,
      schema: {
        operationId: 'changeConsolePassword',
        tags,
        summary: 'Change the password of the signed-in user',
        description: 'Sets the password, and ends the other sessions of the user.',
        body: PasswordChange,
        'x-body-example': {
          current_password: 'the former long password',
          password: 'four unrelated words here',
        },
        response: { 200: Success },
      },
    },
    async (request) => {
      const found = await getSession(request, findSession)
      const guess = { of: `console password of key ${found.key.id}`, ...GUESSES }
      const takeBack = await request.signIns.begin([guess])
      await profile.changePassword(context, found, request.body)
      await takeBack()
      return { success: true }
    },
  )
}

/** Returns session and user of a request that changes second factors. */
type Begin = (request: FastifyRequest) => Promise<{ found: FoundSession; user: ListedUserRow }>

function registerTotpRoutes(app: App, context: SignInContext, begin: Begin): void {
  app.post(
    `${url}/totp`,
    {
      config,
      schema: {
        operationId: 'createConsoleTotp',
        tags,
        summary: 'Begin to set up an authenticator app',
        description:
          'Returns the secret for the app. Its codes are required after `confirmConsoleTotp`. The session must not be older than 15 minutes.',
        response: { 200: TotpSecret },
      },
    },
    async (request) => beginTotp(context, (await begin(request)).user),
  )
  app.post(
    `${url}/totp/confirm`,
    {
      config,
      schema: {
        operationId: 'confirmConsoleTotp',
        tags,
        summary: 'Confirm an authenticator app by its first code',
        description:
          'Requires codes of the app at each further sign-in with the password, and returns ten recovery codes.',
        body: TotpCode,
        'x-body-example': { code: '123456' },
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const { found, user } = await begin(request)
      const recovery_codes = await confirmTotp(context, user, request.body.code)
      await setSecondFactor(context.db, found.session.id)
      return { recovery_codes }
    },
  )
}

function registerRecovery(
  app: App,
  context: SignInContext,
  begin: Begin,
  findSession: FindConsoleSession,
): void {
  app.post(
    `${url}/recovery_codes`,
    {
      config,
      schema: {
        operationId: 'createConsoleRecoveryCodes',
        tags,
        summary: 'Replace the recovery codes',
        description: 'Returns ten new recovery codes. Earlier ones end.',
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const { user } = await begin(request)
      return { recovery_codes: await makeRecoveryCodes(context.db, user) }
    },
  )
  app.delete(
    `${url}/totp`,
    {
      config,
      schema: {
        operationId: 'removeConsoleTotp',
        tags,
        summary: 'Remove the authenticator app',
        description: 'Removes the app and its recovery codes.',
        response: { 200: Success },
      },
    },
    async (request) => {
      await profile.removeTotp(context, await getSession(request, findSession))
      return { success: true }
    },
  )
}

function registerPasskeyRoutes(app: App, context: SignInContext, begin: Begin): void {
  const partyOf = (request: FastifyRequest) =>
    relyingPartyOf(baseUrlOf(request, context.config.baseUrl))
  app.post(
    `${url}/passkey/challenge`,
    {
      config,
      schema: {
        operationId: 'createConsolePasskeyChallenge',
        tags,
        summary: 'Begin to add a passkey',
        description:
          'Returns what a browser needs to create a passkey. The session must not be older than 15 minutes.',
        response: { 200: CreationOptions },
      },
    },
    async (request) => {
      const { user } = await begin(request)
      return beginRegistration(context, user, partyOf(request))
    },
  )
  app.post(
    `${url}/passkey`,
    {
      config,
      schema: {
        operationId: 'createConsolePasskey',
        tags,
        summary: 'Add a passkey',
        description: 'Stores the passkey that the browser created for the last challenge.',
        body: NewPasskey,
        response: { 200: Passkey },
      },
    },
    async (request) => {
      const { found, user } = await begin(request)
      const passkey = await finishRegistration(context, user, partyOf(request), request.body)
      await setSecondFactor(context.db, found.session.id)
      return profile.toPasskey(passkey)
    },
  )
}

function registerPasskeyRemoval(
  app: App,
  context: SignInContext,
  findSession: FindConsoleSession,
): void {
  app.delete(
    `${url}/passkey/:passkey_id`,
    {
      config,
      schema: {
        operationId: 'removeConsolePasskey',
        tags,
        summary: 'Remove a passkey',
        description: 'Removes a passkey of the signed-in user.',
        params: Type.Object({ passkey_id: Uuid }),
        response: { 200: Success },
      },
    },
    async (request) => {
      const found = await getSession(request, findSession)
      await profile.removePasskey(context, found, request.params.passkey_id)
      return { success: true }
    },
  )
}
