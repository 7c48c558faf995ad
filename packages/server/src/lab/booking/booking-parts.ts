import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { SchedulingGateways } from '../gateways/index.ts'

/** What booking needs beside the scope. */
export interface BookingParts {
  scheduling: SchedulingGateways
  /** Signs booking keys. */
  secrets: SecretBox
}
