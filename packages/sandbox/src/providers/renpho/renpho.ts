import { createCipheriv, createDecipheriv, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import { Calendar } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { guestIdOf, type ListName, recordsOf, tableOf, toJson, userIdOf } from './measurements.ts'

const SLUG = 'renpho'
/** Key of the app of a sandbox. */
const KEY = Buffer.from('key-of-a-sandbox')
const CIPHER = 'aes-128-ecb'
const MOST_RECORDS = 100
const SUCCESS = 101

type Body = Readonly<Record<string, unknown>>

/** What the service keeps of an account. */
interface AccountState {
  /** Id of the only session; a sign-in ends the one before. */
  session: string
}

const stateKey = (account: string): string => keyOf('renpho account', account)

function encrypt(text: string): string {
  const cipher = createCipheriv(CIPHER, KEY, null)
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}

/** @returns undefined for text that is not encrypted with the key of the app */
function decrypt(data: unknown): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, KEY, null)
    return Buffer.concat([decipher.update(String(data), 'base64'), decipher.final()]).toString()
  } catch {
    return undefined
  }
}

/** The service answers problems with status 200. */
const refuse = (reply: FastifyReply, code: number, msg: string): FastifyReply =>
  reply.status(200).send({ code, msg, data: null })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    reply.status(429).header('retry-after', seconds).send({ code: 429, msg: 'too many requests' }),
  failed: (reply, status) => reply.status(status).send({ code: status, msg: 'system busy' }),
  unauthorized: (reply) => refuse(reply, 40101, 'token is invalid'),
}

interface Caller {
  calendar: Calendar
  faults: readonly Fault[]
  content: Body
  now: number
}

class RenphoApi {
  readonly #context: VendorContext
  /** For passwords only: sessions are counted here, because there is one at a time. */
  readonly #sessions: Sessions

  constructor(context: VendorContext) {
    this.#context = context
    this.#sessions = new Sessions(context, 0)
  }

  /** Reads the content of a request; undefined when it was already answered. */
  #contentOf(request: FastifyRequest, reply: FastifyReply): Body | undefined {
    const { encryptData } = (request.body ?? {}) as Body
    const text = decrypt(encryptData)
    if (text !== undefined) return text === '' ? {} : JSON.parse(text)
    refuse(reply, 50002, 'parameter error')
    return undefined
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { login } = this.#contentOf(request, reply) ?? {}
    if (reply.sent) return reply
    const { email, password } = (login ?? {}) as { email?: unknown; password?: unknown }
    const account = typeof email === 'string' ? email.trim() : ''
    const { state, tokens, calendarOf, faults } = this.#context
    const trouble = await faults.find(account, 'token')
    const isDown = trouble.some(({ kind }) => kind === 'unavailable')
    const outcome = isDown ? 'down' : await this.#sessions.outcomeOf(account, String(password))
    if (outcome === 'down') return reply.status(503).type('text/plain').send('Service Unavailable')
    if (outcome !== 'signed_in') return refuse(reply, 50010, 'The account or password is wrong')
    const session = randomUUID()
    await state.update<AccountState>(stateKey(account), () => ({ session }))
    const token = await tokens.sign('renpho session', { account, session })
    const id = `@${userIdOf(calendarOf(account))}@`
    return this.#send(reply, { login: { token, id, email: account, areaCode: 'US' } })
  }

  async #ask(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const { state, tokens, faults, clock, calendarOf } = this.#context
    const content = this.#contentOf(request, reply)
    if (content === undefined) return undefined
    const { token, userid } = request.headers
    const read = await tokens.read<{ account: string; session: string }>(
      'renpho session',
      String(token),
    )
    const account = read?.account ?? ''
    const keys = faults.keysOf(account)
    const [known, ...rows] = await state.getAll(stateKey(account), ...keys)
    const calendar = calendarOf(account)
    const isOpen =
      read !== undefined && (known as AccountState | undefined)?.session === read.session
    if (!isOpen || userid !== userIdOf(calendar)) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const found = await faults.find(account, 'data', 'measurements', rows)
    return { calendar, faults: found, content, now: clock.now().getTime() }
  }

  /** The number of records is wrong, as it is at the vendor. */
  async tables(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults } = caller
    const userIds = [guestIdOf(calendar), userIdOf(calendar)].map((id) => `@${id}@`)
    const scale = [{ tableName: tableOf(calendar), count: 0, userIds }]
    return this.#answer(reply, faults, { scale, girth: [] })
  }

  async list(request: FastifyRequest, reply: FastifyReply, list: ListName): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, content, now } = caller
    const [page, size] = [Number(content.pageNum), Number(content.pageSize)]
    const isPage = Number.isInteger(page) && page >= 1 && size >= 1 && size <= MOST_RECORDS
    if (!isPage) return refuse(reply, 50002, 'parameter error')
    // Without the right table and person the answer is empty, and a success.
    const users = Array.isArray(content.userIds) ? content.userIds.map(String) : []
    const isOwn = content.tableName === tableOf(calendar) && users.includes(userIdOf(calendar))
    const records = isOwn ? recordsOf(calendar, list, now) : []
    return this.#answer(reply, faults, records.slice((page - 1) * size, page * size))
  }

  #send(reply: FastifyReply, content: unknown): FastifyReply {
    return reply.send({ code: SUCCESS, msg: 'success', data: encrypt(toJson(content)) })
  }

  #answer(reply: FastifyReply, faults: readonly Fault[], content: unknown): Promise<FastifyReply> {
    return sendJson(reply, faults, REFUSALS, () =>
      JSON.stringify({ code: SUCCESS, msg: 'success', data: encrypt(toJson(content)) }),
    )
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const api = new RenphoApi(context)
  app.post('/api/renpho-aggregation/user/login', (request, reply) => api.signIn(request, reply))
  app.post('/api/renpho-aggregation/device/count', (request, reply) => api.tables(request, reply))
  app.post('/api/RenphoHealth/scale/queryAllMeasureDataList', (request, reply) =>
    api.list(request, reply, 'all'),
  )
  app.post('/api/RenphoHealth/scale/queryBodyCompositionMeasureData', (request, reply) =>
    api.list(request, reply, 'composition'),
  )
}

/** The cloud of RENPHO Health (docs/sandbox.md#renpho). */
export const renpho: Vendor = {
  slug: SLUG,
  name: 'Renpho',
  register,
  truth(calendar, { from, to }, now) {
    const lists = ['all', 'composition'] as const
    const isWithin = ({ timeStamp }: Record<string, unknown>): boolean =>
      Number(timeStamp) * 1000 >= from && Number(timeStamp) * 1000 < to
    return Object.fromEntries(
      lists.map((list) => [list, recordsOf(calendar, list, now).filter(isWithin)]),
    )
  },
  accountIdOf: (account) => userIdOf(new Calendar(personOf(SLUG, account))),
  // A session ends by another sign-in only.
  expire: async () => {},
  async revoke(context, account) {
    await context.state.update<AccountState>(stateKey(account), () => ({ session: randomUUID() }))
    await new Sessions(context, 0).end(account, true)
  },
}
