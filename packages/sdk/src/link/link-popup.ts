/**
 * Types of `/assets/link.js`, a script of the deployment that opens the link page in a pop-up
 * (docs/linking.md#open-the-page-in-a-pop-up). The script itself is not part of this package.
 */
export interface SalusLink {
  /**
   * Opens the pop-up; call it in the handler of a click, or browsers block the window. Callbacks
   * come from the browser, so they are a hint and no proof.
   */
  open(options: LinkPopupOptions): LinkPopup
}

export interface LinkPopupOptions {
  /** `link_web_url` of a link token, or a function that fetches one from your server. */
  url: string | Promise<string> | (() => Promise<string>)
  /** An account was connected. Comes again after "connect another account". */
  onSuccess?: (outcome: LinkPopupSuccess) => void
  /** An attempt failed. The person can try again, so it is not the end. */
  onError?: (outcome: LinkPopupError) => void
  /**
   * The window is closed. A success can still follow, because the pages of some vendors separate
   * the windows, which looks the same.
   */
  onClose?: () => void
  /** Closes the window after the first success; default false. */
  closeOnSuccess?: boolean
}

export interface LinkPopupSuccess {
  /** Slug of the provider; null where it is not known. */
  provider: string | null
}

export interface LinkPopupError {
  /**
   * One of the link errors (docs/contract/03-link.md#linkerrortype-and-conditions),
   * `provider_not_configured`, `offline`, `unavailable`, or of the script: `popup_blocked`, and
   * `no_url` when your function failed.
   */
  error_type: string
  /** A sentence for logs. */
  error: string | null
  provider: string | null
}

/** The opened window. */
export interface LinkPopup {
  /** Closes it, and ends the callbacks. */
  close(): void
  focus(): void
}

/** Message of the link page to the window that opened it. */
export interface LinkPopupMessage {
  type: 'salus-link'
  /** `leaving`: to the page of a vendor, which may separate the windows. */
  event: 'success' | 'error' | 'leaving' | 'closed'
  provider?: string | undefined
  error_type?: string | undefined
  error?: string | undefined
}
