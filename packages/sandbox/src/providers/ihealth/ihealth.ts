import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { registerAuthorize } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { isKnownClient, registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import { seedOf, uuidAt } from '../people/noise.ts'
import { RateLimit } from '../rate-limits.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { type Fields, KINDS, type Kind, localTimeOf, unitsOf } from './records.ts'

const ACCESS_SECONDS = 3_672_000
const REFRESH_SECONDS = 2 * ACCESS_SECONDS
/** There are no older data. */
const PAST_DAYS = 400
const PAGE_LENGTH = 50
const AUTHORIZATION = '/OpenApiV2/OAuthv2/userauthorization'

const SCOPES = Object.entries(KINDS).map(([name, { scope }]) => ({ name: scope, meaning: name }))

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

const accountIdOf = (account: string): string =>
  uuidAt(seedOf(`ihealth id/${account}`), 0).replaceAll('-', '')

/** Errors have HTTP 200, or 500 where the server failed. */
const refuse = (reply: FastifyReply, code: number, text: string, status = 200): FastifyReply =>
  reply.status(status).send({ Error: text, ErrorCode: code, ErrorDescription: text })

const REFUSALS: Refusals = {
  rateLimited: (reply) => refuse(reply, 5030, 'The limit of requests an hour is reached'),
  failed: (reply, status) => refuse(reply, 5000, 'The server is busy', status),
  unauthorized: (reply) => refuse(reply, 5008, 'The access token is expired or invalid'),
}

type Query = Record<string, string | undefined>

class IHealthApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(5000, 3600)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { userId, file } = request.params as { userId: string; file: string }
    const name = file.replace(/\.json$/, '')
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
    if (kind === undefined) return refuse(reply, 5001, 'There is no such interface')
    const query = request.query as Query
    if (!this.#isApp(query)) return refuse(reply, 5002, 'The client, sc or sv is wrong')
    const { faults, clock, calendarOf } = this.#context
    const token = query.access_token ?? ''
    const found = await this.#grants.check(token, (account) => faults.keysOf(account))
    if (found === undefined) return REFUSALS.unauthorized(reply)
    const { account, grant, rows } = found
    const now = clock.now().getTime()
    if (!this.#limit.take(grant.clientId, now).isAllowed) return REFUSALS.rateLimited(reply, 3600)
    if (accountIdOf(account) !== userId) return refuse(reply, 5003, 'Access to the user is denied')
    if (!grant.scopes.includes(kind.scope)) return refuse(reply, 5004, 'Access is denied')
    const befalling = await faults.find(account, 'data', name, rows)
    const isDoubled = befalling.some(({ kind: fault }) => fault === 'duplicate_pages')
    return sendJson(reply, befalling, REFUSALS, () => {
      const records = recordsBetween(calendarOf(account), kind, query, now)
      return JSON.stringify(pageOf(calendarOf(account), kind, records, { query, isDoubled }))
    })
  }

  /** The built-in app has no further secrets. */
  #isApp({ client_id: id = '', client_secret: secret = '', sc = '', sv = '' }: Query): boolean {
    const hasSecrets = id === 'sandbox' || (sc !== '' && sv !== '')
    return hasSecrets && isKnownClient(this.#context, { id, secret })
  }
}

/** The bounds are compared with the clock of the place. */
function recordsBetween(calendar: Calendar, kind: Kind, query: Query, now: number): Fields[] {
  const from = Math.max(Number(query.start_time ?? 0) * 1000, now - PAST_DAYS * DAY_MS)
  const to = Math.min(Number(query.end_time ?? now / 1000) * 1000, now + DAY_MS)
  if (!(from < to)) return []
  return calendar
    .days({ from: from - DAY_MS, to: to + DAY_MS })
    .filter((day) => day.from <= now)
    .flatMap(({ number }) => kind.recordsOn(calendar, number, now))
    .filter((record) => localTimeOf(record) * 1000 >= from && localTimeOf(record) * 1000 <= to)
}

function pageOf(
  calendar: Calendar,
  { list, unit }: Kind,
  records: readonly Fields[],
  { query, isDoubled }: { query: Query; isDoubled: boolean },
): Fields {
  const asked = Math.max(1, Number(query.page_index ?? 1))
  // With that fault the first page is served twice.
  const page = isDoubled && asked > 1 ? asked - 1 : asked
  const shown = records.slice((page - 1) * PAGE_LENGTH, page * PAGE_LENGTH)
  const pages = Math.ceil(records.length / PAGE_LENGTH) + (isDoubled ? 1 : 0)
  return {
    [list]: shown,
    ...(unit && { [unit[0]]: unitsOf(calendar)[unit[1]] }),
    CurrentRecordCount: shown.length,
    NextPageUrl: asked < pages ? `https://api.ihealthlabs.com:8443/?page_index=${asked + 1}` : '',
    PageLength: PAGE_LENGTH,
    PageNumber: asked,
    PrevPageUrl: '',
    RecordCount: records.length,
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  app.register(async (scope) => {
    scope.addHook('preHandler', async (request, reply) => {
      const { APIName } = request.query as Query
      if (!APIName) return refuse(reply, 5005, 'APIName is missing')
    })
    registerAuthorize(scope, context, { path: `/web${AUTHORIZATION}`, scopes: SCOPES })
  })
  app.register(async (scope) => {
    scope.addHook('preHandler', async (request, reply) => {
      const form = (request.body ?? {}) as Query
      if (form.grant_type !== 'refresh_token') return
      const account = await grants.accountOf(form.refresh_token ?? '')
      const isOwn = account !== undefined && form.UserID === accountIdOf(account)
      if (form.response_type === 'refresh_token' && (isOwn || account === undefined)) return
      return refuse(reply, 5006, 'response_type or UserID is wrong')
    })
    registerToken(scope, context, {
      path: `/auth${AUTHORIZATION}`,
      grants,
      errorStatus: 200,
      toVendorAnswer: (tokens, { account }) => ({
        APIName: tokens.scope,
        AccessToken: tokens.access_token,
        Expires: tokens.expires_in,
        RefreshToken: tokens.refresh_token,
        RefreshTokenExpires: REFRESH_SECONDS,
        UserID: accountIdOf(account),
        UserRegion: 'US',
        TokenType: 'Bearer',
      }),
      toVendorError: (error, description) => ({
        Error: error,
        ErrorCode: 5007,
        ErrorDescription: description,
      }),
    })
  })
  const api = new IHealthApi(context, grants)
  app.get('/api/openapiv2/user/:userId/:file', (request, reply) => api.list(request, reply))
}

/** Returns the records of the days that a span overlaps, by collection. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const days = calendar.days({ from: span.from, to: Math.min(span.to, now + 1) })
  const each = ({ recordsOn }: Kind) =>
    days.flatMap(({ number }) => recordsOn(calendar, number, now))
  return Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, each(kind)]))
}

/** iHealth OpenAPI version 2, as public clients of it describe it. */
export const ihealth: Vendor = {
  slug: 'ihealth',
  name: 'iHealth',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
}
