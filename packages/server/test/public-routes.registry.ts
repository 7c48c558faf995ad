/** Routes that need no key. Whoever adds one writes it down here. */
export const PUBLIC_ROUTES = [
  '/',
  '/favicon.ico',
  '/favicon.svg',
  '/health',
  '/health/live',
  '/health/ready',
  '/healthz',
  '/readyz',
  '/metrics',
  '/assets/providers/{slug}.svg',
  '/openapi.json',
  '/docs/',
  '/docs/js/scalar.js',
  '/sandbox/providers',
  '/sandbox/providers/*',
  '/link',
  '/link/done',
  '/me',
  '/console',
  '/console/*',
  '/assets/web/{file}',
  '/assets/link.js',
]

/** Of those the ones that take forms, too: pages of vendors that sandboxes have. */
export const PUBLIC_FORMS = ['/sandbox/providers/*']

/**
 * Routes for providers and laboratories, which need no key: what they send is proven by its
 * signature, by an address that only they know, or by the sign-in of a stored connection.
 */
export const SIGNED_ROUTES = [
  '/v2/provider/{provider}/push',
  '/v2/provider/{provider}/push/{addressKey}',
  '/v2/lab_connection/{connection_id}/message',
]
