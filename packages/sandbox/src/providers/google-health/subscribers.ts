import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listPushAddresses } from '../push-addresses.ts'
import { keyOf, type State } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { DATA_TYPES } from './data-types.registry.ts'
import { refuse } from './google-api.ts'

export interface Subscriber {
  name: string
  endpointUri: string
  /** Value of the header `Authorization` of messages; never shown. */
  secret: string
  dataTypes: readonly string[]
  state: 'ACTIVE' | 'UNVERIFIED'
}

const PREFIX = 'subscriber'
const ASSERTION = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const PROJECT_SECONDS = 3600
export const PUSH_TIMEOUT_MS = 10_000

/** Registers the tokens of projects, beside those of people at the same address. */
export function registerProjectTokens(app: FastifyInstance, context: VendorContext): void {
  app.addHook('preHandler', async (request, reply) => {
    const { grant_type: grant, assertion } = (request.body ?? {}) as Record<string, string>
    if (grant !== ASSERTION || !request.routeOptions.url?.endsWith('/oauth/token')) return
    const email = readAssertion(assertion ?? '', context)
    if (email === undefined) {
      return reply.status(400).send({ error: 'invalid_grant', error_description: 'Invalid JWT.' })
    }
    const expiresAt = context.clock.now().getTime() + PROJECT_SECONDS * 1000
    const access_token = await context.tokens.sign('google_health project', { email, expiresAt })
    return reply.send({ access_token, expires_in: PROJECT_SECONDS, token_type: 'Bearer' })
  })
}

