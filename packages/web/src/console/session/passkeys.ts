/** Whether the browser knows passkeys at this address: it does by a host name and securely. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext &&
  typeof PublicKeyCredential === 'function' &&
  !/^[\d.]+$|^\[/.test(location.hostname)

const BROWSER_ERRORS: Record<string, string> = {
  NotAllowedError: 'No passkey was used. Try again, or sign in in another way.',
  InvalidStateError: 'This device has a passkey for you already.',
}

/** Returns an error of the browser, or of a request, in plain words. */
export function describePasskeyError(error: unknown): string {
  if (!(error instanceof Error)) return 'Something went wrong. Try again.'
  return BROWSER_ERRORS[error.name] ?? error.message
}
