import { defineJob } from '@salus/kernel/jobs/jobs'

/**
 * Ends at the vendor what a connection that was removed had been granted, and forgets its credential. The engine
 * that talks to vendors stands above this domain and handles it.
 */
export const REVOKE_GRANT = defineJob<{ environmentId: string; userId: string; provider: string }>(
  'revoke-grant',
)
