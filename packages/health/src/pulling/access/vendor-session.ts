import {
  createFetchJson,
  type FetchJson,
  type FoundCredential,
  type PageContext,
  resolveApp,
  VendorError,
} from '../../connectors/index.ts'
import type { Account, PullingContext } from '../pulling-context.ts'
import type { BudgetOwner, Budgets } from './budgets.ts'
import type { TokenKeeper } from './token-keeper.ts'

/** An open session with a vendor. Its context changes when it is renewed. */
export interface VendorSession {
  readonly fetchJson: FetchJson
  readonly context: PageContext
}

/**
 * Opens a session with a vendor on behalf of a user: within the budgets, with tokens that are
 * renewed as needed.
 * @throws VendorError, BudgetSpent
 */
export async function openVendorSession(
  { connectors, clock }: PullingContext,
  { budgets, tokens }: { budgets: Budgets; tokens: TokenKeeper },
  account: Account,
): Promise<VendorSession> {
  const { connector, environment, userId } = account
  const isByPassword = connector.auth.kind === 'password'
  const app = await tokens.app(account)
  const budgetOwner: BudgetOwner = {
    connector,
    kind: environment.kind,
    app: isByPassword ? undefined : app,
    connectionId: userId,
    ...(connector.budgets.some(({ requestsPerUser }) => requestsPerUser !== undefined) && {
      userCount: await budgets.countUsers(environment.id, connector.slug),
    }),
  }
  const within = <Result>(work: () => Promise<Result>): Promise<Result> =>
    work().catch((error) => respectLimit(budgets, budgetOwner, error))
  // A vendor of passwords limits sign-ins as it does requests.
  const withinRenewal: typeof within = (work) => (isByPassword ? within(work) : work())
  let credential: FoundCredential = await withinRenewal(() => tokens.currentCredential(account))
  const { region } = credential.tokens.extra ?? {}
  const address = connectors.addressOf(connector, environment, region)
  const connect = () => createFetchJson(connector, address, credential.tokens, app)
  let fetchJson = connect()
  const fetchOnce: FetchJson = async (wanted) => {
    await budgets.takeRequest(budgetOwner)
    return within(() => fetchJson(wanted))
  }
  return {
    get context() {
      const { extra = {} } = credential.tokens
      return { extra, now: clock.now().getTime(), app: resolveApp(connector, app) }
    },
    async fetchJson(wanted) {
      try {
        return await fetchOnce(wanted)
      } catch (error) {
        const isStale = error instanceof VendorError && error.failure.kind === 'unauthorized'
        if (!isStale) throw error
        credential = await withinRenewal(() => tokens.renewCredential(account, credential))
        fetchJson = connect()
        return await fetchOnce(wanted)
      }
    },
  }
}

/**
 * Blocks the budget that a vendor refused: that of the user where it limits requests, and the
 * widest one where it refuses the deployment.
 */
async function respectLimit(budgets: Budgets, owner: BudgetOwner, error: unknown): Promise<never> {
  const failure = error instanceof VendorError ? error.failure : undefined
  if (failure?.kind !== 'rate_limited' && failure?.kind !== 'blocked') throw error
  const whose = failure.kind === 'blocked' ? 'widest' : 'narrowest'
  throw await budgets.blockBudget(owner, failure.retryAfterMs, whose)
}
