import type { KeyPair } from '@salus/kernel/crypto/key-pairs'
import { isUuid, newId } from '@salus/kernel/ids'
import type { Environment } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import { errors, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { SigningKeys, type SigningKeysOptions } from './signing-keys.ts'

/**
 * Lifetimes of sign-in tokens and access tokens (docs/contract/07-mobile-sync.md#sign-in-token).
 */
const SIGN_IN_SECONDS = 600
export const ACCESS_SECONDS = 3600

const ALGORITHM = 'RS256'

interface TokenKind {
  /** Header `typ`: clients expect JWT in the token from their own server. */
  typ: string
  aud: string
  seconds: number
}

/** The kinds are not interchangeable: both parts are checked. */
const SIGN_IN: TokenKind = { typ: 'JWT', aud: 'salus:sign-in', seconds: SIGN_IN_SECONDS }
const ACCESS: TokenKind = { typ: 'at+jwt', aud: 'salus:api', seconds: ACCESS_SECONDS }

/** Claims of a genuine token. */
interface AppClaims {
  environmentId: string
  userId: string
  /** Id of the sign-in token. */
  id: string
  /** Epoch milliseconds. */
  endsAt: number
  /** How often all sessions of the user had been ended when the sign-in token was made. */
  generation: number
}

interface AccessClaims extends AppClaims {
  sessionId: string
}

/** Signs and reads the tokens of apps. */
export class AppTokens {
  readonly #keys: SigningKeys
  readonly #clock: Clock

  constructor(options: SigningKeysOptions) {
    this.#keys = new SigningKeys(options)
    this.#clock = options.clock
  }

  /** Removes keys whose tokens have all expired. */
  removeExpiredKeys(): Promise<void> {
    return this.#keys.removeExpiredKeys()
  }

  /**
   * Returns base64 of JSON, which an app passes to its client.
   * @param baseUrl Address at which the client reaches Salus
   */
  async createSignInToken(
    environment: Environment,
    user: { id: string; generation: number },
    baseUrl: string,
  ): Promise<string> {
    const key = await this.#keys.getCurrent()
    const token = await this.#sign(key, SIGN_IN, {
      environment,
      userId: user.id,
      generation: user.generation,
      baseUrl,
    })
    const pair = JSON.stringify({ public_key: key.id, user_token: token })
    return Buffer.from(pair).toString('base64')
  }

  /**
   * Returns the present signing key. Call it before a transaction, so that it needs no other
   * database connection.
   */
  getKey(): Promise<KeyPair> {
    return this.#keys.getCurrent()
  }

  createAccessToken(
    key: KeyPair,
    of: { environment: Environment; userId: string; sessionId: string; baseUrl: string },
  ): Promise<string> {
    return this.#sign(key, ACCESS, of)
  }

  /**
   * Returns the claims of a `user_token`; undefined when it is not genuine, of another kind, or
   * expired.
   */
  readSignInToken(token: string): Promise<AppClaims | undefined> {
    return this.#read(SIGN_IN, token)
  }

  async readAccessToken(token: string): Promise<AccessClaims | undefined> {
    const claims = await this.#read(ACCESS, token)
    return claims?.sessionId === undefined ? undefined : { ...claims, sessionId: claims.sessionId }
  }

  #sign(
    key: KeyPair,
    { typ, aud, seconds }: TokenKind,
    of: {
      environment: Environment
      userId: string
      baseUrl: string
      sessionId?: string
      generation?: number
    },
  ): Promise<string> {
    const { environment, userId, baseUrl, sessionId, generation } = of
    const now = Math.floor(this.#clock.now().getTime() / 1000)
    return new SignJWT({
      uid: userId,
      tenant_id: environment.id,
      claims: { vital_team_id: environment.teamId, salus_team_id: environment.teamId },
      base_url: baseUrl,
      ...(sessionId !== undefined && { sid: sessionId }),
      ...(generation !== undefined && { gen: generation }),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ, kid: key.id })
      .setIssuer(baseUrl)
      .setAudience(aud)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .setJti(newId())
      .sign(key.privateKey)
  }

  async #read(
    { typ, aud }: TokenKind,
    token: string,
  ): Promise<(AppClaims & { sessionId?: string }) | undefined> {
    const options: JWTVerifyOptions = {
      algorithms: [ALGORITHM],
      typ,
      audience: aud,
      currentDate: this.#clock.now(),
      requiredClaims: ['exp', 'jti', 'uid', 'tenant_id'],
    }
    try {
      const { payload } = await jwtVerify(token, (header) => this.#findPublicKey(header), options)
      // Tokens of an earlier version have no generation.
      const { uid, tenant_id, jti, sid, gen = 0, exp = 0 } = payload
      if (![uid, tenant_id, jti].every((id) => typeof id === 'string' && isUuid(id))) {
        return undefined
      }
      return {
        environmentId: String(tenant_id),
        userId: String(uid),
        id: String(jti),
        endsAt: exp * 1000,
        generation: Number(gen),
        ...(typeof sid === 'string' && { sessionId: sid }),
      }
    } catch (error) {
      // Any other error, such as an unreachable database, does not make the token invalid.
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  async #findPublicKey({ kid }: { kid?: string }) {
    const key = typeof kid === 'string' ? await this.#keys.find(kid) : undefined
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key.publicKey
  }
}
