import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { keyOf } from '../state/state.ts'
import type { TokenAnswer, VendorContext } from '../vendor.ts'
import { type CodeContent, challengeOf } from './authorize.ts'
import type { Grants } from './grants.ts'

type Form = Record<string, string | undefined>

interface Client {
  id: string
  secret: string
}

/** Client id of the app that exists without registration. */
const BUILT_IN = 'sandbox'

/**
 * Apps are not registered with emulators: any id works with any secret except an empty one and
 * `wrong`, so that this can be tested, and `sandbox` with its own secret only.
 */
export function isKnownClient(
  { clientSecret }: Pick<VendorContext, 'clientSecret'>,
  { id, secret }: Client,
): boolean {
  if (id === BUILT_IN) return secret === clientSecret()
  return id !== '' && secret !== '' && secret !== 'wrong'
}

/** Reads the client from HTTP Basic, or from the body (RFC 6749, 2.3.1). */
function clientOf(request: FastifyRequest, form: Form): Client {
  const [kind = '', text = ''] = (request.headers.authorization ?? '').split(' ')
  if (kind.toLowerCase() !== 'basic') {
    return { id: form.client_id ?? '', secret: form.client_secret ?? '' }
  }
  const [id = '', ...secret] = Buffer.from(text, 'base64').toString().split(':')
  const given = new URLSearchParams(`id=${id}&secret=${secret.join(':')}`)
  return { id: given.get('id') ?? '', secret: given.get('secret') ?? '' }
}

/** Returns a function that answers with an error of OAuth (RFC 6749, 5.2). */
const refusalIn =
  ({
    errorStatus,
    toVendorError = (error, error_description) => ({ error, error_description }),
  }: Pick<TokenOptions, 'errorStatus' | 'toVendorError'>) =>
  (reply: FastifyReply, error: string, description: string, status = 400): FastifyReply =>
    reply
      .status(errorStatus ?? status)
      .header('cache-control', 'no-store')
      .send(toVendorError(error, description))

export interface TokenOptions {
  path: string
  /** Endpoint of RFC 7009; absent where the vendor has none. */
  revokePath?: string
  grants: Grants
  /** Returns a good answer in the form of the vendor. */
  toVendorAnswer?: (answer: TokenAnswer, grant: { account: string; type: string }) => object
  /** Returns an error of OAuth in the form of the vendor. */
  toVendorError?: (error: string, description: string) => object
  /** HTTP status of every error, where the vendor has one. */
  errorStatus?: number
}

/** Registers the endpoint where apps exchange codes and refresh tokens for tokens. */
export function registerToken(
  app: FastifyInstance,
  context: VendorContext,
  { path, revokePath, grants, toVendorAnswer, ...errors }: TokenOptions,
): void {
  const refuse = refusalIn(errors)
  const refusals: Refusals = {
    rateLimited: (reply, seconds) =>
      refuse(reply.header('retry-after', seconds), 'slow_down', 'Too many requests.', 429),
    failed: (reply, status) => refuse(reply, 'server_error', 'Something went wrong.', status),
    unauthorized: (reply) => refuse(reply, 'invalid_client', 'The client is unknown.', 401),
  }
  app.post(path, async (request, reply) => {
    const form = (request.body ?? {}) as Form
    const client = clientOf(request, form)
    if (!isKnownClient(context, client)) {
      return refuse(reply, 'invalid_client', 'The client, or its secret, is wrong.', 401)
    }
    const exchange = EXCHANGES[form.grant_type ?? '']
    if (exchange === undefined) {
      return refuse(reply, 'unsupported_grant_type', 'The grant type is not supported.')
    }
    const { account, take } = await exchange({ context, grants, form, client })
    // A failure here has used up nothing.
    const faults = account === undefined ? [] : await context.faults.find(account, 'token')
    const fails = faults.some(({ kind }) => kind !== 'slow')
    const answer = fails ? undefined : await take()
    if (!fails && answer === undefined) {
      return refuse(reply, 'invalid_grant', 'The code or token is invalid, expired or used.')
    }
    const type = form.grant_type ?? ''
    const shown = answer && toVendorAnswer?.(answer, { account: account ?? '', type })
    return sendJson(reply.header('cache-control', 'no-store'), faults, refusals, () =>
      JSON.stringify(shown ?? answer ?? {}),
    )
  })
  if (revokePath === undefined) return
  app.post(revokePath, async (request, reply) => {
    const form = { ...(request.query as Form), ...((request.body ?? {}) as Form) }
    await grants.revoke(form.token ?? form.access_token ?? '')
    return reply.send({})
  })
  app.get(revokePath, async (request, reply) => {
    const { token, access_token } = request.query as Form
    await grants.revoke(token ?? access_token ?? '')
    return reply.send({})
  })
}

interface Exchange {
  context: VendorContext
  grants: Grants
  form: Form
  client: Client
}

interface Exchanged {
  account: string | undefined
  take: () => Promise<TokenAnswer | undefined>
}

const EXCHANGES: Record<string, (exchange: Exchange) => Promise<Exchanged>> = {
  async authorization_code(exchange) {
    const { context, form } = exchange
    const code = await context.tokens.read<CodeContent>(`${context.slug} code`, form.code ?? '')
    return { account: code?.account, take: async () => code && takeCode(exchange, code) }
  },
  async refresh_token({ grants, form, client }) {
    const token = form.refresh_token ?? ''
    return {
      account: await grants.accountOf(token),
      take: () => grants.refresh(token, client.id),
    }
  },
}

async function takeCode(
  { context, grants, form, client }: Exchange,
  code: CodeContent,
): Promise<TokenAnswer | undefined> {
  const left = code.expiresAt - context.clock.now().getTime()
  if (left <= 0 || code.clientId !== client.id) return undefined
  if (code.redirectUri !== form.redirect_uri) return undefined
  if (code.challenge !== undefined && challengeOf(form.code_verifier ?? '') !== code.challenge) {
    return undefined
  }
  const key = keyOf('code', code.id)
  const { id, tokens } = await grants.make(code.account, client.id, code.scopes)
  if (await context.state.add(key, id, left)) return tokens
  // Someone else has the code too, so its tokens cannot be trusted (RFC 6749, 4.1.2).
  await grants.remove(code.account, id)
  const first = await context.state.get<string>(key)
  if (first !== undefined) await grants.remove(code.account, first)
  return undefined
}
