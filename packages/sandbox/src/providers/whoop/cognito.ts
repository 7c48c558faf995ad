import { randomUUID } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RIGHT_CODE, ROBOT_PAGE } from '../pages.ts'
import { traitsOf } from '../people/person.ts'
import { RateLimit } from '../rate-limits.ts'
import type { Sessions } from '../sessions.ts'
import type { VendorContext } from '../vendor.ts'

/** The sign-in of WHOOP: Amazon Cognito behind an address of the vendor. */

export const ACCESS_SECONDS = 86_400
const REFRESH_MS = 30 * DAY_MS
const STEP_MS = 3 * MINUTE_MS
/** After so many wrong passwords in a quarter of an hour the account is locked. */
const MOST_WRONG = 5

const TARGET = 'AWSCognitoIdentityProviderService.'

interface Content {
  account: string
  /** Epoch milliseconds. */
  at: number
}
/** A refresh token, which ends when the password changes. */
interface Refresh extends Content {
  isAfterChange: boolean
}
interface Step extends Content {
  challenge: string
  /** Two sign-ins at the same time are different. */
  id: string
}

type Body = Readonly<Record<string, unknown>>
const textsOf = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? (given as Body) : {}
const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')

const refuse = (reply: FastifyReply, type: string, message: string): FastifyReply =>
  reply
    .status(400)
    .type('application/x-amz-json-1.1')
    .send(JSON.stringify({ __type: `com.amazonaws.cognito#${type}`, message }))

/** How an account gets its codes, by an option of its name. */
function challengeOf(account: string): string {
  const traits = traitsOf(account)
  if (traits.has('totp')) return 'SOFTWARE_TOKEN_MFA'
  return traits.has('mail') ? 'EMAIL_OTP' : 'SMS_MFA'
}

export class Cognito {
  readonly #context: VendorContext
  readonly #sessions: Sessions
  readonly #wrong = new RateLimit(MOST_WRONG, 900)

  constructor(context: VendorContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply {
    const target = textOf(request.headers['x-amz-target'])
    const body = textsOf(request.body)
    if (target === `${TARGET}RespondToAuthChallenge`) return this.#takeCode(body, reply)
    if (target !== `${TARGET}InitiateAuth`) {
      return refuse(reply, 'UnknownOperationException', 'Unknown operation.')
    }
    const given = textsOf(body.AuthParameters)
    if (body.AuthFlow === 'REFRESH_TOKEN_AUTH') return this.#refresh(reply, given)
    if (body.AuthFlow === 'USER_PASSWORD_AUTH') return this.#signIn(reply, given)
    return refuse(reply, 'InvalidParameterException', 'Auth flow not enabled.')
  }

  async #signIn(reply: FastifyReply, given: Body): Promise<FastifyReply> {
    const account = textOf(given.USERNAME).trim()
    const trouble = await this.#context.faults.find(account, 'token')
    const isDown = trouble.some(({ kind }) => kind === 'unavailable')
    const password = textOf(given.PASSWORD)
    const outcome = isDown ? 'down' : await this.#sessions.outcomeOf(account, password)
    if (outcome === 'down') return reply.status(503).type('text/plain').send('Service Unavailable')
    if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
    if (outcome === 'expired') {
      return refuse(reply, 'PasswordResetRequiredException', 'Password reset required.')
    }
    // A step that only the app can do.
    if (outcome === 'consent') return this.#send(reply, { ChallengeName: 'MFA_SETUP', Session: '' })
    if (outcome === 'code') return this.#askCode(reply, account)
    if (outcome !== 'signed_in') {
      const { isAllowed } = this.#wrong.take(account, this.#now())
      const message =
        isAllowed && outcome !== 'locked'
          ? 'Incorrect username or password.'
          : 'Password attempts exceeded'
      return refuse(reply, 'NotAuthorizedException', message)
    }
    return this.#welcome(reply, account)
  }

  async #askCode(reply: FastifyReply, account: string): Promise<FastifyReply> {
    const challenge = challengeOf(account)
    const step: Step = { account, at: this.#now(), challenge, id: randomUUID() }
    const medium = { SMS_MFA: 'SMS', EMAIL_OTP: 'EMAIL' }[challenge]
    const target = medium === 'SMS' ? '+•••••••0142' : `${account.slice(0, 1)}•••@example.com`
    return this.#send(reply, {
      ChallengeName: challenge,
      Session: await this.#context.tokens.sign('whoop step', step),
      ChallengeParameters: {
        USER_ID_FOR_SRP: account,
        ...(medium && {
          CODE_DELIVERY_DELIVERY_MEDIUM: medium,
          CODE_DELIVERY_DESTINATION: target,
        }),
      },
    })
  }

  async #takeCode(body: Body, reply: FastifyReply): Promise<FastifyReply> {
    const step = await this.#context.tokens.read<Step>('whoop step', textOf(body.Session))
    if (step === undefined || step.at + STEP_MS <= this.#now()) {
      return refuse(
        reply,
        'NotAuthorizedException',
        'Invalid session for the user, session is expired.',
      )
    }
    const { challenge, account } = step
    const responses = textsOf(body.ChallengeResponses)
    if (body.ChallengeName !== challenge || responses.USERNAME !== account) {
      return refuse(reply, 'InvalidParameterException', 'Missing required parameter.')
    }
    if (textOf(responses[`${challenge}_CODE`]).trim() !== RIGHT_CODE) {
      return refuse(reply, 'CodeMismatchException', 'Invalid code received for user')
    }
    return this.#welcome(reply, account)
  }

  async #refresh(reply: FastifyReply, given: Body): Promise<FastifyReply> {
    const { tokens } = this.#context
    const content = await tokens.read<Refresh>('whoop refresh', textOf(given.REFRESH_TOKEN))
    const isOver = content === undefined || content.at + REFRESH_MS <= this.#now()
    if (isOver || (await this.#sessions.isClosed(content.account)) !== content.isAfterChange) {
      return refuse(reply, 'NotAuthorizedException', 'Invalid Refresh Token')
    }
    // No refresh token again: the former one stays.
    return this.#send(reply, { AuthenticationResult: await this.#resultOf(content.account) })
  }

  async #welcome(reply: FastifyReply, account: string): Promise<FastifyReply> {
    const isAfterChange = await this.#sessions.isClosed(account)
    const content: Refresh = { account, at: this.#now(), isAfterChange }
    const refresh = await this.#context.tokens.sign('whoop refresh', content)
    const result = { ...(await this.#resultOf(account)), RefreshToken: refresh }
    return this.#send(reply, { AuthenticationResult: result, ChallengeParameters: {} })
  }

  async #resultOf(account: string) {
    const { token } = await this.#sessions.open(account)
    return { AccessToken: token, IdToken: token, ExpiresIn: ACCESS_SECONDS, TokenType: 'Bearer' }
  }

  #send(reply: FastifyReply, answer: object): FastifyReply {
    return reply.type('application/x-amz-json-1.1').send(JSON.stringify(answer))
  }
}
