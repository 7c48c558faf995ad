import { inEnvironment } from '../../accounts/teams/index.ts'
import { createCredentialStore } from '../../platform/crypto/credential-store.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import { handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import type { Stores } from '../../platform/scope.ts'
import { REVOKE_GRANT } from '../connections/index.ts'
import type { Connectors } from '../connectors/index.ts'

export interface PullingContext extends Stores {
  secrets: SecretBox
  connectors: Connectors
}

/** Background work of connections to cloud providers. */
export function pullingJobs(context: PullingContext): JobDefinitions {
  const { secrets } = context
  return {
    handlers: handleJob(
      REVOKE_GRANT,
      inEnvironment(context, async ({ db, clock }, { environmentId, userId, provider: name }) => {
        await createCredentialStore(db, { secrets, clock }).remove({ environmentId, userId, name })
      }),
    ),
    schedule: '',
  }
}
