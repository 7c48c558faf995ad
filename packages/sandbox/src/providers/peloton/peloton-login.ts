import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { challengeOf } from '../oauth/authorize.ts'
import type { Grants } from '../oauth/grants.ts'
import { html, ROBOT_PAGE } from '../pages.ts'
import { RateLimit } from '../rate-limits.ts'
import type { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'

export const CLIENT_ID = 'WVoJxVDdPoFx4RNewvvg6ch2mZ7bwnsM'
const CALLBACK = 'https://members.onepeloton.com/callback'
const AUTH = 'https://auth.onepeloton.com'
const ORCA = 'https://auth-orca.onepeloton.com'
const STEP_MS = 15 * MINUTE_MS
const SCOPES = ['offline_access', 'openid', 'peloton-api.members:default']

/** Content of the state of a sign-in, of its token against forgery, and of its code. */
interface Step {
  id: string
  /** Epoch milliseconds. */
  expiresAt: number
  challenge: string
  state: string
  account?: string
}

const csrfOf = (step: Step): string => `csrf-${step.id}`

/** Pages and tokens of the vendor's service of sign-ins. */
export class PelotonLogin {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #sessions: Sessions
  readonly #wrongTries = new RateLimit(10, 600)

  constructor(context: VendorContext, grants: Grants, sessions: Sessions) {
    this.#context = context
    this.#grants = grants
    this.#sessions = sessions
  }

  register(app: FastifyInstance): void {
    app.get('/auth/authorize', (request, reply) => this.authorize(request, reply))
    app.get('/orca/start', (request, reply) => this.start(request, reply))
    app.get('/auth/login', (_request, reply) => sendHtml(reply, html`<p>Log in</p>`.text))
    app.post('/auth/usernamepassword/login', (request, reply) => this.password(request, reply))
    app.post('/auth/login/callback', (request, reply) => this.callback(request, reply))
    app.get('/auth/authorize/resume', (request, reply) => this.resume(request, reply))
    app.post('/auth/oauth/token', (request, reply) => this.token(request, reply))
    // The former sign-in, which the vendor closed.
    app.post('/api/auth/login', (_request, reply) =>
      reply.status(403).send({
        status: 403,
        message: 'Access forbidden. Endpoint no longer accepting requests.',
      }),
    )
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  #sign(step: Step): Promise<string> {
    return this.#context.tokens.sign('peloton step', step)
  }

  async #read(text: unknown): Promise<Step | undefined> {
    const token = typeof text === 'string' ? text : ''
    const step = await this.#context.tokens.read<Step>('peloton step', token)
    return step !== undefined && step.expiresAt > this.#now() ? step : undefined
  }

  async authorize(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = request.query as Record<string, string | undefined>
    const isKnown =
      query.client_id === CLIENT_ID &&
      query.redirect_uri === CALLBACK &&
      query.code_challenge_method === 'S256'
    if (!isKnown || !query.code_challenge) return reply.status(400).send('invalid_request')
    const step: Step = {
      id: randomUUID(),
      expiresAt: this.#now() + STEP_MS,
      challenge: query.code_challenge,
      state: query.state ?? '',
    }
    reply.header('set-cookie', [
      `auth0=${step.id}; Path=/; Secure; HttpOnly`,
      `_csrf=${csrfOf(step)}; Path=/usernamepassword/login; Secure; HttpOnly`,
    ])
    return reply.redirect(`${ORCA}/start?state=${encodeURIComponent(await this.#sign(step))}`)
  }

  /** A part of the sign-in at another host, which only sends the browser back. */
  async start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { state = '' } = request.query as { state?: string }
    reply.header('set-cookie', 'orca=1; Path=/; Secure')
    return reply.redirect(`${AUTH}/login?state=${encodeURIComponent(state)}&protocol=oauth2`)
  }

  async password(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const body = (request.body ?? {}) as Record<string, unknown>
    const step = await this.#read(body.state)
    const cookies = String(request.headers.cookie ?? '')
    const isGenuine =
      step !== undefined && body._csrf === csrfOf(step) && cookies.includes(csrfOf(step))
    if (!isGenuine) return reply.status(403).send({ code: 'invalid_csrf', statusCode: 403 })
    const account = String(body.username ?? '')
    const outcome = await this.#sessions.outcomeOf(account, String(body.password ?? ''))
    if (outcome === 'down') return reply.status(503).send({ statusCode: 503 })
    if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
    if (outcome !== 'signed_in') {
      const { isAllowed } = this.#wrongTries.take(account, this.#now())
      const [status, code] =
        isAllowed && outcome !== 'locked'
          ? [401, 'invalid_user_password']
          : [429, 'too_many_attempts']
      return reply.status(status as number).send({ name: 'ValidationError', code })
    }
    const wresult = await this.#sign({ ...step, account })
    const context = JSON.stringify({ strategy: 'auth0', state: 'a&b' })
    const form = html`<form method="post" name="hiddenform" action="${AUTH}/login/callback">
<input type="hidden" name="wa" value="wsignin1.0">
<input type="hidden" name="wresult" value="${wresult}">
<input type="hidden" name="wctx" value="${context}">
<noscript><input type="submit" value="Submit"></noscript></form>`
    return sendHtml(reply, form.text)
  }

  async callback(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = (request.body ?? {}) as Record<string, string | undefined>
    const step = await this.#read(form.wresult)
    const isWhole = form.wa === 'wsignin1.0' && parseState(form.wctx) === 'a&b'
    if (step?.account === undefined || !isWhole) return reply.status(400).send('invalid_request')
    const state = encodeURIComponent(form.wresult ?? '')
    return reply.redirect(`${AUTH}/authorize/resume?state=${state}`)
  }

  async resume(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { state } = request.query as { state?: string }
    const step = await this.#read(state)
    const hasCookie = String(request.headers.cookie ?? '').includes(`auth0=${step?.id}`)
    if (step?.account === undefined || !hasCookie) return reply.status(400).send('invalid_request')
    const back = new URLSearchParams({ code: state ?? '', state: step.state })
    return reply.redirect(`${CALLBACK}?${back}`)
  }

  async token(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = (request.body ?? {}) as Record<string, string | undefined>
    const refuse = (status: number, error: string) => reply.status(status).send({ error })
    if (form.client_id !== CLIENT_ID) return refuse(401, 'invalid_client')
    if (form.grant_type === 'refresh_token') {
      const tokens = await this.#grants.refresh(form.refresh_token ?? '', CLIENT_ID)
      return tokens === undefined ? refuse(403, 'invalid_grant') : reply.send(tokens)
    }
    const step = await this.#read(form.code)
    const isRight =
      step?.account !== undefined &&
      form.redirect_uri === CALLBACK &&
      challengeOf(form.code_verifier ?? '') === step.challenge
    const isFirst =
      isRight && (await this.#context.state.add(keyOf('peloton code', step.id), true, STEP_MS))
    if (!isFirst || step?.account === undefined) return refuse(403, 'invalid_grant')
    const { tokens } = await this.#grants.make(step.account, CLIENT_ID, SCOPES)
    return reply.send(tokens)
  }
}

function parseState(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '').state
  } catch {
    return undefined
  }
}

const sendHtml = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(`<!doctype html><html><body>${body}</body></html>`)
