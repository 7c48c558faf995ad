import { randomBytes, randomUUID } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isKnownClient } from '../oauth/token.ts'
import { utcText } from '../people/local-time.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { OURA_COLLECTIONS, type OuraCollection } from './record-id.ts'

export interface Subscription {
  id: string
  callback_url: string
  event_type: string
  data_type: string
  expiration_time: string
  clientId: string
  clientSecret: string
}

const EVENT_TYPES = ['create', 'update', 'delete']
/** Names of the collections in messages: one has another name than its path. */
export const DATA_TYPES = new Map<string, OuraCollection>(
  OURA_COLLECTIONS.map((name) => [name === 'vO2_max' ? 'vo2_max' : name, name]),
)
/** Duration of a subscription, which can be renewed. */
const SUBSCRIPTION_MS = 90 * DAY_MS
/** Time limit of messages, and of challenges of addresses. */
export const PUSH_TIMEOUT_MS = 10_000

const shown = ({ clientId: _id, clientSecret: _secret, ...subscription }: Subscription) =>
  subscription

/** Registers the endpoints with which apps subscribe to messages. */
export function registerSubscriptions(app: FastifyInstance, context: VendorContext): void {
  const subscriptions = new Subscriptions(context)
  const base = '/api/v2/webhook/subscription'
  const routes = [
    ['GET', base, 'list'],
    ['POST', base, 'create'],
    ['GET', `${base}/:id`, 'get'],
    ['PUT', `${base}/:id`, 'change'],
    ['DELETE', `${base}/:id`, 'remove'],
    ['PUT', `${base}/renew/:id`, 'renew'],
  ] as const
  for (const [method, url, action] of routes) {
    app.route({
      method,
      url,
      async handler(request, reply) {
        const id = String(request.headers['x-client-id'] ?? '')
        const secret = String(request.headers['x-client-secret'] ?? '')
        if (!isKnownClient(context, { id, secret })) {
          return refuse(reply, 401, 'The client, or its secret, is wrong.')
        }
        return subscriptions[action](request, reply, { id, secret })
      },
    })
  }
}

function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.status(status).send({ status, title: 'Error', detail })
}

interface Client {
  id: string
  secret: string
}

class Subscriptions {
  readonly #context: VendorContext

  constructor(context: VendorContext) {
    this.#context = context
  }

