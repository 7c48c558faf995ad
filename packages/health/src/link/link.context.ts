import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Stores } from '@salus/kernel/scope'
import type { ScopeTable } from '../connections/index.ts'
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
}

interface LinkConfig {
  /** The public address of the deployment; undefined takes that of the request. */
  baseUrl: string | undefined
  aliasesEnabled: boolean
  linkNeedsTeamKey: boolean
  bulkOperationsEnabled: boolean
}
