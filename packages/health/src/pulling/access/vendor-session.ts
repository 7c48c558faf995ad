import {
  createFetchJson,
  type FetchJson,
  type FoundCredential,
  VendorError,
} from '../../connectors/index.ts'
import type { Account, PullingContext } from '../pulling-context.ts'
import type { BudgetOwner, Budgets } from './budgets.ts'
import type { TokenKeeper } from './token-keeper.ts'

/**
 * Opens a session with a vendor on behalf of a user: within the budgets, with tokens that are
 * renewed as needed.
 * @throws VendorError, BudgetSpent
 */
export async function openVendorSession(
  { connectors }: PullingContext,
  { budgets, tokens }: { budgets: Budgets; tokens: TokenKeeper },
  account: Account,
): Promise<FetchJson> {
  const { connector, environment, userId } = account
  const budgetOwner: BudgetOwner = {
    connector,
    kind: environment.kind,
    app: connector.auth.kind === 'password' ? undefined : await tokens.app(account),
    connectionId: userId,
    ...(connector.budgets.some(({ requestsPerUser }) => requestsPerUser !== undefined) && {
      userCount: await budgets.countUsers(environment.id, connector.slug),
    }),
  }
  let credential: FoundCredential = await tokens.currentCredential(account)
  const { region } = credential.tokens.extra ?? {}
  const address = connectors.addressOf(connector, environment, region)
  let fetchJson = createFetchJson(connector, address, credential.tokens, budgetOwner.app)
  const fetchOnce: FetchJson = async (wanted) => {
    await budgets.takeRequest(budgetOwner)
    try {
      return await fetchJson(wanted)
    } catch (error) {
      const failure = error instanceof VendorError ? error.failure : undefined
      if (failure?.kind !== 'rate_limited') throw error
      throw await budgets.blockBudget(budgetOwner, failure.retryAfterMs)
    }
  }
  return async (wanted) => {
    try {
      return await fetchOnce(wanted)
    } catch (error) {
      const isStale = error instanceof VendorError && error.failure.kind === 'unauthorized'
      if (!isStale) throw error
      credential = await tokens.renewCredential(account, credential)
      fetchJson = createFetchJson(connector, address, credential.tokens, budgetOwner.app)
      return await fetchOnce(wanted)
    }
  }
}
