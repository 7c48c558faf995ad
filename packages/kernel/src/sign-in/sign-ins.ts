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
] as const
/** With what someone failed to show who they are. */
export type SignInKind = (typeof SIGN_IN_KINDS)[number]

/** What is guessed at, and how often that may fail in a window. */
export interface GuessLimit {
  /** Tells it from all others; no more than a hash of it is kept. */
  of: string
  most: number
  minutes: number
}

/** The sign-ins of one request. */
export interface SignIns {
  /**
   * Tells that the secret of the request opens nothing. Nothing is counted before a secret was
   * looked for: these are too long to be guessed, and whoever has the right one is let in while
   * others fail beside it.
   * @throws RateLimitError 429 instead of the refusal, when the address has failed often
   */
  refuse(kind: SignInKind): Promise<void>
  /**
   * Runs what looks at a secret, and notes that it opened nothing when it is refused with one of
   * the codes.
   * @param isLimited Also refuse, as `refuse` does
   */
  watch<Result>(
    kind: SignInKind,
    codes: readonly ErrorType[],
    work: () => Promise<Result>,
    isLimited?: boolean,
  ): Promise<Result>
  /** Counts a failure in the metrics and in the audit log, and limits nothing. */
  note(kind: SignInKind): void
  /**
   * Counts an attempt as failed until it succeeds, so that many at once are counted too.
   * @returns To call when it did not fail
   * @throws RateLimitError 429 when the guesses are used up, before anything is tried
   */
  begin(limits: readonly GuessLimit[]): Promise<() => Promise<void>>
}
