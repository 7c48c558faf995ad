import { HOUR_MS } from '@salus/contracts/time-units'
import { outcomeOf, type PasswordOutcome } from './pages.ts'
import { keyOf } from './state/state.ts'
import type { VendorContext } from './vendor.ts'

/** State of an account that its user caused. */
interface AccountState {
  /** Epoch milliseconds; sessions from before have ended. */
  sessionsFrom?: number
  /** Whether the user has changed the password, or has left. */
  isClosed?: boolean
}

interface SessionContent {
  account: string
  /** Time of creation, epoch milliseconds. */
  at: number
}

const MOST_ACCOUNT = 200
/** Right once an account has another password. */
const CHANGED_PASSWORD = 'changed'

const LIFETIME_MS = 400 * 24 * HOUR_MS

/** Sessions of providers without OAuth: signed, and ended when their account says so. */
export class Sessions {
  readonly #context: VendorContext
  readonly #lifetimeMs: number

  constructor(context: VendorContext, lifetimeMs: number) {
    this.#context = context
    this.#lifetimeMs = lifetimeMs
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  #keyOf(account: string): string {
    return keyOf('account', this.#context.slug, account)
  }

  async open(account: string): Promise<{ token: string; expiresAt: number }> {
    const at = this.#now()
    const content: SessionContent = { account, at }
    const token = await this.#context.tokens.sign(`${this.#context.slug} session`, content)
    return { token, expiresAt: at + this.#lifetimeMs }
  }

  /** Returns the account of a session that has not ended, with other rows that are read at once. */
  async check(
    token: string,
    keysOf: (account: string) => readonly string[],
  ): Promise<{ account: string; rows: unknown[] } | undefined> {
    const { tokens, slug, state } = this.#context
    const content = await tokens.read<SessionContent>(`${slug} session`, token)
    if (content === undefined || content.at + this.#lifetimeMs <= this.#now()) return undefined
    const { account } = content
    const [own, ...rows] = await state.getAll(this.#keyOf(account), ...keysOf(account))
    const { sessionsFrom = 0 } = (own ?? {}) as AccountState
    return content.at < sessionsFrom ? undefined : { account, rows }
  }

  async isClosed(account: string): Promise<boolean> {
    return (await this.#context.state.get<AccountState>(this.#keyOf(account)))?.isClosed === true
  }

  /** Returns what a password leads to; after a change only the password `changed` is right. */
  async outcomeOf(account: string, password: string): Promise<PasswordOutcome> {
    if (account === '' || account.length > MOST_ACCOUNT) return 'wrong'
    if (!(await this.isClosed(account))) return outcomeOf(password)
    return password === CHANGED_PASSWORD ? 'signed_in' : 'wrong'
  }

  /**
   * Ends all sessions of an account.
   * @param isClosed Whether its password is another one from now on.
   */
  async end(account: string, isClosed: boolean): Promise<void> {
    const state: AccountState = { sessionsFrom: this.#now() + 1, isClosed }
    await this.#context.state.update(this.#keyOf(account), () => state, LIFETIME_MS)
  }
}
