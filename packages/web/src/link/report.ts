import type { LinkPopupMessage } from '@salus/sdk'

/**
 * Reports to the page that opened this one in a pop-up (docs/linking.md#open-the-page-in-a-pop-up).
 * The browser delivers it only if that window still shows a page of the origin.
 * @param opener An origin that the team allows; without one nothing is sent.
 */
export function report(
  opener: string | null | undefined,
  message: Omit<LinkPopupMessage, 'type'>,
): void {
  const target: Window | null = window.opener
  if (!opener || target === null) return
  const sent: LinkPopupMessage = { type: 'salus-link', ...message }
  target.postMessage(sent, opener)
}

/** Whether a program opened this window, and so may close it. */
export const isPopup = (): boolean => window.opener !== null