/** The keys of service accounts are not known here, so that signatures are only present. */
function readAssertion(assertion: string, { clock }: VendorContext): string | undefined {
  const [, claims = '', signature = ''] = assertion.split('.')
  try {
    const { iss, aud, scope, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const isRight =
      typeof iss === 'string' &&
      aud === 'https://oauth2.googleapis.com/token' &&
      String(scope).includes('cloud-platform') &&
      exp * 1000 > clock.now().getTime() &&
      signature.length > 100
    return isRight ? iss : undefined
  } catch {
    return undefined
  }
}

/** Registers the endpoints with which projects subscribe to messages. */
export function registerSubscribers(app: FastifyInstance, context: VendorContext): void {
  const subscribers = new Subscribers(context)
  const base = '/api/v4/projects/:project/subscribers'
  app.get(base, (request, reply) => subscribers.list(request, reply))
  app.post(base, (request, reply) => subscribers.create(request, reply))
  app.patch(`${base}/:id`, (request, reply) => subscribers.change(request, reply))
  app.delete(`${base}/:id`, (request, reply) => subscribers.remove(request, reply))
}

type Params = Record<string, string>

class Subscribers {
  readonly #context: VendorContext

  constructor(context: VendorContext) {
    this.#context = context
  }

  async #isProject(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    const { tokens, clock } = this.#context
    const known = await tokens.read<{ expiresAt: number }>('google_health project', token)
    if (known !== undefined && known.expiresAt > clock.now().getTime()) return true
    refuse(reply, 401, 'UNAUTHENTICATED')
    return false
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!(await this.#isProject(request, reply))) return reply
    const { project = '' } = request.params as Params
    const found = await subscribersOf(this.#context, project)
    const shown = found.map(({ secret: _secret, dataTypes, ...subscriber }) => ({
      ...subscriber,
      endpointAuthorization: { secretSet: true },
      subscriberConfigs: [{ dataTypes, subscriptionCreatePolicy: 'AUTOMATIC' }],
    }))
    return reply.send(shown.length === 0 ? {} : { subscribers: shown, totalSize: shown.length })
  }

  async create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!(await this.#isProject(request, reply))) return reply
    const { project = '' } = request.params as Params
    const { subscriberId: id = '' } = request.query as Params
    if (!/^[a-z][a-z0-9-]{2,34}[a-z0-9]$/.test(id)) return refuse(reply, 400, 'INVALID_ARGUMENT')
    if ((await subscribersOf(this.#context, project)).length > 0) {
      return refuse(reply, 409, 'ALREADY_EXISTS')
    }
    return this.#save(reply, project, id, request.body)
  }

  async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!(await this.#isProject(request, reply))) return reply
    const { project = '', id = '' } = request.params as Params
    const known = await this.#context.state.get<Subscriber>(this.#keyOf(project, id))
    if (known === undefined) return refuse(reply, 404, 'NOT_FOUND')
    return this.#save(reply, project, id, request.body)
  }

  async remove(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!(await this.#isProject(request, reply))) return reply
    const { project = '', id = '' } = request.params as Params
    await this.#context.state.remove(this.#keyOf(project, id))
    return reply.send({})
  }

  #keyOf(project: string, id: string): string {
    return keyOf(PREFIX, this.#context.slug, project, id)
  }

  async #save(reply: FastifyReply, project: string, id: string, body: unknown) {
    const { endpointUri, endpointAuthorization, subscriberConfigs } = (body ?? {}) as {
      endpointUri?: string
      endpointAuthorization?: { secret?: string }
      subscriberConfigs?: { dataTypes?: string[] }[]
    }
    const secret = endpointAuthorization?.secret ?? ''
    const dataTypes = (subscriberConfigs ?? []).flatMap((config) => config.dataTypes ?? [])
    const areKnown = dataTypes.every((type) => DATA_TYPES.has(type))
    if (!endpointUri || !/^\w+ \S+$/.test(secret) || !areKnown) {
      return refuse(reply, 400, 'INVALID_ARGUMENT')
    }
    if (!(await this.#isVerified(endpointUri, secret))) {
      return refuse(reply, 400, 'FAILED_PRECONDITION', 'ENDPOINT_VERIFICATION_FAILED')
    }
    const name = `projects/${project}/subscribers/${id}`
    const subscriber: Subscriber = { name, endpointUri, secret, dataTypes, state: 'ACTIVE' }
    await this.#context.state.update(this.#keyOf(project, id), () => subscriber)
    return reply.send({ name: `operations/${id}`, done: true })
  }

  /** The address must accept a request with the secret, and refuse one without. */
  async #isVerified(endpointUri: string, secret: string): Promise<boolean> {
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      try {
        const answer = await this.#context.fetch(endpointUri, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ type: 'verification' }),
          signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
        })
        await answer.arrayBuffer()
        return answer.status
      } catch {
        return 0
      }
    }
    const accepted = await statusOf({ authorization: secret })
    return [200, 201].includes(accepted) && [401, 403].includes(await statusOf({}))
  }
}

/** Returns the subscribers of a project, or of all. */
export async function subscribersOf(
  { slug, state }: { slug: string; state: State },
  project?: string,
): Promise<Subscriber[]> {
  const prefix = project === undefined ? keyOf(PREFIX, slug, '') : keyOf(PREFIX, slug, project, '')
  const found: Subscriber[] = []
  for await (const { value } of state.list(prefix)) found.push(value as Subscriber)
  return found
}

/**
 * Returns all subscribers: those of projects, and addresses that were entered by hand. With these
 * an operator enters the value of `Authorization` that Salus derives from the client secret.
 */
export async function allSubscribersOf(context: {
  slug: string
  state: State
}): Promise<Pick<Subscriber, 'endpointUri' | 'secret' | 'dataTypes'>[]> {
  const dataTypes = [...DATA_TYPES].filter(([, { isPushed }]) => isPushed).map(([name]) => name)
  const entered = (await listPushAddresses(context)).map(({ clientSecret, callbackUrl }) => {
    const hmac = createHmac('sha256', clientSecret).update('webhook authorization').digest('hex')
    return { endpointUri: callbackUrl, secret: `Bearer ${hmac}`, dataTypes }
  })
  return [...(await subscribersOf(context)), ...entered]
}
