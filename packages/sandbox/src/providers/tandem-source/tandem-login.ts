import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { challengeOf } from '../oauth/authorize.ts'
import { ROBOT_PAGE } from '../pages.ts'
import type { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { accountIdOf, pumperIdOf } from './pump.ts'

/** Clients and addresses of the websites of both regions. */
const CLIENTS: Readonly<Record<string, string>> = {
  '0oa27ho9tpZE9Arjy4h7': 'https://sso.tandemdiabetes.com/auth/callback',
  '1519e414-eeec-492e-8c5e-97bea4815a10': 'https://source.eu.tandemdiabetes.com/authorize/callback',
}
const COOKIE = 'tandem_accounts'
const STEP_MS = HOUR_MS

interface Web {
  account: string
  expiresAt: number
}
interface Code extends Web {
  id: string
  challenge: string
  clientId: string
}

/** The website's service of accounts. */
export class TandemLogin {
  readonly #context: VendorContext
  readonly #sessions: Sessions

  constructor(context: VendorContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  register(app: FastifyInstance): void {
    app.get('/sso/', (_request, reply) =>
      reply
        .header('set-cookie', 'tandem_sso=1; Path=/; Secure; HttpOnly')
        .type('text/html')
        .send('<!doctype html><html><body>Sign in</body></html>'),
    )
    const accounts = '/accounts/accounts/api'
    app.post(`${accounts}/login`, (request, reply) => this.login(request, reply))
    app.get(`${accounts}/connect/authorize`, (request, reply) => this.authorize(request, reply))
    app.post(`${accounts}/connect/token`, (request, reply) => this.token(request, reply))
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  async login(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { username, password } = (request.body ?? {}) as Record<string, unknown>
    const outcome = await this.#sessions.outcomeOf(String(username ?? ''), String(password ?? ''))
    if (outcome === 'down') return reply.status(503).send('Service Unavailable')
    if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
    if (outcome === 'locked') return reply.send({ status: 'LOCKED_OUT' })
    if (outcome === 'expired') return reply.send({ status: 'PASSWORD_EXPIRED' })
    if (outcome === 'elsewhere') return reply.status(401).send('Unauthorized')
    if (outcome !== 'signed_in') return reply.send({ status: 'AUTHENTICATION_FAILED' })
    const web: Web = { account: String(username), expiresAt: this.#now() + STEP_MS }
    const cookie = await this.#context.tokens.sign('tandem web', web)
    return reply
      .header('set-cookie', `${COOKIE}=${cookie}; Path=/accounts; Secure; HttpOnly`)
      .send({ redirectUrl: '/', status: 'SUCCESS' })
  }

  async authorize(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = request.query as Record<string, string | undefined>
    const callback = CLIENTS[query.client_id ?? '']
    const isKnown = callback !== undefined && query.redirect_uri === callback
    if (!isKnown || query.code_challenge_method !== 'S256' || !query.code_challenge) {
      return reply.status(400).send('invalid_request')
    }
    const pattern = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`)
    const cookie = pattern.exec(String(request.headers.cookie ?? ''))?.[1] ?? ''
    const web = await this.#context.tokens.read<Web>('tandem web', cookie)
    if (web === undefined || web.expiresAt <= this.#now()) {
      return reply.redirect('https://sso.tandemdiabetes.com/')
    }
    const code: Code = {
      ...web,
      id: randomUUID(),
      challenge: query.code_challenge,
      clientId: query.client_id ?? '',
    }
    const text = await this.#context.tokens.sign('tandem code', code)
    return reply.redirect(`${callback}?${new URLSearchParams({ code: text })}`)
  }

  async token(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = (request.body ?? {}) as Record<string, string | undefined>
    const code = await this.#context.tokens.read<Code>('tandem code', form.code ?? '')
    const isRight =
      code !== undefined &&
      form.grant_type === 'authorization_code' &&
      form.client_id === code.clientId &&
      form.redirect_uri === CLIENTS[code.clientId] &&
      challengeOf(form.code_verifier ?? '') === code.challenge
    const isFirst =
      isRight && (await this.#context.state.add(keyOf('tandem code', code.id), true, STEP_MS))
    if (!isFirst || code === undefined) return reply.status(400).send({ error: 'invalid_grant' })
    const { token, expiresAt } = await this.#sessions.open(code.account)
    const calendar = this.#context.calendarOf(code.account)
    const claims = { pumperId: pumperIdOf(calendar), accountId: accountIdOf(calendar) }
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    return reply.send({
      access_token: token,
      id_token: `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`,
      expires_in: Math.floor((expiresAt - this.#now()) / 1000),
      token_type: 'Bearer',
    })
  }
}
