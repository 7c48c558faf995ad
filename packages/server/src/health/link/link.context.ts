import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { Stores, TransactionScope } from '../../platform/scope.ts'
import type { ConnectionRow, ScopeTable } from '../connections/index.ts'
import type { Connectors, OperatorApps } from '../connectors/index.ts'
import type { Ingest } from '../ingest/index.ts'

/** What signing people in needs of the deployment. */
export interface LinkContext extends Stores {
  config: LinkConfig
  secrets: SecretBox
  connectors: Connectors
  operatorApps: OperatorApps
  scopesOf: (slug: string) => ScopeTable | undefined
  ingest: Ingest
  pulling: Pulling
}

interface LinkConfig {
  /** The public address of the deployment; undefined takes that of the request. */
  baseUrl: string | undefined
  aliasesEnabled: boolean
  linkNeedsTeamKey: boolean
  bulkOperationsEnabled: boolean
  demoUserDays: number
}

/** The engine that pulls, which is told of connections in the transaction that changes them. */
export interface Pulling {
  /** Plans history and polling of a connection that is new or revived. */
  startPulling(tx: TransactionScope, connection: ConnectionRow): Promise<void>
  stopPulling(tx: TransactionScope, connection: { userId: string; provider: string }): Promise<void>
  /** Asks for the history anew, at the provider's pace. */
  triggerHistory(tx: TransactionScope, userIds: readonly string[], provider: string): Promise<void>
}
