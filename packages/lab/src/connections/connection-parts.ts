import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { ConnectionRegistry } from './connection-registry.ts'
import type { MessageViewParts } from './messages/message-views.schema.ts'

/** What the operator's routes need. */
export interface ConnectionParts extends MessageViewParts {
  secrets: SecretBox
  registry: ConnectionRegistry
  /** Returns the problems of a configuration that its schema cannot find, by JSON path. */
  checkConfig: (config: LabConnectionConfig) => ConfigProblem[]
}

export interface ConfigProblem {
  path: readonly (string | number)[]
  message: string
  /** Allowed and not advised. */
  isWarning: boolean
}
