import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '@salus/contracts/time-units'
import { keyOf, type State } from '../state/state.ts'
import type { TokenAnswer, VendorContext } from '../vendor.ts'

/** Permission of a user for an app to see their data. A removed one is revoked. */
export interface Grant {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Counts refreshes: only the newest refresh token works. */
  readonly generation: number
  /** Epoch milliseconds; access tokens from before have expired early. */
  readonly tokensFrom: number
  readonly grantedAt: number
}

/** Content of access and refresh tokens. */
interface TokenContent {
  /** Account. */
  a: string
  /** Grant. */
  g: string
  /** Generation. */
  n: number
  /** Time of creation, epoch milliseconds. */
  i: number
}

export interface GrantOptions {
  accessSeconds: number
  /** Whether a refresh ends the access tokens so far. */
  hasOneAccessToken?: boolean
}

/** Grants that are not refreshed for this long are removed. */
const GRANT_MS = 400 * 24 * HOUR_MS

/** The grants of one provider and their tokens. */
export class Grants {
  readonly #context: VendorContext
  readonly #state: State
  readonly accessSeconds: number
  readonly #options: GrantOptions

  constructor(context: VendorContext, options: GrantOptions) {
    this.#context = context
    this.#state = context.state
    this.accessSeconds = options.accessSeconds
    this.#options = options
  }

  #keyOf(account: string, id: string): string {
    return keyOf('grant', this.#context.slug, account, id)
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  async make(
    account: string,
    clientId: string,
    scopes: readonly string[],
  ): Promise<{ id: string; tokens: TokenAnswer }> {
    const id = randomUUID()
    const now = this.#now()
    const grant: Grant = { clientId, scopes, generation: 1, tokensFrom: 0, grantedAt: now }
    await this.#state.add(this.#keyOf(account, id), grant, GRANT_MS)
    return { id, tokens: await this.#tokensOf(account, id, grant) }
  }

  async #tokensOf(a: string, g: string, grant: Grant): Promise<TokenAnswer> {
    const { tokens } = this.#context
    const content: TokenContent = { a, g, n: grant.generation, i: this.#now() }
    return {
      token_type: 'bearer',
      access_token: await tokens.sign(`${this.#context.slug} access`, content),
      expires_in: this.accessSeconds,
      refresh_token: await tokens.sign(`${this.#context.slug} refresh`, content),
      scope: grant.scopes.join(' '),
    }
  }

  /** Returns the account of a valid access token, with other rows that are read at once. */
  async check(
    token: string,
    keysOf: (account: string) => readonly string[] = () => [],
  ): Promise<{ account: string; grant: Grant; rows: unknown[] } | undefined> {
    const content = await this.#context.tokens.read<TokenContent>(
      `${this.#context.slug} access`,
      token,
    )
    if (content === undefined || content.i + this.accessSeconds * 1000 <= this.#now())
      return undefined
    const { a: account, g: id } = content
    const keys = [this.#keyOf(account, id), ...keysOf(account)]
    const [grant, ...rows] = (await this.#state.getAll(...keys)) as [
      Grant | undefined,
      ...unknown[],
    ]
    if (grant === undefined || content.i < grant.tokensFrom) return undefined
    if (this.#options.hasOneAccessToken && content.n < grant.generation) return undefined
    return { account, grant, rows }
  }

  /** Refreshes a token; each refresh token works once. @returns undefined for one that does not */
  async refresh(token: string, clientId: string): Promise<TokenAnswer | undefined> {
    const content = await this.#readRefresh(token)
    if (content === undefined) return undefined
    const { a: account, g: id, n: generation } = content
    let isTaken = false
    const next = await this.#state.update<Grant>(
      this.#keyOf(account, id),
      (grant) => {
        isTaken = grant?.generation === generation && grant.clientId === clientId
        return isTaken && grant !== undefined ? { ...grant, generation: generation + 1 } : grant
      },
      GRANT_MS,
    )
    return isTaken && next !== undefined ? this.#tokensOf(account, id, next) : undefined
  }

  async #readRefresh(token: string): Promise<TokenContent | undefined> {
    return this.#context.tokens.read<TokenContent>(`${this.#context.slug} refresh`, token)
  }

  /** Returns the account of a token of either kind. */
  async accountOf(token: string): Promise<string | undefined> {
    return (await this.#contentOf(token))?.a
  }

  async #contentOf(token: string): Promise<TokenContent | undefined> {
    const access = this.#context.tokens.read<TokenContent>(`${this.#context.slug} access`, token)
    return (await access) ?? (await this.#readRefresh(token))
  }

  /** Ends the grant of an access or a refresh token. */
  async revoke(token: string): Promise<void> {
    const content = await this.#contentOf(token)
    if (content !== undefined) await this.remove(content.a, content.g)
  }

  remove(account: string, id: string): Promise<void> {
    return this.#state.remove(this.#keyOf(account, id))
  }

  /** Lists the grants of an account, or of all accounts. */
  async *list(account?: string): AsyncGenerator<{ account: string; id: string; grant: Grant }> {
    const { slug } = this.#context
    const prefix =
      account === undefined ? keyOf('grant', slug, '') : keyOf('grant', slug, account, '')
    for await (const { key, value } of this.#state.list(prefix)) {
      const [, , owner = '', id = ''] = key.split('/').map(decodeURIComponent)
      yield { account: owner, id, grant: value as Grant }
    }
  }

  /** Ends all grants, as a user can at the provider. */
  async revokeAll(account: string): Promise<void> {
    for await (const { id } of this.list(account)) await this.remove(account, id)
  }

  /** Expires the access tokens so far; refresh tokens stay valid. */
  async expireAll(account: string): Promise<void> {
    const now = this.#now() + 1
    for await (const { id } of this.list(account)) {
      const expire = (grant: Grant | undefined) => grant && { ...grant, tokensFrom: now }
      await this.#state.update<Grant>(this.#keyOf(account, id), expire, GRANT_MS)
    }
  }
}
