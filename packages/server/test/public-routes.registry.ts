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
  '/console',
  '/console/*',
  '/assets/web/{file}',
  '/assets/link.js',
]

/** Of those the ones that take forms, too: pages of vendors that sandboxes have. */
export const PUBLIC_FORMS = ['/sandbox/providers/*']

/**
 * Routes for providers, which need no key: what they send is proven by its signature, or by an
 * address that only they know.
 */
export const SIGNED_ROUTES = [
  '/v2/provider/{provider}/push',
  '/v2/provider/{provider}/push/{addressKey}',
]
