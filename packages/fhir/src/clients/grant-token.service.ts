import { MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { AppError } from '@salus/kernel/errors'
import type { ErrorTypeOf } from '@salus/kernel/errors.registry'
import { isUuid } from '@salus/kernel/ids'
import { createOutboundAgent, type OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { request } from '@salus/kernel/outbound/request'
import type { Stores } from '@salus/kernel/scope'
import {
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { grantScopes } from '../reading/index.ts'
import type { SmartClientRow } from './smart-clients.repository.ts'
import * as repository from './smart-tokens.global.repository.ts'

/** Lifetime of an access token, and the longest one of an assertion. */
export const TOKEN_SECONDS = 300
/** Clocks of clients may differ by this much. */
const TOLERANCE_SECONDS = 10
const ALGORITHMS = ['RS384', 'ES384']
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
/** Tokens of clients begin with this, so that they cannot be mistaken for other credentials. */
export const TOKEN_PREFIX = 'smart_'

const KEYS_TIMEOUT_MS = 5_000
const MOST_KEYS_BYTES = 256 * 1024
const KEYS_CACHE_MS = 5 * MINUTE_MS
const MOST_CACHED = 1_000

/** A refusal with a code of OAuth 2.0 (RFC 6749, section 5.2) beside that of Salus. */
const refuse = <S extends 400 | 401>(
  status: S,
  code: ErrorTypeOf<S>,
  error: string,
  message: string,
) => new AppError<S>(status, code, message, { error })

const invalidClient = () =>
  refuse(401, 'invalid_client', 'invalid_client', 'The client or its assertion is not valid.')

export interface GrantedToken {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  scope: string
}

/** Grants tokens to clients that prove their identity with a signed assertion. */
export class TokenGrants {
  readonly #stores: Pick<Stores, 'db' | 'clock'>
  readonly #agent: OutboundAgent
  readonly #keys = new Map<string, { keys: JSONWebKeySet; until: number }>()

  /** @param agent Fetches published keys; by default it reaches public addresses only. */
  constructor(
    stores: Pick<Stores, 'db' | 'clock'>,
    agent: OutboundAgent = createOutboundAgent({ allowPrivate: false }),
  ) {
    this.#stores = stores
    this.#agent = agent
  }

  /**
   * @param audience Address of the token endpoint
   * @throws AppError 400 `unsupported_grant_type`, `invalid_scope`; 401 `invalid_client`
   */
  async grant(form: URLSearchParams, audience: string): Promise<GrantedToken> {
    const { db, clock } = this.#stores
    const isSupported =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_assertion_type') === ASSERTION_TYPE
    if (!isSupported) {
      throw refuse(
        400,
        'unsupported_grant_type',
        'unsupported_grant_type',
        'Only client_credentials with a JWT assertion is supported.',
      )
    }
    const client = await this.#verify(form.get('client_assertion') ?? '', audience)
    const scopes = grantScopes(form.get('scope') ?? '', client.scopes)
    if (scopes.length === 0) {
      throw refuse(400, 'invalid_scope', 'invalid_scope', 'The client has none of the scopes.')
    }
    const token = `${TOKEN_PREFIX}${randomSecret()}`
    await repository.insertToken(db, {
      token_hash: hashKey(token),
      environment_id: client.environment_id,
      client_id: client.id,
      scopes,
      expires_at: new Date(clock.now().getTime() + TOKEN_SECONDS * 1000),
    })
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: TOKEN_SECONDS,
      scope: scopes.join(' '),
    }
  }

  async #verify(assertion: string, audience: string): Promise<SmartClientRow> {
    const { db, clock } = this.#stores
    const id = readIssuer(assertion)
    const client = id === undefined ? undefined : await repository.findSmartClient(db, id)
    if (id === undefined || client === undefined) throw invalidClient()
    const now = clock.now()
    const keys = await this.#readKeys(client)
    const { payload } = await verifyWith(keys, assertion, {
      algorithms: ALGORITHMS,
      issuer: id,
      subject: id,
      audience,
      currentDate: now,
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'jti'],
    })
    const { exp = 0, jti = '' } = payload
    const latest = now.getTime() / 1000 + TOKEN_SECONDS + TOLERANCE_SECONDS
    const isUsable = exp <= latest && typeof jti === 'string' && jti !== ''
    const ends = new Date((exp + TOLERANCE_SECONDS) * 1000)
    const used = { client_id: id, jti_hash: hashKey(String(jti)), expires_at: ends }
    if (!isUsable || !(await repository.insertAssertion(db, used))) throw invalidClient()
    return client
  }

  /** Returns the keys of a client, which it may publish at an address. */
  async #readKeys({ id, jwks, jwks_url: url }: SmartClientRow): Promise<JSONWebKeySet> {
    if (jwks !== null || url === null) return jwks as unknown as JSONWebKeySet
    const now = this.#stores.clock.now().getTime()
    const cached = this.#keys.get(id)
    if (cached !== undefined && now < cached.until) return cached.keys
    const limits = { timeoutMs: KEYS_TIMEOUT_MS, maxBytes: MOST_KEYS_BYTES }
    const keys = await request(this.#agent, { url, ...limits })
      .then((answer) => answer.json() as JSONWebKeySet)
      .catch(() => {
        throw invalidClient()
      })
    if (!Array.isArray(keys?.keys)) throw invalidClient()
    if (this.#keys.size >= MOST_CACHED) this.#keys.clear()
    this.#keys.set(id, { keys, until: now + KEYS_CACHE_MS })
    return keys
  }
}

/** A set without usable keys is refused like an assertion that none of them signed. */
async function verifyWith(keys: JSONWebKeySet, assertion: string, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(assertion, createLocalJWKSet(keys), options)
  } catch {
    throw invalidClient()
  }
}

/** Returns the client that an assertion names, before it is verified; undefined without one. */
function readIssuer(assertion: string): string | undefined {
  try {
    const { iss, sub } = decodeJwt(assertion)
    return iss === sub && typeof iss === 'string' && isUuid(iss) ? iss.toLowerCase() : undefined
  } catch {
    return undefined
  }
}
