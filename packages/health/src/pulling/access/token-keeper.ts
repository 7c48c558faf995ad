import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { createScope } from '@salus/kernel/scope'
import {
  createSend,
  type FoundCredential,
  findApp,
  isOAuthConnector,
  readCredential,
  refreshTokens,
  replaceCredential,
  type VendorApp,
  VendorError,
  type VendorTokens,
} from '../../connectors/index.ts'
import { type Account, credentialKey, type PullingContext } from '../pulling-context.ts'
import { renewPasswordSession } from './password-renewal.ts'
import { SharedLookup } from './shared-lookup.ts'

/** A lock that one process holds at a time, and releases when it dies. */
export interface Locks {
  tryLock(key: string): Promise<boolean>
  unlock(key: string): Promise<void>
}

/** Tokens are renewed this long before they expire. */
const EARLY_MS = 2 * MINUTE_MS
/** Longer than any vendor takes to answer; then it is retried later. */
const PATIENCE_MS = 70_000
const LOOK_AGAIN_MS = 100
/** Changes at the vendor must not be lost when the database is briefly unavailable. */
const STORE_ATTEMPTS = 10
/** Time until a change of a team's app is noticed. */
const APP_CACHE_MS = 5_000
const STORE_RETRY_MS = 1_000

/** Keeps the tokens of users fresh: renewed once, however many callers in any process need them. */
export class TokenKeeper {
  readonly #context: PullingContext
  readonly #locks: Locks
  readonly #lookup: SharedLookup
  readonly #renewing = new Map<string, Promise<FoundCredential>>()
  /** Many users share an app. */
  readonly #apps = new Map<string, { found: Promise<VendorApp | undefined>; staleAt: number }>()

  /** When a wrong app may be logged again. */
  readonly #quietUntil = new Map<string, number>()

  constructor(context: PullingContext, locks: Locks) {
    this.#context = context
    this.#locks = locks
    this.#lookup = new SharedLookup(createCredentialStore(context.db, context))
  }

  /** @throws VendorError `ended` when there is no credential, or no new one can be obtained */
  async currentCredential(account: Account): Promise<FoundCredential> {
    const credential = await this.#find(account)
    const { expiresAt } = credential.tokens
    const now = this.#context.clock.now().getTime()
    if (expiresAt === null || expiresAt - EARLY_MS > now) return credential
    return this.renewCredential(account, credential)
  }

  /** Returns tokens in place of those that the vendor no longer accepts. */
  renewCredential(account: Account, stale: FoundCredential): Promise<FoundCredential> {
    const { environmentId, userId, name } = credentialKey(account)
    const key = `renew ${environmentId} ${userId} ${name}`
    const renewing = this.#renewing.get(key) ?? this.#renewLocked(key, account, stale)
    this.#renewing.set(key, renewing)
    return renewing.finally(() => {
      if (this.#renewing.get(key) === renewing) this.#renewing.delete(key)
    })
  }

  app({ connector, environment }: Account): Promise<VendorApp | undefined> {
    const key = `${environment.id} ${connector.slug}`
    const known = this.#apps.get(key)
    if (known !== undefined && performance.now() < known.staleAt) return known.found
    const scope = createScope(this.#context, environment)
    const found = findApp(scope, this.#context, connector.slug)
    this.#apps.set(key, { found, staleAt: performance.now() + APP_CACHE_MS })
    found.catch(() => this.#apps.delete(key))
    return found
  }

  async #find(account: Account): Promise<FoundCredential> {
    const found = await readCredential(this.#lookup, credentialKey(account))
    if (found !== undefined) return found
    throw new VendorError(account.connector.slug, {
      kind: 'ended',
      errorType: 'token_refresh_failed',
    })
  }

  async #renewLocked(
    key: string,
    account: Account,
    stale: FoundCredential,
  ): Promise<FoundCredential> {
    const until = performance.now() + PATIENCE_MS
    while (!(await this.#locks.tryLock(key))) {
      const renewed = await this.#find(account)
      if (renewed.found.version !== stale.found.version) return renewed
      if (performance.now() > until) {
        throw new VendorError(account.connector.slug, { kind: 'unavailable' })
      }
      await sleep(LOOK_AGAIN_MS)
    }
    try {
      // Another process may have just renewed it.
      const latest = await this.#find(account)
      if (latest.found.version !== stale.found.version) return latest
      return await this.#store(account, latest, await this.#request(account, latest))
    } finally {
      await this.#locks.unlock(key)
    }
  }

  async #request(account: Account, credential: FoundCredential): Promise<VendorTokens> {
    const { connector, environment } = account
    const { connectors } = this.#context
    const { tokens } = credential
    const address = connectors.addressOf(connector, environment, tokens.extra?.region)
    const app = await this.app(account)
    if (connector.auth.kind === 'password') {
      return renewPasswordSession(this.#context, account, connector.auth, credential, app)
    }
    // Without the operator's app no request is possible; the user's grant still exists.
    if (app === undefined) throw new VendorError(connector.slug, { kind: 'unavailable' })
    if (isOAuthConnector(connector)) {
      return refreshTokens(connector, address, app, tokens, this.#context.clock.now()).catch(
        (error: unknown) => {
          this.#reportWrongApp(account, error)
          throw error
        },
      )
    }
    if (connector.auth.kind === 'email') {
      return connector.auth.renew(createSend(address), tokens, app)
    }
    throw new VendorError(connector.slug, { kind: 'refused' })
  }

  /** Logs that a vendor does not accept an app, once an hour: all its users wait for it. */
  #reportWrongApp({ connector: { slug }, environment }: Account, error: unknown): void {
    const { failure } = error instanceof VendorError ? error : { failure: undefined }
    if (failure?.kind !== 'unexpected' || failure.appProblem === undefined) return
    const key = `${environment.id} ${slug}`
    if (performance.now() < (this.#quietUntil.get(key) ?? 0)) return
    this.#quietUntil.set(key, performance.now() + HOUR_MS)
    this.#context.log.warn(
      { provider: slug, environment_id: environment.id, problem: failure.appProblem },
      'a vendor does not accept the client_id or the client_secret of an app: correct SALUS_PROVIDER_APPS, or the app of the team',
    )
  }

  async #store(
    account: Account,
    latest: FoundCredential,
    tokens: VendorTokens,
  ): Promise<FoundCredential> {
    const { given } = latest
    const store = createCredentialStore(this.#context.db, this.#context)
    const next = { tokens, ...(given !== undefined && { given }) }
    for (let attempt = 1; ; attempt++) {
      try {
        await replaceCredential(store, credentialKey(account), latest, next)
        // A new sign-in may have replaced it meanwhile; its credential counts.
        return await this.#find(account)
      } catch (error) {
        if (error instanceof VendorError || attempt === STORE_ATTEMPTS) throw error
        this.#context.log.warn({ err: error }, 'renewed tokens are not stored yet')
        await sleep(STORE_RETRY_MS)
      }
    }
  }
}
