import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import { bitsAt, seedOf } from '../people/noise.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { listSubscribedAccounts, pushWithings, registerNotify, unlink } from './notify.ts'
import { truth } from './truth.ts'
import { type Form, refuse, registerServices } from './withings-api.ts'

const SCOPES: readonly Scope[] = [
  { name: 'user.info', meaning: 'The account and its devices' },
  { name: 'user.metrics', meaning: 'Weight, blood pressure, temperature and oxygen' },
  { name: 'user.activity', meaning: 'Activity, sleep and the heart' },
  { name: 'user.sleepevents', meaning: 'When you go to bed' },
]

const ACCESS_SECONDS = 10_800

const accountIdOf = (account: string): string =>
  String(bitsAt(seedOf(`withings id/${account}`), 0) % 100_000_000)

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

/** Errors of tokens, by the names of OAuth. */
const ERRORS: Readonly<Record<string, readonly [status: number, text: string]>> = {
  invalid_client: [503, 'Invalid Params: invalid client_secret'],
  invalid_grant: [503, 'Invalid Params: invalid code or refresh_token'],
  slow_down: [601, 'Too Many Requests'],
  server_error: [522, 'Timeout'],
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, {
    path: '/account/oauth2_user/authorize2',
    scopes: SCOPES,
    scopeSeparator: ',',
  })
  app.register(async (scope) => {
    scope.addHook('preHandler', async (request, reply) => {
      const { action } = (request.body ?? {}) as Form
      if (action !== 'requesttoken') return refuse(reply, 2554, 'Wrong action')
    })
    registerToken(scope, context, {
      path: '/api/v2/oauth2',
      grants,
      errorStatus: 200,
      toVendorAnswer: ({ scope: scopes, ...tokens }, { account }) => ({
        status: 0,
        body: {
          userid: accountIdOf(account),
          ...tokens,
          token_type: 'Bearer',
          scope: scopes.replaceAll(' ', ','),
        },
      }),
      toVendorError(error) {
        const [status, text] = ERRORS[error] ?? [503, 'Invalid Params']
        return { status, body: {}, error: text }
      },
    })
  })
  const { ask } = registerServices(app, context, grants)
  registerNotify(app, context, ask)
}

/** Withings public API (https://developer.withings.com/api-reference). */
export const withings: Vendor = {
  slug: 'withings',
  name: 'Withings',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => unlink(context, account, accountIdOf(account)),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: {
    accounts: listSubscribedAccounts,
    send: (context, account, span) => pushWithings(context, account, span, accountIdOf(account)),
  },
}
