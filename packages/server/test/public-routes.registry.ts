/** Routes that need no key. Whoever adds one writes it down here. */
export const PUBLIC_ROUTES = [
  '/',
  '/favicon.ico',
  '/favicon.svg',
  '/health/live',
  '/health/ready',
  '/healthz',
  '/readyz',
  '/metrics',
  '/assets/providers/{slug}.svg',
  '/openapi.json',
  '/docs/',
  '/docs/js/scalar.js',
]

/** Routes for providers, which need no key: what they send is proven by its signature. */
export const SIGNED_ROUTES = ['/v2/provider/{provider}/push']
