/** Stored states of a link session; expiry follows from the time. */
export type StoredLinkState = 'issued' | 'validated' | 'pending_provider_mfa' | 'consumed'

/** docs/contract/03-link.md#link-token */
export const LINK_STATES = [
  'issued',
  'validated',
  'pending_provider_mfa',
  'consumed',
  'expired',
] as const
export type LinkState = (typeof LINK_STATES)[number]

interface Transition {
  readonly from: readonly StoredLinkState[]
  readonly to: StoredLinkState
}

const OPEN: readonly StoredLinkState[] = ['issued', 'validated', 'pending_provider_mfa']

/** A failed attempt leaves a session open; only a connection ends it. */
export const LINK_TRANSITIONS = {
  /** The provider may differ from that of an earlier start. */
  start: { from: OPEN, to: 'validated' },
  askForCode: { from: OPEN, to: 'pending_provider_mfa' },
  giveUpCode: { from: ['pending_provider_mfa'], to: 'validated' },
  connect: { from: OPEN, to: 'consumed' },
} as const satisfies Record<string, Transition>

/** Maximum number of tries at a code. */
export const MOST_MFA_TRIES = 5

export const LINK_TOKEN_SECONDS = 3600

/** Returns the state at an instant. A consumed session never becomes expired. */
export function stateAt(
  { state, expires_at: end }: { state: StoredLinkState; expires_at: Date },
  now: Date,
): LinkState {
  return state !== 'consumed' && now >= end ? 'expired' : state
}

/** Returns why a session can no longer be used. */
export function endReasonOf(state: LinkState): 'token_consumed' | 'token_expired' | undefined {
  if (state === 'consumed') return 'token_consumed'
  return state === 'expired' ? 'token_expired' : undefined
}
