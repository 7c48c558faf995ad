import type { SchedulingGateways } from '@salus/contracts/lab-gateway'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'

/** Dependencies of booking beside the scope. */
export interface BookingParts {
  scheduling: SchedulingGateways
  /** Signs booking keys. */
  secrets: SecretBox
}
