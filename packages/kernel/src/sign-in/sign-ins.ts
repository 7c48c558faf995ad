import type { ErrorType } from '../errors.registry.ts'

export const SIGN_IN_KINDS = [
  'api_key',
  'access_token',
  'management_key',
  'console',
  'app_token',
  'link_password',
  'link_code',
  'app_link_code',
  'push',
  'import_address',
  'portal_link',
] as const
/** Kind of the credential that failed. */
export type SignInKind = (typeof SIGN_IN_KINDS)[number]

/** Limit of the guesses at one secret within a window. */
export interface GuessLimit {
  /** Identifies it; only a hash of it is stored. */
  of: string
  most: number
  minutes: number
}

/** The sign-ins of one request. */
export interface SignIns {
  /**
   * Reports that the secret of the request is not valid. It counts only after the secret was looked
   * up: these are too long to be guessed, and a client with the right one is let in while others
   * fail at the same address.
   * @throws RateLimitError 429 instead of the refusal, when the address has failed often
   */
  refuse(kind: SignInKind): Promise<void>
  /**
   * Runs code that checks a secret, and records a failure when it is refused with one of the codes.
   * @param isLimited Whether to refuse too, as `refuse` does
   */
  watch<Result>(
    kind: SignInKind,
    codes: readonly ErrorType[],
    work: () => Promise<Result>,
    isLimited?: boolean,
  ): Promise<Result>
  /** Counts a failure in the metrics and in the audit log, without a limit. */
  note(kind: SignInKind): void
  /**
   * Counts an attempt as failed until it succeeds, so that many at once are counted too.
   * @returns Function to call when it did not fail
   * @throws RateLimitError 429 when the guesses are used up, before anything is tried
   */
  begin(limits: readonly GuessLimit[]): Promise<() => Promise<void>>
}
