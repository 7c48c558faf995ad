import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RIGHT_CODE, ROBOT_PAGE } from '../pages.ts'
import { seedOf, uuidAt } from '../people/noise.ts'
import { traitsOf } from '../people/person.ts'
import { RateLimit } from '../rate-limits.ts'
import type { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'

/** Content of a ticket that is only valid for continuing a sign-in. */
interface StepContent {
  id: string
  account: string
  /** Epoch milliseconds. */
  expiresAt: number
}

const STEP_MS = 15 * MINUTE_MS
const MOST_TRIES = 5
/** A region that is not served. */
const UNSERVED_REGION = 'xx'

export const bearerOf = (request: FastifyRequest): string =>
  /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''

export const userIdOf = (account: string): string => uuidAt(seedOf(`libreview id/${account}`), 0)

/** Returns a ticket as answers show it. */
export function ticketOf(token: string, expiresAt: number, now: number) {
  return { token, expires: Math.floor(expiresAt / 1000), duration: expiresAt - now }
}

/** Returns the person as answers show it. */
export function userOf(account: string, { calendarOf, clock }: VendorContext) {
  const { person } = calendarOf(account)
  const [name = ''] = account.split(/[@+]/)
  const year = clock.now().getUTCFullYear() - person.age
  return {
    id: userIdOf(account),
    firstName: name,
    lastName: 'Sandbox',
    email: account.includes('@') ? account : `${encodeURIComponent(account)}@example.com`,
    country: person.homeZone.startsWith('Europe/') ? 'DE' : 'US',
    uiLanguage: 'en-US',
    communicationLanguage: 'en-US',
    accountType: 'pat',
    uom: '1',
    dateFormat: '1',
    timeFormat: '1',
    dateOfBirth: Date.UTC(year, person.seed % 12, 1 + (person.seed % 28)) / 1000,
  }
}

const hintsOf = (account: string) => ({
  primaryMethod: 'phone',
  primaryValue: '•••-•••-0142',
  secondaryMethod: 'email',
  secondaryValue: `${account.slice(0, 1)}•••@example.com`,
})

type Body = Record<string, unknown>

const bodyOf = (request: FastifyRequest): Body =>
  typeof request.body === 'object' && request.body !== null ? (request.body as Body) : {}

/** Registers the sign-in, which needs a code where the password requires it. */
export function registerLogin(
  app: FastifyInstance,
  context: VendorContext,
  sessions: Sessions,
): void {
  const login = new Login(context, sessions)
  app.post('/:host/llu/auth/login', (request, reply) => login.signIn(request, reply))
  app.post('/:host/auth/login', (request, reply) => login.signIn(request, reply))
  app.post('/:host/auth/continue/2fa/sendcode', (request, reply) => login.sendCode(request, reply))
  app.post('/:host/auth/continue/2fa/result', (request, reply) => login.takeCode(request, reply))
}

class Login {
  readonly #context: VendorContext
  readonly #sessions: Sessions
  readonly #wrongTries = new RateLimit(10, 60)

  constructor(context: VendorContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { email, password } = bodyOf(request)
    const { host } = request.params as { host: string }
    const account = typeof email === 'string' ? email.trim() : ''
    const { faults } = this.#context
    const [trouble] = await faults.find(account, 'token')
    const outcome = trouble ? 'down' : await this.#sessions.outcomeOf(account, String(password))
    if (outcome === 'down') return reply.status(503).type('text/plain').send('Service Unavailable')
    if (outcome === 'wrong') return this.#refuse(reply, account)
    if (outcome === 'elsewhere') return redirect(reply, UNSERVED_REGION)
    if (host === 'api' && traitsOf(account).has('eu')) return redirect(reply, 'eu')
    if (outcome === 'code') return this.#askCode(reply, account)
    if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
    if (outcome === 'locked') return lock(reply, LOCKOUT_SECONDS)
    const step = STEPS[outcome]
    if (step !== undefined) {
      const authTicket = await this.#stepTicket(account)
      return reply.send({ status: 4, data: { step: { ...step, props: {} }, authTicket } })
    }
    return this.#welcome(reply, account, outcome === 'unshared')
  }

  #refuse(reply: FastifyReply, account: string): FastifyReply {
    const { isAllowed, resetSeconds } = this.#wrongTries.take(account, this.#now())
    if (isAllowed) return reply.send({ status: 2, error: { message: 'notAuthenticated' } })
    return lock(reply, resetSeconds)
  }

  /** @param isAlone Whether no one shares with the account from then on. */
  async #welcome(
    reply: FastifyReply,
    account: string,
    isAlone: boolean = false,
  ): Promise<FastifyReply> {
    await this.#context.state.update(aloneKey(account), () => isAlone || undefined)
    const { token, expiresAt } = await this.#sessions.open(account)
    const authTicket = ticketOf(token, expiresAt, this.#now())
    const user = userOf(account, this.#context)
    return reply.send({ status: 0, data: { user, authTicket, invitations: null } })
  }

  async #askCode(reply: FastifyReply, account: string): Promise<FastifyReply> {
    const step = { type: '2faVerify', componentName: 'TwoFactorVerify', props: hintsOf(account) }
    const user = { id: userIdOf(account) }
    const authTicket = await this.#stepTicket(account)
    return reply.send({ status: 0, data: { step, user, authTicket } })
  }

  async #stepTicket(account: string, id: string = randomUUID()) {
    const expiresAt = this.#now() + STEP_MS
    const content: StepContent = { id, account, expiresAt }
    const token = await this.#context.tokens.sign('libreview step', content)
    return ticketOf(token, expiresAt, this.#now())
  }

  /** Returns the step of a ticket, unless it has expired or had too many tries. */
  async #readStep(request: FastifyRequest): Promise<StepContent | undefined> {
    const { tokens, state } = this.#context
    const step = await tokens.read<StepContent>('libreview step', bearerOf(request))
    if (step === undefined || step.expiresAt <= this.#now()) return undefined
    const tries = (await state.get<number>(keyOf('step', step.id))) ?? 0
    return tries < MOST_TRIES ? step : undefined
  }

  async sendCode(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const step = await this.#readStep(request)
    if (step === undefined) return refuseTicket(reply)
    const ticket = await this.#stepTicket(step.account, step.id)
    return reply.send({ status: 0, data: null, ticket })
  }

  async takeCode(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const step = await this.#readStep(request)
    if (step === undefined) return refuseTicket(reply)
    const isRight = String(bodyOf(request).code ?? '').trim() === RIGHT_CODE
    // A correct code also ends the step.
    const count = (tries = 0): number => tries + (isRight ? MOST_TRIES : 1)
    await this.#context.state.update<number>(keyOf('step', step.id), count, STEP_MS)
    if (isRight) return this.#welcome(reply, step.account)
    return reply.send({ status: 2, error: { message: 'invalidCode' } })
  }
}

/** What only the person can do, in the app. */
const STEPS: Readonly<Record<string, { type: string; componentName: string }>> = {
  expired: { type: 'passwordExpired', componentName: 'ResetPassword' },
  consent: { type: 'tou', componentName: 'AcceptDocument' },
}

const LOCKOUT_SECONDS = 300

/** Key of the state of an account with which no one shares. */
export const aloneKey = (account: string): string => keyOf('libreview alone', account)

/** The vendor sends some of these with HTTP 200. */
const lock = (reply: FastifyReply, lockout: number): FastifyReply =>
  reply.status(lockout === LOCKOUT_SECONDS ? 200 : 429).send({
    status: 429,
    data: { code: 60, data: { failures: 3, interval: 60, lockout }, message: 'locked' },
  })

const redirect = (reply: FastifyReply, region: string): FastifyReply =>
  reply.send({ status: 0, data: { redirect: true, region } })

export const refuseTicket = (reply: FastifyReply): FastifyReply =>
  reply.status(401).send({ message: 'MissingCachedUser' })