  async list(_request: FastifyRequest, reply: FastifyReply, client: Client): Promise<FastifyReply> {
    return reply.send((await subscriptionsOf(this.#context, client.id)).map(shown))
  }

  async create(
    request: FastifyRequest,
    reply: FastifyReply,
    client: Client,
  ): Promise<FastifyReply> {
    const body = (request.body ?? {}) as Record<string, unknown>
    const problem = problemOf(body)
    if (problem !== undefined) {
      return reply
        .status(422)
        .send({ detail: [{ loc: ['body', problem], msg: 'invalid', type: 'value_error' }] })
    }
    const given = body as Record<string, string>
    const all = await subscriptionsOf(this.#context, client.id)
    const isTaken = all.some(
      ({ data_type, event_type, callback_url }) =>
        data_type === given.data_type &&
        event_type === given.event_type &&
        callback_url === given.callback_url,
    )
    if (isTaken) return refuse(reply, 409, 'There is a subscription of this kind already.')
    if (!(await this.#isTheirs(given.callback_url ?? '', given.verification_token ?? ''))) {
      return refuse(reply, 400, 'The callback URL did not answer the challenge.')
    }
    const subscription: Subscription = {
      id: randomUUID(),
      callback_url: given.callback_url ?? '',
      event_type: given.event_type ?? '',
      data_type: given.data_type ?? '',
      expiration_time: this.#expiration(),
      clientId: client.id,
      clientSecret: client.secret,
    }
    await this.#store(subscription)
    return reply.status(201).send(shown(subscription))
  }

  async get(request: FastifyRequest, reply: FastifyReply, client: Client): Promise<FastifyReply> {
    const found = await this.#find(request, client)
    return found === undefined ? refuse(reply, 404, 'Not found.') : reply.send(shown(found))
  }

  async change(
    request: FastifyRequest,
    reply: FastifyReply,
    client: Client,
  ): Promise<FastifyReply> {
    const found = await this.#find(request, client)
    if (found === undefined) return refuse(reply, 404, 'Not found.')
    const given = (request.body ?? {}) as Record<string, string>
    const body = { ...found, ...given, verification_token: given.verification_token ?? '' }
    const problem = problemOf(body)
    if (problem !== undefined) return refuse(reply, 422, `${problem} is invalid.`)
    if (!(await this.#isTheirs(body.callback_url, body.verification_token))) {
      return refuse(reply, 400, 'The callback URL did not answer the challenge.')
    }
    const { callback_url, event_type, data_type } = body
    const next = { ...found, callback_url, event_type, data_type }
    await this.#store(next)
    return reply.send(shown(next))
  }

  async remove(
    request: FastifyRequest,
    reply: FastifyReply,
    client: Client,
  ): Promise<FastifyReply> {
    const found = await this.#find(request, client)
    if (found === undefined) return refuse(reply, 404, 'Not found.')
    await this.#context.state.remove(keyOf('subscription', 'oura', client.id, found.id))
    return reply.status(204).send()
  }

  async renew(request: FastifyRequest, reply: FastifyReply, client: Client): Promise<FastifyReply> {
    const found = await this.#find(request, client)
    if (found === undefined) return refuse(reply, 404, 'Not found.')
    // Messages are signed with the present secret of the app.
    const next = { ...found, clientSecret: client.secret, expiration_time: this.#expiration() }
    await this.#store(next)
    return reply.send(shown(next))
  }

  #find(request: FastifyRequest, client: Client): Promise<Subscription | undefined> {
    const { id } = request.params as { id: string }
    return this.#context.state.get<Subscription>(keyOf('subscription', 'oura', client.id, id))
  }

  async #store(subscription: Subscription): Promise<void> {
    const key = keyOf('subscription', 'oura', subscription.clientId, subscription.id)
    await this.#context.state.update(key, () => subscription, SUBSCRIPTION_MS)
  }

  #expiration(): string {
    return utcText(this.#context.clock.now().getTime() + SUBSCRIPTION_MS)
  }

  /** Sends a challenge to an address, to check that it wants messages. */
  async #isTheirs(callbackUrl: string, verificationToken: string): Promise<boolean> {
    const url = new URL(callbackUrl)
    const challenge = randomBytes(16).toString('hex')
    url.searchParams.set('verification_token', verificationToken)
    url.searchParams.set('challenge', challenge)
    try {
      const signal = AbortSignal.timeout(PUSH_TIMEOUT_MS)
      const answer = await this.#context.fetch(url, { signal })
      const body = (await answer.json()) as { challenge?: unknown }
      return answer.ok && body.challenge === challenge
    } catch {
      return false
    }
  }
}

function problemOf(body: Record<string, unknown>): string | undefined {
  const { callback_url: url, verification_token: token, event_type, data_type } = body
  if (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)) return 'callback_url'
  if (typeof token !== 'string') return 'verification_token'
  if (!EVENT_TYPES.includes(String(event_type))) return 'event_type'
  return DATA_TYPES.has(String(data_type)) ? undefined : 'data_type'
}

/** Returns the subscriptions of an app, or of all apps. */
export async function subscriptionsOf(
  { state }: VendorContext,
  clientId?: string,
): Promise<Subscription[]> {
  const prefix = keyOf('subscription', 'oura', ...(clientId === undefined ? [] : [clientId]), '')
  const found: Subscription[] = []
  for await (const { value } of state.list(prefix)) {
    found.push(value as Subscription)
  }
  return found
}
