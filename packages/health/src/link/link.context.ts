import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Stores } from '@salus/kernel/scope'
import type { ScopeTable } from '../connections/index.ts'
import type { Connectors, OperatorApps } from '../connectors/index.ts'
import type { Ingest } from '../ingest/index.ts'

/** Context of sign-ins at providers. */
export interface LinkContext extends Stores {
  config: LinkConfig
  secrets: SecretBox
  connectors: Connectors
  operatorApps: OperatorApps
  scopesOf: (slug: string) => ScopeTable | undefined
  ingest: Ingest
}

interface LinkConfig {
  /** Public address of the deployment; undefined uses that of the request. */
  baseUrl: string | undefined
  aliasesEnabled: boolean
  linkNeedsTeamKey: boolean
  bulkOperationsEnabled: boolean
}
